/// What ``HistoryStore/verify()`` has found.
public struct VerificationReport: Sendable {
  public struct Problem: Sendable, Hashable {
    /// The recording it concerns, nil for the database as a whole.
    public var recordingId: HistoryRecordingRow.ID?
    /// The set it concerns, nil for rest or the recording as a whole.
    public var setKey: HistorySetRow.Key?
    public var description: String
    /// Samples that are intact in the damaged timeline, and those that are lost.
    public var recoverableSamples: Int?
    public var lostSamples: Int?
  }

  public var problems: [Problem] = []
  public var recordingCount = 0
  public var setCount = 0
  /// Timelines that were read and decoded completely.
  public var intactTimelineCount = 0
  public var timelineCount = 0
  public var sampleCount = 0
  /// Of all timelines, compressed.
  public var byteCount = 0
  /// Of all timelines that were decoded.
  var decodedByteCount = 0

  public var isIntact: Bool { problems.isEmpty }
}
