import Foundation
import Motion
import MovementAnalysis
import RepDetection
import TextFormats

extension ReportPage {
  /// A counted set in a page of many.
  package struct AnalyzedSet: Sendable {
    package var title: FigureTitle
    package var set: CountedSet
    package var analysis: SetAnalysis
    /// The person's count.
    package var correctedReps: Int?
    /// Number of reps in the lifter's notes.
    package var notedReps: Int?
    package var plot: RecordingFigure?

    /// The person's count, or else the detector's.
    var reps: Int { correctedReps ?? set.reps.count }

    /// Weight times reps, in kilograms; nil without a weight.
    var volume: Double? { title.weight.flatMap { $0 > 0 && reps > 0 ? $0 * Double(reps) : nil } }

    package init(
      title: FigureTitle, set: CountedSet, analysis: SetAnalysis, correctedReps: Int? = nil,
      notedReps: Int? = nil, plot: RecordingFigure? = nil
    ) {
      self.title = title
      self.set = set
      self.analysis = analysis
      self.correctedReps = correctedReps
      self.notedReps = notedReps
      self.plot = plot
    }
  }

  /// Creates a page about sets: those to check, records, progress by exercise and person, and all sets.
  ///
  /// - Parameters:
  ///   - withoutSet: Recordings in which no set was detected, with the reason.
  ///   - zone: Time zone of days and times.
  package init(
    title: String, sets: [AnalyzedSet], withoutSet: [(recording: String, reason: String)] = [],
    facts: [(name: String, value: String)] = [], zone: TimeZone = .current
  ) {
    let dates = ReportDates(zone: zone)
    // Latest day first; the sets of a day in chronological order; sets without a date last.
    var sets = sets.enumerated().sorted { a, b in
      let (dayA, dayB) = (dates.day(a.element.title.unixTime), dates.day(b.element.title.unixTime))
      guard dayA == dayB else { return (dayA ?? .min) > (dayB ?? .min) }
      guard let timeA = a.element.title.unixTime, let timeB = b.element.title.unixTime,
        timeA != timeB
      else { return a.offset < b.offset }
      return timeA < timeB
    }.map(\.element)
    Self.number(&sets, dates)
    let days = sets.compactMap { dates.day($0.title.unixTime) }
    var subtitle: [String] = []
    // If all sets are of one person, name them once.
    if let person = sets.first?.title.user, sets.allSatisfy({ $0.title.user == person }) {
      subtitle.append(person)
      for index in sets.indices { sets[index].title.user = nil }
    }
    let groups = ExerciseSets.groups(of: sets, dates: dates)
    if let first = days.min(), let last = days.max() {
      subtitle.append(ReportDates.text(from: first, to: last))
    }
    let reps = sets.reduce(0) { $0.addingReportingOverflow($1.reps).partialValue }
    var tiles = [
      ("sets", FigureWords.number(Double(sets.count))), ("reps", FigureWords.number(Double(reps))),
    ]
    let volumes = sets.compactMap(\.volume)
    if !volumes.isEmpty {
      let volume = volumes.reduce(0, +)
      let isLarge = volume >= 100_000
      tiles.append(
        ("volume", FigureWords.number(volume / (isLarge ? 1000 : 1)) + (isLarge ? " t" : " kg")))
    }
    if !days.isEmpty { tiles.append(("training days", "\(Swift.Set(days).count)")) }
    let corrected = sets.count { $0.correctedReps != nil }
    if corrected > 0 { tiles.append(("counts corrected", "\(corrected)")) }
    self.init(title: title, subtitle: subtitle.joined(separator: " · "), facts: tiles + facts)

    let notices = Self.notices(sets, dates)
    if !notices.isEmpty {
      sections.append(
        .notices(
          title: "Look at these first", Array(notices.prefix(5)), more: max(0, notices.count - 5)))
    }
    if let records = Self.records(groups) {
      sections.append(
        .table(
          title: "Personal records",
          note: records.columns.contains { $0.title == Self.estimate }
            ? "Estimated one-rep maximum by Epley: weight × (1 + reps ÷ 30), from sets of up to 30 reps."
            : "", records))
    }
    let charted = groups.map { $0.group(isOnly: groups.count == 1) }.filter { !$0.charts.isEmpty }
    if !charted.isEmpty { sections.append(.groups(title: "Progress", charted)) }
    if !sets.isEmpty {
      let zone = sets.contains { dates.time($0.title.unixTime) != nil }
      sections.append(
        .table(
          title: "All sets", note: zone ? "Times in the zone \(dates.zone.identifier)." : "",
          Self.table(sets, groups, dates)))
    }
    if !withoutSet.isEmpty {
      sections.append(
        .table(
          title: "Recordings without a set", note: "",
          Table(["Recording", "Reason"], rows: withoutSet.map { [$0.recording, $0.reason] })))
    }
    sections.append(
      .glossary(
        title: "What the words mean",
        Self.words.filter { sets.contains(where: $0.isUsed) }.map { ($0.word, $0.meaning) }))
  }

