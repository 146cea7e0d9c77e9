import Foundation
import Motion
import WorkoutHistory

/// A set in a ``GymStore``: its count, and what a person adds to it.
///
/// ```swift
/// var set = GymSet(counted, samples: samples, person: "ana", date: .now)
/// set.exercise = "Curl"
/// set.weight = 12.5
/// try store.save(set)
/// ```
public struct GymSet: Sendable, Identifiable {
  /// The set's id, the same in every copy of the store.
  public let id: String
  /// The name of the person; nil for the owner of the store.
  public let person: String?
  /// The start of the first rep; nil if unknown.
  public var date: Date?
  /// The name of the exercise; nil if unknown.
  public var exercise: String?
  /// The weight, in kilograms.
  public var weight: Double?
  /// Remarks, at most 500 characters.
  public var notes: String?
  /// A person's correction of ``countedReps``; nil without one.
  public var correctedReps: Int?
  /// Number of reps that were counted in the samples.
  public let countedReps: Int
  /// Probability that ``countedReps`` is exactly right, 0 to 1; nil if nothing was counted.
  public let confidence: Double?
  /// Time from the start of the first rep to the end of the last, in seconds.
  public let duration: Double?
  /// The counter's result; nil for a set from a store.
  let counted: CountedSet?
  let samples: MotionBatch

  /// Creates a set.
  ///
  /// - Parameters:
  ///   - counted: The set that a `RepDetector` counted.
  ///   - samples: The samples of the set, in order of time. A few seconds on both sides may be included.
  ///   - person: The name of the person; nil for the owner of the store.
  ///   - date: The start of the first rep. Not needed if the samples' clock is `unix`.
  ///   - id: Saving another set with the same id replaces this one.
  public init(
    _ counted: CountedSet, samples: MotionBatch, person: String? = nil, date: Date? = nil,
    id: String = UUID().uuidString
  ) {
    self.id = id
    self.person = person
    self.date =
      samples.clock == .unix ? Date(timeIntervalSince1970: counted.start) : date
    countedReps = counted.reps.count
    confidence = counted.confidence
    duration = counted.end - counted.start
    self.counted = counted
    self.samples = samples
  }

  init(_ row: HistorySetRow, person: String?) {
    id = row.globalKey.rawValue
    self.person = person
    date = row.startTime
    exercise = row.exerciseName ?? row.exerciseId?.rawValue
    weight = row.weight
    notes = row.notes
    correctedReps = row.correctedReps
    countedReps = row.detectedReps ?? 0
    confidence = row.confidence
    duration = row.clockStart.flatMap { start in row.clockEnd.map { $0 - start } }
    counted = nil
    samples = MotionBatch()
  }

  /// Number of reps: the correction if there is one, else the count.
  public var reps: Int { correctedReps ?? countedReps }
}
