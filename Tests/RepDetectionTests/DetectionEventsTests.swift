import Motion
import RepDetection
import TestSupport
import Testing

/// All ways of passing samples to a detector give the same events.
@Suite struct DetectionEventsTests {
  private let samples = SyntheticMotion.curls(reps: 8, restSeconds: 20).samples

  private func events() -> [DetectionEvent] {
    var detector = RepDetector()
    var events: [DetectionEvent] = []
    detector.append(samples) { events.append($0) }
    detector.finish { events.append($0) }
    return events
  }

  @Test func asyncSequenceEqualsTheDetector() async {
    let samples = samples
    let batches = AsyncStream<MotionBatch> { continuation in
      for start in stride(from: 0, to: samples.count, by: 100) {
        continuation.yield(samples[start..<min(start + 100, samples.count)])
      }
      continuation.finish()
    }
    var found: [DetectionEvent] = []
    for await event in DetectionEvents(batches) { found.append(event) }
    #expect(found == events())
    #expect(found.contains { if case .setEnded = $0 { true } else { false } })
  }

  @Test func singleSamplesEqualABatch() {
    func vector(_ quantity: MotionQuantity, _ row: Int) -> SIMD3<Double>? {
      guard samples.has(quantity) else { return nil }
      let values = quantity.channels.map { samples[$0][row] }
      return SIMD3(values[0], values[1], values[2])
    }
    var detector = RepDetector()
    var found: [DetectionEvent] = []
    for row in 0..<samples.count {
      let sample = MotionSample(
        time: samples.times[row], userAcceleration: vector(.userAcceleration, row),
        rotationRate: vector(.rotationRate, row), gravity: vector(.gravity, row),
        totalAcceleration: vector(.totalAcceleration, row))
      detector.append(sample) { found.append($0) }
    }
    detector.finish { found.append($0) }
    #expect(found == events())
  }
}
