/// The result of ``HistoryStore/verify()``.
package struct VerificationReport: Sendable {
  package struct Problem: Sendable, Hashable {
    /// The damaged recording; nil for the database as a whole.
    package var recordingId: HistoryRecordingRow.ID?
    package var setKey: HistorySetRow.Key?
    package var description: String
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
  var decodedByteCount = 0

  package var isIntact: Bool { problems.isEmpty }

  mutating func add(_ description: String, recording: HistoryRecordingRow.ID? = nil) {
    problems.append(Problem(recordingId: recording, description: description))
  }
}
