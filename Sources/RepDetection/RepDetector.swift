import Motion

/// Finds sets and counts reps in a running signal.
///
/// A value: a copy taken in mid-stream goes on from there on its own. Causal, and its memory is
/// bounded: about thirty seconds of signal, and the set under way.
public struct RepDetector: Sendable {
  private let configuration: DetectorConfiguration
  private var frontEnd: FrontEnd
  private var finder: SetFinder
  private var newestTime = 0.0

  public init(configuration: DetectorConfiguration = DetectorConfiguration()) {
    self.configuration = configuration
    frontEnd = FrontEnd(configuration: configuration)
    finder = SetFinder(configuration: configuration)
  }

  /// Takes the next samples, in order of time. How a recording is cut into batches makes no
  /// difference.
  ///
  /// - Parameters:
  ///   - samples: in any units. Samples with a time before the newest are dropped; values that
  ///     are not finite or beyond a sensor's range count as not measured.
  ///   - phase: what the caller knows of the wearer during these samples.
  ///   - onEvent: called for everything that these samples led to, in order.
  public mutating func append(
    _ samples: MotionBatch, phase: WorkoutPhase? = nil, onEvent: (DetectionEvent) -> Void
  ) {
    append(samples, phaseOfRow: { _ in phase }, onEvent: onEvent)
  }

  mutating func append(
    _ samples: MotionBatch, phaseOfRow: (Int) -> WorkoutPhase?,
    onEvent: (DetectionEvent) -> Void
  ) {
    var finder = finder
    var newest = newestTime
    frontEnd.append(samples, phase: phaseOfRow) { frame in
      newest = frame.time
      Self.report(finder.append(frame), at: newest, onEvent)
    }
    self.finder = finder
    newestTime = newest
  }

  /// The end of the signal: settles the set under way.
  public mutating func finish(onEvent: (DetectionEvent) -> Void) {
    var finder = finder
    var newest = newestTime
    frontEnd.finish { frame in
      newest = frame.time
      Self.report(finder.append(frame), at: newest, onEvent)
    }
    Self.report(finder.finish(), at: newest, onEvent)
    self.finder = finder
    newestTime = newest
  }

  private static func report(
    _ outcome: SetFinder.Outcome, at time: Double, _ onEvent: (DetectionEvent) -> Void
  ) {
    switch outcome {
    case .none: break
    case .started(let start):
      onEvent(.setStarted(time: time, start: start))
    case .ended(let runs):
      if runs.isEmpty { onEvent(.setCancelled(time: time)) }
      for run in runs { onEvent(.setEnded(time: time, set: run.counted(cause: .detected))) }
    }
  }
}
