import Motion
import RepDetection

extension RepDetector {
  /// All events of a recording that comes in batches of `chunk` samples.
  static func events(
    of samples: MotionBatch, chunk: Int, _ configuration: DetectorConfiguration = .init()
  ) -> [DetectionEvent] {
    var detector = RepDetector(configuration: configuration)
    var events: [DetectionEvent] = []
    for start in stride(from: 0, to: samples.count, by: chunk) {
      detector.append(samples[start..<min(start + chunk, samples.count)]) { events.append($0) }
    }
    detector.finish { events.append($0) }
    return events
  }
}
