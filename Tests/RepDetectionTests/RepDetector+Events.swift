import Motion
import RepDetection
import Testing

extension RepDetector {
  /// Returns all events of a recording that is passed in batches of `chunk` samples.
  static func events(
    of samples: MotionBatch, chunk: Int? = nil, isDeclared: Bool = false,
    _ configuration: DetectorConfiguration = .init()
  ) -> [DetectionEvent] {
    var detector = RepDetector(configuration: configuration)
    return detector.events(of: samples, chunk: chunk, isDeclared: isDeclared)
  }

  mutating func events(
    of samples: MotionBatch, chunk: Int? = nil, isDeclared: Bool = false
  ) -> [DetectionEvent] {
    var events: [DetectionEvent] = []
    if isDeclared { beginSet { events.append($0) } }
    for batch in samples.batches(of: chunk ?? max(samples.count, 1)) {
      append(batch) { events.append($0) }
    }
    finish { events.append($0) }
    return events
  }
}

extension MotionBatch {
  func batches(of count: Int) -> [MotionBatch] {
    stride(from: 0, to: self.count, by: count).map { self[$0..<min($0 + count, self.count)] }
  }
}

/// Expects that times never decrease; that reps, corrections and phases lie within sets, one at a time; and
/// that the last reported count is that of the final set.
func expectOrder(
  of all: [DetectionEvent], sourceLocation: SourceLocation = #_sourceLocation
) {
  func expect(_ holds: Bool, _ event: DetectionEvent) {
    #expect(holds, "\(event)", sourceLocation: sourceLocation)
  }
  var last = -Double.infinity
  var isStarted = false
  var count = 0
  var phase = WorkoutPhase.rest
  for event in all {
    expect(event.time >= last, event)
    last = event.time
    switch event {
    case .setStarted:
      expect(!isStarted, event)
      isStarted = true
      count = 0
    case .setEnded, .setCancelled:
      expect(isStarted && phase == .rest, event)
      if case .setEnded(_, let set) = event { expect(set.reps.count == count, event) }
      isStarted = false
    case .phase(_, let from, let to):
      expect(isStarted && from == phase && to != from, event)
      phase = to
    case .rep(let time, let next, let rep):
      expect(isStarted && phase == .execution && next == count + 1, event)
      count = next
      expect(rep.end <= time && rep.start <= rep.end, event)
    case .repCorrected(_, let next):
      expect(isStarted && next != count, event)
      count = next
    case .partialRep: expect(isStarted, event)
    }
  }
  #expect(!isStarted, sourceLocation: sourceLocation)
}
