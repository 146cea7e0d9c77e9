import Foundation

/// What a person has done of an exercise.
public struct ExerciseStatistics: Sendable, Hashable {
  /// One set, as far as records name it.
  public struct Record: Sendable, Hashable {
    /// The set's row.
    public var set: HistorySetRow.ID
    public var reps: Int
    /// Kilograms.
    public var weight: Double
    public var date: Date?
  }

  /// A day's best, for charts.
  public struct TrendPoint: Sendable, Hashable {
    /// Days since 1970-01-01, in the time zone of the machine.
    public var day: Int
    public var setCount: Int
    /// Kilograms lifted in all: weight times reps.
    public var volume: Double
    /// The best estimated one-rep maximum of the day, kilograms; nil without weights.
    public var oneRepMaximum: Double?
  }

  public var workoutCount = 0
  public var setCount = 0
  public var reps = 0
  /// Kilograms lifted in all: weight times reps.
  public var volume = 0.0
  /// The set with the highest estimated one-rep maximum; without weights, that of the most reps.
  public var bestSet: Record?
  /// The heaviest set.
  public var heaviestSet: Record?
  /// Kilograms; of ``bestSet``, by ``oneRepMaximum(weight:reps:)``.
  public var oneRepMaximum: Double?
  /// In order of time; sets without a date are not in it.
  public var trend: [TrendPoint] = []
  /// Kilograms of one-rep maximum gained each week, by least squares over ``trend``; nil for less
  /// than two days with weights.
  public var oneRepMaximumPerWeek: Double?

  /// What one could lift once, estimated from a set: Epley (1985), weight · (1 + reps / 30), and
  /// the weight itself for a single rep.
  ///
  /// - Returns: Nil where it says nothing: no weight, no reps, or more than 30 of them, which tell
  ///   of endurance rather than strength.
  public static func oneRepMaximum(weight: Double, reps: Int) -> Double? {
    guard weight > 0, (1...30).contains(reps) else { return nil }
    return reps == 1 ? weight : weight * (1 + Double(reps) / 30)
  }
}

extension ExerciseStatistics {
  /// A set as the statistics read it.
  struct Item {
    var set: HistorySetRow.ID
    var workout: HistoryWorkoutRow.ID
    var reps: Int?
    var weight: Double?
    /// Seconds since 1970.
    var date: Double?
  }

  /// Adds sets one by one; ``finish()`` when all have been.
  struct Accumulator {
    private var statistics = ExerciseStatistics()
    private var workouts = Set<HistoryWorkoutRow.ID>()
    private var days: [Int: TrendPoint] = [:]
    private var bestRank = (-1.0, -1)

    mutating func add(_ item: Item) {
      let reps = item.reps ?? 0
      let weight = item.weight ?? 0
      let maximum = ExerciseStatistics.oneRepMaximum(weight: weight, reps: reps)
      let volume = weight * Double(reps)
      workouts.insert(item.workout)
      statistics.setCount += 1
      // A store may hold any number.
      let (sum, isBeyond) = statistics.reps.addingReportingOverflow(reps)
      statistics.reps = isBeyond ? .max : sum
      statistics.volume += volume
      let record = Record(
        set: item.set, reps: reps, weight: weight,
        date: item.date.map(Date.init(timeIntervalSince1970:)))
      if reps > 0 {
        let rank = (maximum ?? 0, reps)
        if rank > bestRank {
          bestRank = rank
          statistics.bestSet = record
          statistics.oneRepMaximum = maximum
        }
        if weight > 0,
          statistics.heaviestSet.map({ (weight, reps) > ($0.weight, $0.reps) }) ?? true
        {
          statistics.heaviestSet = record
        }
      }
      guard let date = item.date,
        let day = Int(exactly: ((date + Self.zoneOffset(at: date)) / 86_400).rounded(.down))
      else { return }
      var point = days[day] ?? TrendPoint(day: day, setCount: 0, volume: 0)
      point.setCount += 1
      point.volume += volume
      if let maximum { point.oneRepMaximum = max(point.oneRepMaximum ?? 0, maximum) }
      days[day] = point
    }

    private static func zoneOffset(at unixTime: Double) -> Double {
      Double(TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: unixTime)))
    }

    func finish() -> ExerciseStatistics {
      var result = statistics
      result.workoutCount = workouts.count
      result.trend = days.values.sorted { $0.day < $1.day }
      result.oneRepMaximumPerWeek = Self.slope(result.trend).map { $0 * 7 }
      return result
    }

    /// Of the one-rep maximum, a day.
    private static func slope(_ trend: [TrendPoint]) -> Double? {
      let points = trend.compactMap { point in
        point.oneRepMaximum.map { (x: Double(point.day), y: $0) }
      }
      guard points.count >= 2 else { return nil }
      let count = Double(points.count)
      let meanX = points.reduce(0) { $0 + $1.x } / count
      let meanY = points.reduce(0) { $0 + $1.y } / count
      let xx = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
      let xy = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
      return xx > 0 ? xy / xx : nil
    }
  }
}
