import MovementAnalysis
import TextFormats
import WorkoutHistory

/// The sets of one exercise and one person, in chronological order.
struct ExerciseSets {
  private struct Key: Hashable {
    var exercise: String?
    var person: String?
  }

  /// Name of the exercise; nil for unnamed sets.
  var exercise: String?
  var person: String?
  var sets: [ReportPage.AnalyzedSet]
  var dates: ReportDates

  /// Returns groups by person, the exercise with the most sets first and unnamed sets last.
  static func groups(of sets: [ReportPage.AnalyzedSet], dates: ReportDates) -> [ExerciseSets] {
    var order: [Key] = []
    var groups: [Key: [ReportPage.AnalyzedSet]] = [:]
    for set in sets {
      let key = Key(exercise: set.title.exercise, person: set.title.user)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(set)
    }
    return order.enumerated().map { index, key in
      let ordered = (groups[key] ?? []).enumerated().sorted {
        ($0.element.title.unixTime ?? .infinity, $0.offset)
          < ($1.element.title.unixTime ?? .infinity, $1.offset)
      }
      return (
        index,
        ExerciseSets(
          exercise: key.exercise, person: key.person, sets: ordered.map(\.element), dates: dates)
      )
    }.sorted { a, b in
      let isNamed = (a.1.exercise != nil, b.1.exercise != nil)
      guard isNamed.0 == isNamed.1 else { return isNamed.0 }
      let (personA, personB) = (a.1.person ?? "", b.1.person ?? "")
      return (personA, b.1.sets.count, a.0) < (personB, a.1.sets.count, b.0)
    }.map(\.1)
  }

  /// Returns the one-rep maximum by Epley's formula, in kilograms.
  static func oneRepMaximum(_ set: ReportPage.AnalyzedSet) -> Double? {
    set.title.weight.flatMap { ExerciseStatistics.oneRepMaximum(weight: $0, reps: set.reps) }
  }

  // MARK: Progress

  /// - Parameter isOnly: True if the page has no other group.
  func group(isOnly: Bool) -> ReportPage.Group {
    let name = exercise ?? (isOnly ? "All sets" : "Exercise not named")
    let reps = sets.reduce(0) { $0.addingReportingOverflow($1.reps).partialValue }
    var parts = [counted(sets.count, "set"), counted(reps, "rep")]
    if let first = days.first, let last = days.last {
      parts.append(ReportDates.text(from: first, to: last))
    }
    return ReportPage.Group(
      title: [name, person].compactMap { $0 }.joined(separator: ", "),
      subtitle: parts.joined(separator: " · "), charts: charts)
  }

  /// The days of the sets, in order.
  private var days: [Int] { Set(sets.compactMap { dates.day($0.title.unixTime) }).sorted() }

  private typealias Value = (set: ReportPage.AnalyzedSet, x: Double, y: Double)

  /// Charts over days if the sets are from several days, else over the sets in order.
  private var charts: [ReportPage.Chart] {
    let hasDates = days.count > 1
    func values(_ value: (ReportPage.AnalyzedSet) -> Double?) -> [Value] {
      sets.enumerated().compactMap { index, set in
        let day = dates.day(set.title.unixTime).map(Double.init)
        guard let y = value(set), y.isFinite, let x = hasDates ? day : Double(index + 1) else {
          return nil
        }
        return (set, x, y)
      }
    }
    func figure(
      _ figure: Figure<SetAnalysis>, _ unit: String, startsAtZero: Bool = true
    ) -> ReportPage.Chart? {
      perSet(
        FigureWords.capitalized(figure.title), unit, figure.decimals,
        values { figure.shownValue(of: $0.analysis) }, hasDates: hasDates,
        startsAtZero: startsAtZero)
    }
    let undated = hasDates ? sets.count { dates.day($0.title.unixTime) == nil } : 0
    let missing = undated > 0 ? " Not shown: \(counted(undated, "set")) without a date." : ""
    var charts: [ReportPage.Chart?] = []
    if hasDates {
      let load = "line: the day's best; loads differ"
      charts += [
        daily(
          "Heaviest weight", 2, "Line: the heaviest weight of each day.",
          values {
            $0.volume == nil ? nil : $0.title.weight
          }),
        daily(
          "Estimated one-rep maximum", 1, "Epley: weight × (1 + reps ÷ 30); \(load).",
          values(Self.oneRepMaximum)),
        daily("Best set volume", 0, "Weight × reps of one set; \(load).", values(\.volume)),
        daily("Volume", 0, "Weight × reps of all sets of a day.", values(\.volume), isSum: true),
      ]
    } else {
      charts.append(
        perSet("Weight", "kg", 2, values(\.title.weight), hasDates: false, isByLoad: false))
    }
    charts += [
      perSet("Reps", "", 0, values { Double($0.reps) }, hasDates: hasDates),
      figure(SetAnalysis.tempo, "s a rep"),
      figure(SetAnalysis.slowdown, "% slower by the end"),
      figure(SetAnalysis.consistencyOfReps, "%", startsAtZero: false),
    ]
    return charts.compactMap { chart in
      guard var chart else { return nil }
      chart.note += missing
      return chart
    }
  }

