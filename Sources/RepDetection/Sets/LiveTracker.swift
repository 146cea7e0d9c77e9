import Motion

/// Counts live during a set.
///
/// Once a set is recognised, it is segmented with the score of finalized sets (``TrackedTemplate``). The
/// template learned from it is searched for in the signal after the last counted rep (``LiveSearch``), a
/// dozen times a second. A rep is announced when it ended a moment ago in the best segmentation of the signal
/// so far: if it were still going on, a longer rep would fit better. The template is learned anew a fifth of
/// a period after each rep up to the fifth, then whenever the set has grown by half.
struct LiveTracker: Sendable, Codable {
  private(set) var tracked: TrackedTemplate?
  /// Probability that the tracked run is a set.
  private var setProbability = 1.0
  /// Number of reps so far.
  private(set) var count = 0
  /// End of the last rep, in seconds.
  private(set) var lastEnd = -Double.infinity
  /// The last announced rep.
  private var lastRep: RepRun.Rep?
  /// Its announced end, in seconds.
  private var announcedEnd = -Double.infinity
  /// The search for the next rep.
  private var search: LiveSearch?
  /// Time up to which the set was checked for another movement, in seconds.
  private var examinedUntil = -Double.infinity
  private var framesUntilSearch = 0
  private var countWhenLearned = 0
  /// Earliest time for another attempt to learn the template after a failure, in seconds.
  private var retryTime = -Double.infinity
  /// Whether the wearer executes reps or pauses within the set.
  var phase = WorkoutPhase.rest

  /// Whether the template should be learned from the reps made since.
  var needsNewTemplate: Bool {
    countWhenLearned < 5 ? count > countWhenLearned : 2 * count >= 3 * countWhenLearned
  }

  /// True if a rep was counted so recently that the set must still be going on.
  func hasRecentRep(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard let tracked else { return false }
    return time - lastEnd <= configuration.pauseInPeriods * tracked.period
  }

  /// True if a run of movements continues after the last rep, without a rep among them: they may be of
  /// another kind than the recognised movement.
  func isUncounted(_ chain: MovementChain) -> Bool {
    guard let tracked else { return false }
    return chain.end > max(lastEnd, examinedUntil) + tracked.period
  }

  /// Announces the first rep, before there is a template.
  mutating func begin(with rep: RepRun.Rep, at time: Double, into events: inout [DetectionEvent]) {
    phase.enter(.execution, at: time, into: &events)
    count = 1
    lastRep = rep
    lastEnd = rep.end
    announce(rep, time: time, into: &events)
  }

  /// Adopts a new segmentation of the whole set so far.
  ///
  /// - Parameters:
  ///   - isLookedInto: whether it was made because the set seemed to be of another movement.
  ///   - setProbability: probability that this is a set.
  mutating func adopt(
    _ tracked: TrackedTemplate, isReexamined: Bool = false, setProbability: Double, time: Double,
    configuration: DetectorConfiguration,
    into events: inout [DetectionEvent]
  ) {
    if isReexamined { examinedUntil = time }
    let isFirst = self.tracked == nil
    self.tracked = tracked
    self.setProbability = setProbability
    search = nil
    if isFirst || tracked.reps.count > count { phase.enter(.execution, at: time, into: &events) }
    // A rep that seems to end now may still be going on.
    let ended = tracked.reps.prefix { time - $0.end >= configuration.liveHoldSeconds }.count
    var reps = Array(tracked.reps.prefix(max(ended, min(count, tracked.reps.count))))
    // A recently announced rep may lie too close to the end of the segmented signal to be found.
    if !isFirst, let lastRep, let end = reps.last?.end,
      (lastRep.start + lastRep.end) / 2 > end
    {
      reps.append(lastRep)
    }
    let change = CountChange(from: count, until: lastEnd, to: reps.map { $0.counted })
    if let known = change.correction { events.append(.repCorrected(time: time, count: known)) }
    for index in change.news { announce(reps[index], number: index + 1, time: time, into: &events) }
    count = reps.count
    countWhenLearned = max(count, 2)
    lastRep = reps.last
    lastEnd = reps.last?.end ?? lastEnd
  }

  /// Notes that the set was checked for another movement, without a result.
  mutating func noteExamination(at time: Double) { examinedUntil = time }

  /// True if it is time to learn the template anew.
  func needsNewTemplate(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard needsNewTemplate, time >= retryTime, let tracked else { return false }
    return time >= lastEnd + configuration.liveOverlapInPeriods * tracked.period
  }

  /// Postpones learning after a failure, until the wrist has moved on.
  mutating func postponeLearning(at time: Double) {
    retryTime = time + 1
  }

