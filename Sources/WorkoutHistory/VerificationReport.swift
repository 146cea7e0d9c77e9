/// The result of ``HistoryStore/verify()``.
public struct VerificationReport: Sendable {
  public struct Problem: Sendable, Hashable {
    /// The damaged recording; nil for the database as a whole.
    public var recordingId: HistoryRecordingRow.ID?
    /// The damaged set; nil for rest or the recording as a whole.
    public var setKey: HistorySetRow.Key?
    public var description: String
    /// Number of intact samples in the damaged timeline.
    public var recoverableSamples: Int?
    public var lostSamples: Int?
  }

  public var problems: [Problem] = []
  public var recordingCount = 0
  public var setCount = 0
  /// Number of timelines that were read and decoded completely.
  public var intactTimelineCount = 0
  public var timelineCount = 0
  public var sampleCount = 0
  /// Compressed size of all timelines, in bytes.
  public var byteCount = 0
  /// Decoded size of all decoded timelines, in bytes.
  var decodedByteCount = 0

  public var isIntact: Bool { problems.isEmpty }
}
