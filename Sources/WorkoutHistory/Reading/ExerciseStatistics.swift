import Foundation
import SignalProcessing

public struct ExerciseStatistics: Sendable, Hashable {
  public struct Record: Sendable, Hashable {
    public var set: HistorySetRow.ID
    public var reps: Int
    /// The weight, in kilograms.
    public var weight: Double
    public var date: Date?
  }

  /// A day's totals and best, for charts.
  public struct TrendPoint: Sendable, Hashable {
    /// Days since 1970-01-01, in the machine's time zone.
    public var day: Int
    package var setCount: Int
    /// Total weight times reps, in kilograms.
    public var volume: Double
    /// The day's best estimated one-rep maximum, in kilograms; nil without weights.
    public var oneRepMaximum: Double?
  }

  public var workoutCount = 0
  public var setCount = 0
  public var reps = 0
  /// Total weight times reps, in kilograms.
  public var volume = 0.0
  /// The set with the highest estimated one-rep maximum; without weights, the set with the most reps.
  public var bestSet: Record?
  public var heaviestSet: Record?
  /// The one-rep maximum of ``bestSet``, in kilograms (``oneRepMaximum(weight:reps:)``).
  public var oneRepMaximum: Double?
  /// One point per day, in order of time. Sets without a date are omitted.
  public var trend: [TrendPoint] = []
  /// Weekly gain of the one-rep maximum, in kilograms, by least squares over ``trend``.
  package var oneRepMaximumPerWeek: Double?

  /// Returns the one-rep maximum estimated from a set: Epley (1985), weight · (1 + reps / 30). Nil without a weight or
  /// reps, or for more than 30 reps, which measure endurance rather than strength.
  public static func oneRepMaximum(weight: Double, reps: Int) -> Double? {
    guard weight > 0, (1...30).contains(reps) else { return nil }
    return reps == 1 ? weight : weight * (1 + Double(reps) / 30)
  }
}

extension ExerciseStatistics {
  struct Accumulator {
    private var statistics = ExerciseStatistics()
    private var workouts = Set<HistoryWorkoutRow.ID>()
    private var days: [Int: TrendPoint] = [:]
    private var bestRank = (-1.0, -1)

    /// - Parameter date: Seconds since 1970.
    mutating func add(
      set: HistorySetRow.ID, workout: HistoryWorkoutRow.ID, reps: Int, weight: Double, date: Double?
    ) {
      let maximum = ExerciseStatistics.oneRepMaximum(weight: weight, reps: reps)
      let volume = weight * Double(reps)
      workouts.insert(workout)
      statistics.setCount += 1
      // A store may contain arbitrary numbers.
      let (sum, isBeyond) = statistics.reps.addingReportingOverflow(reps)
      statistics.reps = isBeyond ? .max : sum
      statistics.volume += volume
      let record = Record(
        set: set, reps: reps, weight: weight, date: date.map(Date.init(timeIntervalSince1970:)))
      if reps > 0 {
        let rank = (maximum ?? 0, reps)
        if rank > bestRank {
          bestRank = rank
          statistics.bestSet = record
          statistics.oneRepMaximum = maximum
        }
        if weight > 0, statistics.heaviestSet.map({ (weight, reps) > ($0.weight, $0.reps) }) ?? true
        {
          statistics.heaviestSet = record
        }
      }
      func zoneOffset(_ time: Double) -> Double {
        Double(TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: time)))
      }
      guard let date,
        let day = Int(exactly: ((date + zoneOffset(date)) / 86_400).rounded(.down))
      else { return }
      var point = days[day] ?? TrendPoint(day: day, setCount: 0, volume: 0)
      point.setCount += 1
      point.volume += volume
      if let maximum { point.oneRepMaximum = max(point.oneRepMaximum ?? 0, maximum) }
      days[day] = point
    }

    func finish() -> ExerciseStatistics {
      var result = statistics
      result.workoutCount = workouts.count
      result.trend = days.values.sorted { $0.day < $1.day }
      let points = result.trend.compactMap { point in
        point.oneRepMaximum.map { (x: Double(point.day), y: $0) }
      }
      if points.count >= 2 {
        result.oneRepMaximumPerWeek = LeastSquaresLine(through: points).map { $0.slope * 7 }
      }
      return result
    }
  }
}