  /// Numbers the sets of an exercise, person and day, unless their sources do.
  private static func number(_ sets: inout [AnalyzedSet], _ dates: ReportDates) {
    let places = Dictionary(grouping: sets.indices.filter { sets[$0].title.exercise != nil }) {
      let title = sets[$0].title
      return [title.exercise, title.user, dates.day(title.unixTime).map(String.init)]
    }
    for rows in places.values {
      let numbers = rows.compactMap { sets[$0].title.setNumber }
      guard Swift.Set(numbers).count < rows.count else { continue }
      for (index, row) in rows.enumerated() { sets[row].title.setNumber = index + 1 }
    }
  }

  /// Title of the column of estimates.
  private static let estimate = "Est. 1RM"

  // MARK: Sets that need a look

  private static func name(_ title: FigureTitle) -> String {
    [title.exercise ?? title.recording, title.user].compactMap { $0 }.joined(separator: ", ")
  }

  /// Returns the reason to check a set, and its urgency.
  private static func doubtReason(_ set: AnalyzedSet) -> (reason: String, urgency: Double)? {
    let counted = set.set.reps.count
    let difference = { (reps: Int) in Double(abs(reps - counted)) / Double(max(reps, counted, 1)) }
    if let corrected = set.correctedReps {
      guard difference(corrected) >= 0.2 else { return nil }
      return ("Corrected from \(counted) to \(corrected).", difference(corrected))
    }
    if counted == 0 { return ("No rep was found.", 3) }
    if let noted = set.notedReps, difference(noted) >= 0.2 {
      return ("The lifter noted \(noted), the watch counted \(counted).", 2 + difference(noted))
    }
    guard set.set.confidence < 0.6 else { return nil }
    return (
      "The watch counted \(TextFormats.counted(counted, "rep")), "
        + "\(FigureWords.confidence(set.set.confidence)).", 2 - set.set.confidence
    )
  }

  private static func notices(_ sets: [AnalyzedSet], _ dates: ReportDates) -> [Notice] {
    sets.enumerated().compactMap { row, set -> (Notice, Double)? in
      guard let (reason, urgency) = doubtReason(set) else { return nil }
      let day = dates.day(set.title.unixTime).map { ReportDates.text($0) }
      let detail = [
        day, set.title.setNumber.map { "set \($0)" }, set.title.weight.map(FigureWords.weight),
      ]
      return (
        Notice(
          title: name(set.title), detail: detail.compactMap { $0 }.joined(separator: " · "),
          reason: reason, row: row), urgency
      )
    }.sorted { ($0.1, $1.0.row) > ($1.1, $0.0.row) }.map(\.0)
  }

  // MARK: Records

