import Motion

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording as lists show it. Reading it touches no timeline.
public struct HistoryRecordingRow: Sendable, Hashable, Identifiable {
  /// The number of its row.
  public typealias ID = RowID<HistoryRecordingRow>
  /// The name for ever: its set's id, or else its samples' digest in hexadecimal digits.
  public typealias Key = RecordKey<HistoryRecordingRow>

  public var id: ID
  public var key: Key
  /// The name under which it was processed last.
  public var name: String
  public var sessionId: HistoryWorkoutRow.Key?
  public var sampleCount: Int
  /// Its segments' timelines, compressed.
  public var byteCount: Int
  public var setCount: Int
  public var clock: MotionClock
  /// Of the first sample; nil where the source gave no date.
  public var startTime: Date?
  /// Seconds from the first sample to the last.
  public var duration: Double
  public var isLossless: Bool
}
