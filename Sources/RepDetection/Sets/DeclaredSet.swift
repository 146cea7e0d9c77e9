import Motion
import MotionFrames
import TemplateSearch

/// A set whose begin and end the caller declares. It is counted live like any other, and finalized as a whole
/// when it is over.
///
/// The final answer depends on the set's frames alone, so live counting does not affect it.
struct DeclaredSet: Sendable, Codable {
  private let shared: SharedConfiguration
  private var configuration: DetectorConfiguration { shared.value }
  private var buffer = FrameStore()
  /// The live counter; nil if the set is not counted live.
  @Boxed private var bouts: SetFinder?
  private var isResting = false
  /// Time of the set's first sample, in seconds.
  private var firstTime: Double?

  /// The announced state of the set; nil if it is not counted live.
  var announced: AnnouncedSet? { bouts?.announced }

  /// Bytes of memory held for the set's frames.
  var setByteCount: Int { buffer.byteCount + (bouts?.setByteCount ?? 0) }

  init(configuration: DetectorConfiguration, isFollowed: Bool) {
    // The caller declares which bouts belong together.
    var single = configuration
    single.longestRestWithinSetSeconds = 0
    shared = SharedConfiguration(single)
    bouts = isFollowed ? SetFinder(shared, isDeclared: true) : nil
  }

  /// Emits the start of the set, which is its first sample, before the batch's frames arrive.
  mutating func noteStart(of samples: MotionBatch, into events: inout [DetectionEvent]) {
    guard firstTime == nil else { return }
    let secondsPerUnit = 1 / samples.units.unitsPerStandardUnit(of: .time)
    firstTime = samples.withColumn(.time) { times in
      times.lazy.map { $0 * secondsPerUnit }.first(where: FrontEnd.isTime)
    }
    if let firstTime {
      events.append(.setStarted(time: firstTime, start: firstTime, cause: .declared))
    }
  }

  mutating func append(_ frames: [TimedFrame], into events: inout [DetectionEvent]) {
    for frame in frames { append(frame, into: &events) }
  }

  private mutating func append(_ frame: TimedFrame, into events: inout [DetectionEvent]) {
    guard !frame.isRest else {
      // A bout never spans a declared rest.
      if !isResting { bouts?.endBout(at: frame.arrival, into: &events) }
      isResting = true
      return
    }
    var next = frame
    if isResting, buffer.count > 0 { next.startsAfterBreak = true }
    isResting = false
    buffer.append(frame)
    bouts?.append(next, into: &events)
  }

  /// Stops live counting.
  mutating func stopFollowing() {
    bouts = nil
  }

  /// Ends the set: emits outstanding events and the final answer.
  ///
  /// - Parameter lastTime: Time of the set's last sample, in seconds; nil if it has none.
  mutating func finish(at lastTime: Double?, into events: inout [DetectionEvent]) {
    let time = lastTime ?? 0
    if firstTime == nil { events.append(.setStarted(time: time, start: time, cause: .declared)) }
    let set = finalizedSet(at: lastTime)
    var announced = announced ?? AnnouncedSet()
    announced.update(to: set.reps, isOngoing: false, at: time, into: &events)
    announced.enter(.rest, at: time, into: &events)
    announced.add(partials: set.partialReps, at: time, into: &events)
    events.append(.setEnded(time: time, set: set))
  }

  /// Returns the whole set as one segmentation. Without reps its start and end are those of the samples.
  func finalizedSet(at lastTime: Double?) -> CountedSet {
    let whole = whole()
    if let run = whole.run, whole.rejection == nil {
      return run.counted(cause: .declared, configuration: configuration)
    }
    return CountedSet(
      cause: .declared, start: firstTime ?? 0, end: lastTime ?? 0, reps: [], confidence: 0)
  }

  /// Returns the reason why no rep was found, else those for the movements that were not counted.
  func rejections(at lastTime: Double?) -> [CandidateRejection] {
    let whole = whole(isDiagnosed: true)
    guard let reason = whole.rejection else {
      return whole.run?.rejections(in: buffer, configuration) ?? []
    }
    return [
      CandidateRejection(
        subject: .declaredSet, reason: reason, start: firstTime ?? 0, end: lastTime ?? 0,
        periodSeconds: 0)
    ]
  }

  private func whole(
    isDiagnosed: Bool = false
  ) -> (run: RepRun?, rejection: CandidateRejection.Reason?) {
    let window = WindowSegmentations(buffer[0..<buffer.count], configuration: configuration)
    guard
      let segmentation = FinalSegmentation(window, isDeclared: true, isDiagnosed: isDiagnosed),
      let run = RepRun.whole(segmentation, configuration: configuration)
    else { return (nil, .noSegmentation) }
    // If the clock was set back, the times of the first and last rep do not identify their frames.
    let rows = buffer.rows(from: run.start, to: run.end) ?? 0..<buffer.count
    let frames = buffer.frames(rows)[...]
    // Reject noise, parts of which may be similar to each other.
    let activity = MovementActivity.of(frames, configuration.search.amplitudes)
    return (
      run,
      activity < configuration.search.amplitudes.leastFraction
        ? .motionless(
          share: Double(activity), needed: Double(configuration.search.amplitudes.leastFraction))
        : nil
    )
  }
}
