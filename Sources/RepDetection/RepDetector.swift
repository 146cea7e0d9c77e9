@_exported import Motion  // One import suffices on a watch.
import MotionFrames

/// Detects sets and counts reps in a running signal.
///
/// The detector is a value: a copy made in mid-stream continues independently. It is causal, and its memory
/// is bounded: about thirty seconds of signal, and the set under way.
///
/// It detects sets by itself, or the caller declares one with ``beginSet(hints:onEvent:)`` and
/// ``endSet(onEvent:)``. A declared set emits exactly one `setStarted` and one `setEnded`, even if it has no
/// reps. Its final answer equals that of ``countSet(in:phases:configuration:)`` for the samples between the
/// two calls.
public struct RepDetector: Sendable {
  let shared: SharedConfiguration
  private var configuration: DetectorConfiguration { shared.value }
  /// True to search for sets while none is declared.
  let findsSets: Bool
  @Boxed var frontEnd: FrontEnd
  @Boxed var finder: SetFinder
  @Boxed var declared: DeclaredSet?
}

extension RepDetector {
  /// - Parameter findsSets: Whether to search for sets while none is declared. In a stream with declared sets
  ///   there are no others.
  public init(
    configuration: DetectorConfiguration = DetectorConfiguration(), findsSets: Bool = true
  ) {
    let shared = SharedConfiguration(configuration)
    self.init(
      shared: shared, findsSets: findsSets, frontEnd: FrontEnd(shared.value.frontEnd),
      finder: SetFinder(shared))
  }

  /// True while a declared set is under way.
  public var isInDeclaredSet: Bool { declared != nil }

  /// The announced state of the declared set; nil if none is declared.
  package var announced: AnnouncedSet? { declared?.announced }

  /// Approximate number of bytes held for the frames of the set under way: 21 for each of 25 frames a second,
  /// twice that in a declared set that is counted live. The detector holds at most 64 KiB besides.
  public var approximateSetByteCount: Int { declared?.setByteCount ?? finder.setByteCount }

  /// Declares a set that begins with the next sample. Finalizes any set under way, and drops the signal
  /// before it.
  ///
  /// `setStarted` is emitted with the set's first sample, or with `setEnded` if there is none.
  ///
  /// - Parameter hints: Hints for this set; nil for those of the configuration.
  public mutating func beginSet(hints: SetHints? = nil, onEvent: (DetectionEvent) -> Void) {
    finish(onEvent: onEvent)
    beginSet(hints: hints, isFollowed: true)
  }

  /// - Parameter isFollowed: Whether to count live.
  mutating func beginSet(hints: SetHints?, isFollowed: Bool) {
    var own = configuration
    if let hints { own.hints = hints }
    declared = DeclaredSet(configuration: own, isFollowed: isFollowed)
  }

  /// Ends the declared set with the last sample, and finalizes it. Does nothing if none is declared.
  /// Afterwards the detector searches for sets again, from scratch.
  ///
  /// The final answer counts the set's samples as if they had come at once. Additional reps after all
  /// announced ones are emitted as `rep` before `setEnded`; any other difference as one `repCorrected`.
  public mutating func endSet(onEvent: (DetectionEvent) -> Void) {
    guard declared != nil else { return }
    finish(onEvent: onEvent)
  }

  /// Returns the declared set as ``endSet(onEvent:)`` would finalize it now; nil if none is declared. The set
  /// remains under way.
  package func finalizedSet() -> CountedSet? {
    guard var set = declared else { return nil }
    set.stopFollowing()
    var rest = frontEnd
    var frames: [TimedFrame] = []
    rest.finish(into: &frames)
    var ignored: [DetectionEvent] = []
    set.append(frames, into: &ignored)
    return set.finalizedSet(at: frontEnd.newestTime)
  }

  /// Appends samples, in order of time. The result does not depend on how a recording is divided into
  /// batches.
  ///
  /// - Parameters:
  ///   - samples: Samples in any units. Those older than the newest are dropped; values that are not finite
  ///     or beyond a sensor's range count as not measured.
  ///   - phase: The wearer's phase during these samples, if known. Samples of phase `rest` are not part of a
  ///     declared set.
  ///   - onEvent: Called for each resulting event, in order.
  public mutating func append(
    _ samples: MotionBatch, phase: WorkoutPhase? = nil, onEvent: (DetectionEvent) -> Void
  ) {
    var events: [DetectionEvent] = []
    append(samples, phase: phase, into: &events)
    events.forEach(onEvent)
  }

  /// Appends one sample. Batches of half a second or more cost less.
  public mutating func append(
    _ sample: MotionSample, phase: WorkoutPhase? = nil, onEvent: (DetectionEvent) -> Void
  ) {
    append(MotionBatch(sample), phase: phase, onEvent: onEvent)
  }

  /// Appends rows of a batch; all if nil.
  mutating func append(
    _ samples: MotionBatch, rows: Range<Int>? = nil, phase: WorkoutPhase? = nil,
    into events: inout [DetectionEvent]
  ) {
    declared?.noteStart(of: samples, into: &events)
    guard declared != nil || findsSets else { return }
    var frames: [TimedFrame] = []
    let rows = rows ?? 0..<samples.count
    // Usually a frame for every second sample.
    frames.reserveCapacity(min(rows.count, 1024) / 2 + 1)
    // Append in parts, so that a recording in one batch is not copied as a whole.
    for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 1024) {
      frames.removeAll(keepingCapacity: true)
      frontEnd.append(
        samples, rows: row..<min(row + 1024, rows.upperBound), phase: phase, into: &frames)
      process(frames, into: &events)
    }
  }

  /// Ends the signal: finalizes the set under way, declared or detected, and resets the detector.
  public mutating func finish(onEvent: (DetectionEvent) -> Void) {
    var events: [DetectionEvent] = []
    finish(into: &events)
    events.forEach(onEvent)
  }

  /// Finishes like ``finish(onEvent:)`` and returns the rejected candidates, if diagnosis is on.
  @discardableResult
  mutating func finish(into events: inout [DetectionEvent]) -> RejectionLog {
    var frames: [TimedFrame] = []
    frontEnd.finish(into: &frames)
    process(frames, into: &events)
    let time = frontEnd.newestTime
    if let set = declared {
      declared?.finish(at: time, into: &events)
      if finder.log != nil {
        for rejection in set.rejections(at: time) { finder.log?.note(rejection) }
      }
    } else {
      finder.finish(into: &events)
    }
    let log = finder.log ?? RejectionLog()
    reset()
    return log
  }

  /// Resets the detector without emitting events.
  public mutating func reset() {
    declared = nil
    frontEnd = FrontEnd(shared.value.frontEnd)
    finder = SetFinder(shared)
  }

  private mutating func process(_ frames: [TimedFrame], into events: inout [DetectionEvent]) {
    if declared != nil {
      declared?.append(frames, into: &events)
    } else {
      finder.append(frames, into: &events)
    }
  }
}
