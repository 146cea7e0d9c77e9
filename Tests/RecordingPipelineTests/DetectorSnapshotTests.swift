import Motion
import MotionSynthesis
import RecordingPipeline
import RepDetection
import TestSupport
import Testing

struct DetectorSnapshotTests {
  /// Restoring from a snapshot after every 1 to 200 samples gives the same events for every fixture.
  @Test(arguments: [true, false])
  func restoringAfterEveryBatchKeepsTheEvents(isDeclared: Bool) async throws {
    var parts: [(name: String, samples: MotionBatch)] = []
    try await ProcessingPipeline().run(paths: [fixtureRecordings.path]) { outcome in
      guard case .recording(let recording) = outcome else { return }
      parts += recording.parts.map { (recording.name, $0.recording.samples) }
    }
    #expect(parts.count > 15)
    var random = RandomSource(seed: isDeclared ? 7 : 8)
    for (name, samples) in parts {
      let whole = try events(of: samples, isDeclared: isDeclared) { samples.count }
      let cut = try events(of: samples, isDeclared: isDeclared) { 1 + Int(random.next() % 200) }
      #expect(cut == whole, "\(name)")
    }
  }

  /// Returns the events of a detector that is restored from a snapshot after each batch.
  private func events(
    of samples: MotionBatch, isDeclared: Bool, batchSize: () -> Int
  ) throws -> [DetectionEvent] {
    var detector = RepDetector()
    var events: [DetectionEvent] = []
    if isDeclared { detector.beginSet { events.append($0) } }
    var row = 0
    while row < samples.count {
      let next = min(row + batchSize(), samples.count)
      detector.append(samples[row..<next]) { events.append($0) }
      let snapshot = detector.snapshot()
      #expect(snapshot.count <= (96 << 10) + detector.approximateSetByteCount)
      detector = try RepDetector(snapshot: snapshot)
      row = next
    }
    detector.finish { events.append($0) }
    return events
  }
}
