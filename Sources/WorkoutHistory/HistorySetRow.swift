import Motion

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A set as lists show it. Reading it touches no timeline.
public struct HistorySetRow: Sendable, Hashable, Identifiable {
  /// The number of its row.
  public typealias ID = RowID<HistorySetRow>
  /// The name for ever: the id that its source gave it, or else its recording's digest and its position.
  /// Two sessions may each have a set of that name; where a set is asked for, `SESSION/KEY` says which.
  public typealias Key = RecordKey<HistorySetRow>

  /// Its place in the list of all sets, from 1.
  public var number: Int
  public var id: ID
  /// The owner's row.
  public var user: HistoryUser.ID
  /// The name by which it can be asked for: its id, or the recording's digest and its position.
  public var key: Key
  /// The name among the sets of its owner: ``key``, or `SESSION/KEY`.
  public var globalKey: Key
  /// The id that its source gave it.
  public var setId: Key?
  public var sessionId: HistoryWorkoutRow.Key?
  public var exerciseId: HistoryExerciseRow.Key?
  public var exerciseName: String?
  public var recordingId: HistoryRecordingRow.ID?
  public var recordingName: String?
  /// From 1, in its recording. Nil where today's detector no longer finds it there.
  public var position: Int?
  /// From 0, in its exercise.
  public var order: Int
  public var cause: SetCause
  /// The machine's count; nil where no machine counted.
  public var detectedReps: Int?
  /// The person's.
  public var correctedReps: Int?
  /// The count in the recording's label, such as its file name.
  public var labelledReps: Int?
  public var targetReps: Int?
  /// The probability that ``detectedReps`` is exactly right, 0 to 1.
  public var confidence: Double?
  /// Kilograms.
  public var weight: Double?
  /// A person's remarks.
  public var notes: String?
  /// Nil where the source gave no date.
  public var startTime: Date?
  /// Nil where the source gave no date.
  public var endTime: Date?
  /// Seconds on the samples' clock.
  public var clockStart: Double?
  /// Seconds on the samples' clock.
  public var clockEnd: Double?
  /// Seconds from its end to the next set of its recording.
  public var restTime: Double?
  /// The detector that counted, with its version.
  public var detector: String
  /// Of its timeline.
  public var sampleCount: Int
  /// Of its timeline, compressed.
  public var byteCount: Int

  /// The person's count where there is one, else the machine's; 0 where nobody counted.
  public var reps: Int { correctedReps ?? detectedReps ?? 0 }
}
