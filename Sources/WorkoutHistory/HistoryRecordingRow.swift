import Motion

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording as listed. Reading it does not touch timelines.
public struct HistoryRecordingRow: Sendable, Hashable, Identifiable {
  /// The row number.
  public typealias ID = RowID<HistoryRecordingRow>
  /// The permanent key: its set's id, or else the digest of its samples in hexadecimal digits.
  public typealias Key = RecordKey<HistoryRecordingRow>

  public var id: ID
  public var key: Key
  /// The name under which the recording was processed last.
  public var name: String
  public var sessionId: HistoryWorkoutRow.Key?
  public var sampleCount: Int
  /// Compressed size of its segments' timelines, in bytes.
  public var byteCount: Int
  public var setCount: Int
  public var clock: MotionClock
  /// Date of the first sample; nil if the source gave none.
  public var startTime: Date?
  /// Time from the first sample to the last, in seconds.
  public var duration: Double
  public var isLossless: Bool
}
