import Motion

/// A recording in a list. Timelines are not read.
public struct HistoryRecordingRow: Sendable, Hashable {
  public typealias ID = RowID<HistoryRecordingRow>
  /// The permanent key: its set's id, or else the digest of its samples in hexadecimal digits.
  public typealias Key = RecordKey<HistoryRecordingRow>

  package var id: ID
  package var key: Key
  package var name: String
  package var sessionId: HistoryWorkoutRow.Key?
  package var sampleCount: Int
  /// Compressed size of its segments' timelines, in bytes.
  package var byteCount: Int
  package var setCount: Int
  package var clock: MotionClock
  /// Date of the first sample; nil if the source gave none.
  package var startTime: Date?
  package var duration: Double
  package var isLossless: Bool
}