  private static func records(_ groups: [ExerciseSets]) -> Table? {
    let named = groups.filter { $0.exercise != nil && $0.sets.contains { $0.reps > 0 } }
    guard !named.isEmpty else { return nil }
    typealias Record = (
      title: String, value: (AnalyzedSet) -> Double?, text: (AnalyzedSet) -> String
    )
    func load(_ set: AnalyzedSet) -> String {
      let weight = set.title.weight.map { " × " + FigureWords.weight($0) } ?? ""
      return "\(set.reps)" + (weight.isEmpty ? " reps" : weight)
    }
    let records: [Record] = [
      ("Heaviest", { $0.volume == nil ? nil : $0.title.weight }, load),
      ("Best set volume", \.volume, { FigureWords.number($0.volume ?? 0) + " kg" }),
      (
        estimate, { ExerciseSets.oneRepMaximum($0) },
        { FigureWords.short(ExerciseSets.oneRepMaximum($0) ?? 0, decimals: 1) + " kg" }
      ),
      ("Most reps", { Double($0.reps) }, load),
    ]
    let known = records.filter { record in
      named.contains { $0.sets.contains { record.value($0) != nil } }
    }
    let rows = named.map { group -> Table.Row in
      let cells = known.map { record -> Table.Cell in
        // The first of equal sets is the record. The sets are in chronological order.
        let best = group.sets.enumerated().max {
          (record.value($0.element) ?? -1, -$0.offset) < (
            record.value($1.element) ?? -1, -$1.offset
          )
        }?.element
        guard let best, let value = record.value(best) else { return "" }
        let text = record.text(best)
        let isDoubtful = doubtReason(best) != nil && best.correctedReps == nil
        let parts = [
          text == load(best) || best.title.weight == nil ? nil : load(best),
          group.dates.day(best.title.unixTime).map { ReportDates.text($0) },
          isDoubtful ? "check the count" : nil,
        ]
        return Table.Cell(
          text, detail: parts.compactMap { $0 }.joined(separator: ", "), value: value,
          isDoubtful: isDoubtful)
      }
      return Table.Row(
        cells: [Table.Cell(group.exercise ?? "", detail: group.person ?? "")] + cells)
    }
    return Table(
      columns: [Table.Column(title: "Exercise")]
        + known.map { Table.Column(title: $0.title, isNumeric: true, sortsUpwards: false) },
      rows: rows)
  }

  // MARK: All sets

  private static func table(
    _ sets: [AnalyzedSet], _ groups: [ExerciseSets], _ dates: ReportDates
  ) -> Table {
    let hasPeople = groups.contains { $0.person != nil }
    typealias Column = (column: Table.Column, cell: (AnalyzedSet) -> Table.Cell?)
    func column(_ figure: Figure<SetAnalysis>, sortsUpwards: Bool = false) -> Column {
      (
        Table.Column(
          title: FigureWords.capitalized(figure.title), isNumeric: true, sortsUpwards: sortsUpwards),
        { set in
          figure.shownValue(of: set.analysis).map {
            Table.Cell("\(figureDecimal($0, figure.decimals)) \(figure.unit)", value: $0)
          }
        }
      )
    }
    let columns: [Column] = [
      (
        Table.Column(title: "Date", sortsUpwards: false),
        { set in
          dates.day(set.title.unixTime).map {
            Table.Cell(
              ReportDates.text($0), detail: dates.time(set.title.unixTime) ?? "",
              value: set.title.unixTime)
          }
        }
      ),
      (Table.Column(title: "Exercise"), { Table.Cell($0.title.exercise ?? $0.title.recording) }),
      (
        Table.Column(title: "Person"),
        { hasPeople ? Table.Cell($0.title.user ?? "–") : nil }
      ),
      (
        Table.Column(title: "Set", isNumeric: true),
        { $0.title.setNumber.map { Table.Cell("\($0)", value: Double($0)) } }
      ),
      (
        Table.Column(title: "Weight", isNumeric: true, sortsUpwards: false),
        { $0.title.weight.map { Table.Cell(FigureWords.weight($0), value: $0) } }
      ),
      (
        Table.Column(title: "Reps", isNumeric: true, sortsUpwards: false),
        { set in
          let isCorrected = set.correctedReps != nil
          return Table.Cell(
            "\(set.reps)", detail: isCorrected ? "watch \(set.set.reps.count)" : "",
            value: Double(set.reps))
        }
      ),
      (
        Table.Column(title: "Confidence", isNumeric: true),
        { set in
          if set.correctedReps != nil { return Table.Cell("by hand", value: 1) }
          let isDoubtful = doubtReason(set) != nil
          let percent = figureDecimal(min(max(set.set.confidence, 0), 1) * 100, 0) + " %"
          return Table.Cell(
            percent, detail: isDoubtful ? "check" : "", value: set.set.confidence,
            isDoubtful: isDoubtful)
        }
      ),
      column(SetAnalysis.tempo), column(SetAnalysis.slowdown),
      column(SetAnalysis.consistencyOfReps, sortsUpwards: true),
    ]
    // Omit empty columns.
    let used = columns.filter { column in sets.contains { column.cell($0) != nil } }
    return Table(
      columns: used.map(\.column) + [Table.Column(title: "Movement")],
      rows: sets.map { set in
        Table.Row(
          cells: used.map { $0.cell(set) ?? "" } + [""],
          movement: set.analysis.curve.map { curve in
            MovementThumbnail(
              curve: curve.points.map { ($0.time, $0.movement) },
              repEnds: set.set.reps.map { $0.end - set.set.start },
              duration: set.set.end - set.set.start)
          },
          details: details(set), plot: set.plot)
      }, isSortable: true)
  }

