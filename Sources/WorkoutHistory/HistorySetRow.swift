import Motion

/// A set in a list. Timelines are not read.
public struct HistorySetRow: Sendable, Hashable, Identifiable {
  public typealias ID = RowID<HistorySetRow>
  /// The source's id of the set, or else its recording's digest and its position. Sets of two sessions may
  /// have equal keys; lookups accept `SESSION/KEY`.
  public typealias Key = RecordKey<HistorySetRow>

  /// The position in the list of all sets, from 1.
  package var number: Int
  public var id: ID
  public var user: HistoryUser.ID
  public var key: Key
  /// The unique key among the owner's sets: ``key`` or `SESSION/KEY`.
  package var globalKey: Key
  package var setId: Key?
  public var sessionId: HistoryWorkoutRow.Key?
  public var exerciseId: HistoryExerciseRow.Key?
  public var exerciseName: String?
  public var recordingId: HistoryRecordingRow.ID?
  package var recordingName: String?
  /// The position in its recording, from 1. Nil if the current detector no longer finds the set there.
  package var position: Int?
  package var order: Int
  package var cause: SetCause
  /// The detector's count; nil if no detector counted the set.
  public var detectedReps: Int?
  public var correctedReps: Int?
  /// The count in the recording's label, such as its file name.
  package var labelledReps: Int?
  public var targetReps: Int?
  /// Probability that ``detectedReps`` is exactly right, 0 to 1.
  public var confidence: Double?
  /// The weight, in kilograms.
  public var weight: Double?
  public var notes: String?
  /// Nil if the source gave no date.
  public var startTime: Date?
  /// Nil if the source gave no date.
  public var endTime: Date?
  /// Start of the set, in seconds on the samples' clock.
  package var clockStart: Double?
  package var clockEnd: Double?
  /// Time from the set's end to the next set of its recording, in seconds.
  package var restTime: Double?
  /// The detector that counted the set, with its version.
  package var detector: String
  public var isActive: Bool
  public var sampleCount: Int
  package var byteCount: Int

  /// The corrected count, or else the detected one; 0 if there is neither.
  public var reps: Int { correctedReps ?? detectedReps ?? 0 }
}