  /// Searches the signal since the last counted rep, and announces reps that have ended.
  mutating func advance(
    _ buffer: FrameStore, configuration: DetectorConfiguration,
    into events: inout [DetectionEvent]
  ) {
    framesUntilSearch -= 1
    guard framesUntilSearch <= 0, let tracked, let now = buffer.times.last else { return }
    framesUntilSearch = configuration.framesBetweenLiveSearches
    let longestPause = configuration.longestPause(period: tracked.period)
    if now - lastEnd > tracked.period + longestPause { phase.enter(.rest, at: now, into: &events) }
    extendSearch(buffer, tracked: tracked, configuration: configuration)
    guard let search else { return }
    for segment in search.reps {
      let middle = search.start + (segment.start + segment.end) / 2 / FrontEnd.frameRateHz
      guard middle > lastEnd else { continue }
      guard
        let rep = rep(
          segment, from: search.start, in: buffer, tracked: tracked, configuration: configuration)
      else { return }
      if rep.similarity < configuration.movementSimilarity
        || isPartial(rep, in: buffer, tracked: tracked, configuration: configuration)
      {
        continue
      }
      count += 1
      lastRep = rep
      lastEnd = max(lastEnd, search.start + segment.end / FrontEnd.frameRateHz)
      phase.enter(.execution, at: now, into: &events)
      announce(rep, time: now, into: &events)
    }
  }

  /// Appends new frames to the search.
  private mutating func extendSearch(
    _ buffer: FrameStore, tracked: TrackedTemplate, configuration: DetectorConfiguration
  ) {
    guard let now = buffer.times.last else { return }
    if let search, let rows = buffer.rows(from: search.start, to: now),
      rows.count >= search.frameCount
    {
      let new = (rows.lowerBound + search.frameCount)..<rows.upperBound
      if !new.isEmpty, search.hasRoom(for: new.count) {
        self.search?.append(buffer.frames(new))
        return
      }
      if new.isEmpty { return }
    }
    // The next rep may begin before the end of the last one.
    let from = max(
      lastEnd - configuration.liveOverlapInPeriods * tracked.period, now - 3 * tracked.period)
    search = nil
    guard let rows = buffer.rows(from: from, to: now) else { return }
    search = LiveSearch(
      tracked.typicalRep, in: tracked.space, start: buffer.times[rows.lowerBound],
      configuration: configuration)
    search?.append(buffer.frames(rows))
  }

  /// Returns a segment as a rep, with its similarity to the template; nil if it may still be going on.
  private func rep(
    _ segment: Segment, from start: Double, in buffer: FrameStore, tracked: TrackedTemplate,
    configuration: DetectorConfiguration
  ) -> RepRun.Rep? {
    guard
      let now = buffer.times.last,
      let first = buffer.rows(from: start, to: now)?.lowerBound
    else { return nil }
    // Read a little more than the rep: the step after it, and the frames that smoothing its last speeds
    // needs.
    let skipped = max(0, Int(segment.start) - 2)
    let framesPerStep = tracked.typicalRep.framesPerStep
    let end = min(first + Int(segment.end) + 2 * framesPerStep + 3, buffer.count)
    let window = buffer[min(first + skipped, end - 1)..<end]
    let segmentation = Segmentation(
      framesPerStep: 1,
      segments: [
        Segment(start: segment.start - Double(skipped), end: segment.end - Double(skipped))
      ])
    guard let rep = RepBoundaries.reps(of: segmentation, in: window, reach: 0).first
    else { return nil }
    // The wrist must have been back for a moment. A short rep may be the begin of a longer one: wait until a
    // typical rep would have ended.
    guard now - rep.end >= configuration.liveHoldSeconds else { return nil }
    let isShort = configuration.repLengthRatio * (rep.end - rep.start) < tracked.typicalDuration
    if isShort, now < rep.start + tracked.typicalDuration { return nil }
    // The grid ends with the step after the rep.
    let read = window.frames.prefix(Int(segment.end) - skipped + 2 * framesPerStep)
    let grid = PhaseGrid(tracked.space.project(read), framesPerStep: framesPerStep)
    let shapes = RepShapes(
      of: segmentation.segments.map {
        Segment(
          start: PhaseGrid.step(ofFrame: $0.start, framesPerStep: framesPerStep),
          end: PhaseGrid.step(ofFrame: $0.end, framesPerStep: framesPerStep))
      }, on: grid, phases: configuration.segmentationResolution.phases)
    let similarity = shapes.similarities(with: tracked.typicalRep.template).first ?? 0
    return RepRun.Rep(
      start: rep.start, end: rep.end, similarity: similarity,
      probability: tracked.typicalProbability)
  }

  /// True if the wrist went less far than in a typical rep.
  private func isPartial(
    _ rep: RepRun.Rep, in buffer: FrameStore, tracked: TrackedTemplate,
    configuration: DetectorConfiguration
  ) -> Bool {
    guard let rows = buffer.rows(from: rep.start, to: rep.end) else { return false }
    let extent = WristCourse(buffer.frames(rows)).extent(
      of: Segment(start: 0, end: Double(rows.count)))
    return tracked.typicalExtent.shortfall(of: extent) > configuration.mostShortfall
  }

  /// Announces the newest rep. Its start is moved to the announced end of the previous rep, if that is later:
  /// announced reps never overlap.
  private mutating func announce(
    _ rep: RepRun.Rep, number: Int? = nil, time: Double, into events: inout [DetectionEvent]
  ) {
    var rep = rep
    rep.start = max(rep.start, announcedEnd)
    rep.end = max(rep.end, rep.start)
    announcedEnd = rep.end
    rep.probability *= setProbability
    events.append(.rep(time: time, count: number ?? count, rep: rep.counted))
  }
}
