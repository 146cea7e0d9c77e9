import Motion

/// Finds sets and counts reps in a running signal.
///
/// A value: a copy taken in mid-stream goes on from there on its own. Causal, and its memory is
/// bounded: about thirty seconds of signal, and the set under way.
public struct RepDetector: Sendable {
  private var frontEnd: FrontEnd
  private var finder: SetFinder

  public init(configuration: DetectorConfiguration = DetectorConfiguration()) {
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
    var frames: [TimedFrame] = []
    frontEnd.append(samples, phase: phaseOfRow) { frames.append($0) }
    for frame in frames { finder.append(frame, onEvent) }
  }

  /// The end of the signal: settles the set under way.
  public mutating func finish(onEvent: (DetectionEvent) -> Void) {
    var frames: [TimedFrame] = []
    frontEnd.finish { frames.append($0) }
    for frame in frames { finder.append(frame, onEvent) }
    finder.finish(onEvent)
  }
}