  /// Returns a chart with one value per day: the highest, or the sum.
  private func daily(
    _ title: String, _ decimals: Int, _ note: String, _ values: [Value], isSum: Bool = false
  ) -> ReportPage.Chart? {
    let byDay = Dictionary(grouping: values, by: \.x).mapValues { values in
      isSum ? values.reduce(0) { $0 + $1.y } : values.map(\.y).max() ?? 0
    }
    let points = byDay.sorted { $0.key < $1.key }.map {
      ReportPage.Chart.Point(x: $0.key, y: $0.value)
    }
    guard points.count > 1, let first = points.first, let last = points.last else { return nil }
    let change = FigureWords.short(last.y - first.y, decimals: decimals)
    return ReportPage.Chart(
      title: title, unit: "kg", decimals: decimals,
      latest: FigureWords.short(last.y, decimals: decimals),
      change: isSum || change == "0"
        ? ""
        : (change.hasPrefix("−") ? "" : "+") + change + " kg since "
          + ReportDates.text(Int(first.x)),
      note: note, shape: isSum ? .bars : .points, hasDates: true, startsAtZero: isSum,
      series: [.init(name: "", points: points, line: isSum || exercise == nil ? [] : points)])
  }

  /// Returns a chart with one value per set, with a line for each of the usual loads.
  private func perSet(
    _ title: String, _ unit: String, _ decimals: Int, _ values: [Value], hasDates: Bool,
    isByLoad: Bool = true, startsAtZero: Bool = true
  ) -> ReportPage.Chart? {
    guard values.count > 1 else { return nil }
    let loads = Dictionary(grouping: values) { isByLoad ? $0.set.title.weight : nil }
    let usual = loads.keys.sorted {
      (loads[$0]?.count ?? 0, $1 ?? -1) > (loads[$1]?.count ?? 0, $0 ?? -1)
    }.prefix(loads.count > 4 ? 3 : 4).sorted { ($0 ?? 0) > ($1 ?? 0) }
    let others = values.filter { value in !usual.contains(isByLoad ? value.set.title.weight : nil) }
    var series = usual.map { load -> ReportPage.Chart.Series in
      let own = loads[load] ?? []
      let isAlone = loads.count == 1
      return .init(
        name: isAlone ? "" : load.map(FigureWords.weight) ?? "no weight",
        points: own.map { .init(x: $0.x, y: $0.y) },
        line: exercise != nil && (load != nil || isAlone) ? Self.averages(own) : [])
    }
    if !others.isEmpty {
      series.append(
        .init(name: "other loads", points: others.map { .init(x: $0.x, y: $0.y) }, line: []))
    }
    let lastDay = hasDates ? values.filter { $0.x == values.last?.x } : values
    let mean = lastDay.reduce(0) { $0 + $1.y } / Double(lastDay.count)
    return ReportPage.Chart(
      title: title, unit: unit, decimals: decimals,
      latest: FigureWords.short(mean, decimals: title == "Reps" ? 1 : decimals),
      change: hasDates ? "last day's average" : "average of \(counted(values.count, "set"))",
      note: note(loads: Swift.Set(loads.keys), isByLoad: isByLoad, hasDates: hasDates),
      shape: .points, hasDates: hasDates, startsAtZero: startsAtZero, series: series)
  }

  /// Returns the meaning of points and lines in a chart with one value per set.
  private func note(loads: Swift.Set<Double?>, isByLoad: Bool, hasDates: Bool) -> String {
    guard exercise != nil else {
      return "Points: sets. No line, since the exercises are not named."
    }
    guard isByLoad else { return "Line: the weight from set to set." }
    let line = hasDates ? "the day's average" : "from set to set"
    if loads == [nil] { return "Points: sets. Line: \(line); the loads are not recorded." }
    return loads.count == 1
      ? "Points: sets at \(FigureWords.weight(loads.first.flatMap { $0 } ?? 0)). Line: \(line)."
      : "Points: sets. Lines: \(line) at one load."
  }

  /// Returns the mean of each x position, in order.
  private static func averages(_ values: [Value]) -> [ReportPage.Chart.Point] {
    Dictionary(grouping: values, by: \.x).sorted { $0.key < $1.key }.map { x, values in
      .init(x: x, y: values.reduce(0) { $0 + $1.y } / Double(values.count))
    }
  }
}
