/// The result of ``HistoryStore/verify()``.
package struct VerificationReport: Sendable {
  package struct Problem: Sendable, Hashable {
    /// The damaged recording; nil for the database as a whole.
    package var recordingId: HistoryRecordingRow.ID?
    /// The damaged set; nil for rest or the recording as a whole.
    package var setKey: HistorySetRow.Key?
    package var description: String
    /// Number of intact samples in the damaged timeline.
    package var recoverableSamples: Int?
    package var lostSamples: Int?
  }

  package var problems: [Problem] = []
  package var recordingCount = 0
  package var setCount = 0
  /// Number of timelines that were read and decoded completely.
  package var intactTimelineCount = 0
  package var timelineCount = 0
  package var sampleCount = 0
  /// Compressed size of all timelines, in bytes.
  package var byteCount = 0
  /// Decoded size of all decoded timelines, in bytes.
  var decodedByteCount = 0

  package var isIntact: Bool { problems.isEmpty }
}