  /// Returns the figures that only some sets have, and the location of the set.
  private static func details(_ set: AnalyzedSet) -> [String] {
    var figures: [String] = []
    for figure in [SetAnalysis.turn, SetAnalysis.turnLost] {
      guard let value = figure.shownValue(of: set.analysis) else { continue }
      figures.append("\(figure.title) \(figureDecimal(value, figure.decimals)) \(figure.unit)")
    }
    if !set.set.partialReps.isEmpty {
      figures.append(counted(set.set.partialReps.count, "partial rep") + ", not counted")
    }
    if let noted = set.notedReps { figures.append("noted by the lifter: \(noted)") }
    if set.correctedReps != nil {
      figures.append(
        "the watch counted \(set.set.reps.count), \(FigureWords.confidence(set.set.confidence))")
    }
    return [figures.joined(separator: " · "), set.title.source].filter { !$0.isEmpty }
  }

  // MARK: Words

  /// Terms of a page about sets, with their meanings and the condition to include them.
  private static let words:
    [(word: String, meaning: String, isUsed: @Sendable (AnalyzedSet) -> Bool)] = [
      ("rep", "one repetition: from the starting position and back to it", { _ in true }),
      ("Confidence", "the chance that the count is exactly right", { $0.correctedReps == nil }),
      ("watch 8", "the watch's count, where a person corrected it", { $0.correctedReps != nil }),
      ("volume", "weight × reps, added up", { $0.volume != nil }),
      ("Tempo", "seconds for a typical rep", { $0.analysis.typicalDuration != nil }),
      (
        "fatigue", "how much slower the last reps were than the first ones",
        { $0.analysis.fatigue?.slowdown != nil }
      ),
      (
        "consistency", "how much each rep resembles the set's other reps; 100 %: exactly the same",
        { $0.analysis.consistency != nil }
      ),
      (
        "wrist turn lost", "how much less the wrist turned in the last reps than in the first ones",
        { $0.analysis.fatigue?.rotationLoss != nil }
      ),
      (
        "movement", "the way of the wrist from the bottom of a rep to its top and back",
        { $0.analysis.curve != nil }
      ),
      (
        "partial rep", "a movement that begins like a rep and stops short of it; it is not counted",
        { !$0.set.partialReps.isEmpty }
      ),
    ]
}
