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
  /// The name of the set, the same in every copy of the store.
  public let id: String
  /// The name of the person who did it; nil for the owner of the store.
  public let person: String?
  /// The start of the first rep; nil if not known.
  public var date: Date?
  /// The name of the exercise; nil if not known.
  public var exercise: String?
  /// The weight, in kilograms.
  public var weight: Double?
  /// Remarks, at most 500 characters.
  public var notes: String?
  /// A person's count; nil as long as nobody corrects ``countedReps``.
  public var correctedReps: Int?
  /// The number of reps that were counted in the samples.
  public let countedReps: Int
  /// The probability that ``countedReps`` is exactly right, 0 to 1; nil if nothing was counted.
  public let confidence: Double?
  /// Seconds from the start of the first rep to the end of the last.
  public let duration: Double?
  /// The set as it was counted, if it does not come from a store.
  let counted: CountedSet?
  let samples: MotionBatch

  /// A new set.
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

  /// The number of reps: the person's count, else the counted one.
  public var reps: Int { correctedReps ?? countedReps }
}
