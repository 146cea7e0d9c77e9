import Motion

/// One set whose begin and end the caller declares: it is counted along like any other, and finalized as
/// a whole when it is over.
///
/// The final answer rests on the set's frames alone, so that it is the same whether or not someone
/// counted along.
struct DeclaredSet: Sendable, Codable {
  private let shared: SharedConfiguration
  private var configuration: DetectorConfiguration { shared.value }
  private var buffer = FrameStore()
  /// Absent where nobody wants to count along.
  private var counter: DeclaredCounter?
  private var isResting = false
  /// Of the set's first sample, s.
  private var firstTime: Double?

  /// Bytes that are held for the set: its frames.
  var setByteCount: Int { buffer.byteCount + (counter?.setByteCount ?? 0) }

  init(configuration: DetectorConfiguration, isFollowed: Bool) {
    // The caller declares what belongs together.
    var single = configuration
    single.longestRestWithinSetSeconds = 0
    shared = SharedConfiguration(single)
    counter = isFollowed ? DeclaredCounter(shared) : nil
  }

  /// Takes note of a batch before its frames come. The set starts with its first sample.
  mutating func noteStart(of samples: MotionBatch, _ emit: (DetectionEvent) -> Void) {
    guard firstTime == nil else { return }
    let secondsPerUnit = 1 / samples.units.unitsPerStandardUnit(of: .time)
    firstTime = samples.withColumn(.time) { times in
      times.lazy.map { $0 * secondsPerUnit }.first(where: FrontEnd.isTime)
    }
    if let firstTime {
      emit(.setStarted(time: firstTime, start: firstTime, cause: .declared))
    }
  }

  mutating func append(_ frame: TimedFrame, _ emit: (DetectionEvent) -> Void) {
    guard !frame.isRest else {
      // A bout does not go on across a rest that the caller knows of.
      if !isResting { counter?.endBout(at: frame.arrival, emit) }
      isResting = true
      return
    }
    var next = frame
    if isResting, buffer.count > 0 { next.startsAfterBreak = true }
    isResting = false
    buffer.append(frame)
    counter?.append(next, emit)
  }

  /// Nobody counts along any more.
  mutating func stopFollowing() {
    counter = nil
  }

  /// The set is over: reports what was not reported yet, and the final answer.
  ///
  /// - Parameter lastTime: of its last sample, s; nil where there is none.
  mutating func finish(at lastTime: Double?, _ emit: (DetectionEvent) -> Void) {
    let time = lastTime ?? 0
    if firstTime == nil { emit(.setStarted(time: time, start: time, cause: .declared)) }
    let set = finalizedSet(at: lastTime)
    let change = CountChange(
      from: counter?.count ?? 0, until: counter?.lastEnd ?? -.infinity, to: set.reps)
    if let count = change.correction { emit(.repCorrected(time: time, count: count)) }
    for (number, rep) in change.announcements(of: set.reps) {
      emit(.rep(time: time, count: number, rep: rep))
    }
    counter?.phase.enter(.rest, at: time, emit)
    for partial in set.partialReps
    where counter?.hasAnnounced(partial) != true {
      emit(.partialRep(time: time, rep: partial))
    }
    emit(.setEnded(time: time, set: set))
  }

  /// The whole set segmented as one. Without a rep its start and end are those of the samples.
  func finalizedSet(at lastTime: Double?) -> CountedSet {
    let whole = whole()
    if let run = whole.run, whole.rejection == nil {
      return run.counted(cause: .declared, configuration: configuration)
    }
    return CountedSet(
      cause: .declared, start: firstTime ?? 0, end: lastTime ?? 0, reps: [], confidence: 0)
  }

  /// Why no rep was found; nil where there is one.
  func rejection(at lastTime: Double?) -> CandidateRejection? {
    whole().rejection.map {
      CandidateRejection(
        subject: .declaredSet, reason: $0, start: firstTime ?? 0, end: lastTime ?? 0,
        periodSeconds: 0)
    }
  }

  private func whole() -> (run: RepRun?, rejection: CandidateRejection.Reason?) {
    let window = WindowSegmentations(buffer[0..<buffer.count], configuration: configuration)
    guard
      let segmentation = FinalSegmentation(window, isDeclared: true),
      let run = RepRun.whole(segmentation, configuration: configuration)
    else { return (nil, .noSegmentation) }
    // Where the clock was set back, the times of the first rep and the last do not say which frames are meant.
    let rows = buffer.rows(from: run.start, to: run.end) ?? 0..<buffer.count
    let frames = buffer.frames(rows)[...]
    // However alike its parts: similarity compares noise with noise.
    let activity = MovementActivity.of(frames, configuration)
    return (
      run,
      activity < configuration.leastActivity
        ? .motionless(share: Double(activity), needed: Double(configuration.leastActivity)) : nil
    )
  }
}
