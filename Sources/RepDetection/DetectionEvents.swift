import Motion

/// The events that a detector emits for a sequence of samples.
///
/// Lazy: nothing runs until an event is requested. Every loop over the sequence has its own detector. When
/// the samples end, the set under way is finalized.
public struct DetectionEvents<Samples: AsyncSequence>: AsyncSequence
where Samples.Element == MotionBatch {
  public typealias Element = DetectionEvent
  public typealias Failure = Samples.Failure

  private let samples: Samples
  private let detector: RepDetector

  /// - Parameters:
  ///   - samples: Batches in order of time.
  ///   - detector: The detector in its initial state.
  public init(_ samples: Samples, detector: RepDetector = RepDetector()) {
    self.samples = samples
    self.detector = detector
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(samples: samples.makeAsyncIterator(), detector: detector)
  }

  public struct Iterator: AsyncIteratorProtocol {
    private var samples: Samples.AsyncIterator
    private var detector: RepDetector
    /// Pending events in reverse order.
    private var pending: [DetectionEvent] = []
    private var isAtEnd = false

    fileprivate init(samples: Samples.AsyncIterator, detector: RepDetector) {
      self.samples = samples
      self.detector = detector
    }

    public mutating func next() async throws -> DetectionEvent? {
      try await next(isolation: nil)
    }

    /// Returns the next event, waiting for samples if none is pending.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Samples.Failure) -> DetectionEvent? {
      while pending.isEmpty, !isAtEnd {
        var events: [DetectionEvent] = []
        if let batch = try await samples.next(isolation: actor) {
          detector.append(batch, into: &events)
        } else {
          isAtEnd = true
          detector.finish(into: &events)
        }
        pending = events.reversed()
      }
      return pending.popLast()
    }
  }
}

extension DetectionEvents: Sendable where Samples: Sendable {}
