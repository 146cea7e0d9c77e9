import Motion

/// Counts along while a set is under way.
///
/// Once a set is recognised it is segmented by the score of finalized sets (``TrackedTemplate``), and the template learned
/// from it is searched for in what comes after the last counted rep (``LiveSearch``), looked at a
/// dozen times a second. A rep is announced when the best segmentation of the signal up to now has it
/// ended a moment ago: had it still been going on, a longer rep would fit better. The template is
/// learned anew a third of a rep after each up to the fifth, then when the set has half as many reps
/// again.
struct LiveTracker: Sendable, Codable {
  private(set) var tracked: TrackedTemplate?
  /// How probable it is that it counts a set.
  private var setProbability = 1.0
  /// Reps so far.
  private(set) var count = 0
  /// End of the last rep, s.
  private(set) var lastEnd = -Double.infinity
  /// The last rep that was announced.
  private var lastRep: RepRun.Rep?
  /// The end that was announced for it, s.
  private var announcedEnd = -Double.infinity
  /// The search for what follows on the last rep.
  private var search: LiveSearch?
  /// Until when it was looked into whether the set is of another movement, s.
  private var lookedIntoUntil = -Double.infinity
  private var framesUntilSearch = 0
  private var countWhenLearned = 0
  /// When the template may be learned anew where that failed, s.
  private var retryTime = -Double.infinity
  /// Whether the wearer is at it, or pauses within the set.
  var phase = WorkoutPhase.rest

  /// Whether the template should be learned from the reps made since.
  var wantsNewTemplate: Bool {
    countWhenLearned < 5 ? count > countWhenLearned : 2 * count >= 3 * countWhenLearned
  }

  /// Whether a rep was counted so recently that the set must still be going on.
  func isKeepingUp(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard let tracked else { return false }
    return time - lastEnd <= configuration.pauseInPeriods * tracked.period
  }

  /// Whether a run of movements goes on after the last rep without a rep among them: they may be of another kind than
  /// what the set was recognised by.
  func isUncounted(_ chain: MovementChain) -> Bool {
    guard let tracked else { return false }
    return chain.end > max(lastEnd, lookedIntoUntil) + tracked.period
  }

  /// Announces the first rep, before there is a template.
  mutating func begin(with rep: RepRun.Rep, at time: Double, _ emit: (DetectionEvent) -> Void) {
    phase.enter(.execution, at: time, emit)
    count = 1
    lastRep = rep
    lastEnd = rep.end
    announce(rep, time: time, emit)
  }

  /// Takes over a new segmentation of the whole set so far.
  ///
  /// - Parameters:
  ///   - isLookedInto: whether it was made because the set seemed to be of another movement.
  ///   - setProbability: how probable it is that this is a set.
  mutating func adopt(
    _ tracked: TrackedTemplate, isLookedInto: Bool = false, setProbability: Double, time: Double,
    configuration: DetectorConfiguration,
    _ emit: (DetectionEvent) -> Void
  ) {
    if isLookedInto { lookedIntoUntil = time }
    let isFirst = self.tracked == nil
    self.tracked = tracked
    self.setProbability = setProbability
    search = nil
    if isFirst || tracked.reps.count > count { phase.enter(.execution, at: time, emit) }
    // A rep that seems to end now may still be going on.
    let ended = tracked.reps.prefix { time - $0.end >= configuration.liveHoldSeconds }.count
    var reps = Array(tracked.reps.prefix(max(ended, min(count, tracked.reps.count))))
    // What was announced a moment ago may lie too near to the end of what was segmented.
    if !isFirst, let lastRep, let end = reps.last?.end,
      (lastRep.start + lastRep.end) / 2 > end
    {
      reps.append(lastRep)
    }
    let change = CountChange(from: count, until: lastEnd, to: reps.map { $0.counted })
    if let known = change.correction { emit(.repCorrected(time: time, count: known)) }
    for index in change.news { announce(reps[index], number: index + 1, time: time, emit) }
    count = reps.count
    countWhenLearned = max(count, 2)
    lastRep = reps.last
    lastEnd = reps.last?.end ?? lastEnd
  }

  /// It was looked into whether the set is of another movement: it is not, or that is no set.
  mutating func noteLookedInto(at time: Double) { lookedIntoUntil = time }

  /// Whether it is time to learn the template anew.
  func wantsNewTemplate(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard wantsNewTemplate, time >= retryTime, let tracked else { return false }
    return time >= lastEnd + configuration.liveOverlapInPeriods * tracked.period
  }

  /// The template could not be learned anew: waits until the wrist has moved on.
  mutating func postponeLearning(at time: Double) {
    retryTime = time + 1
  }

  /// Looks at the signal since the last counted rep.
  mutating func advance(
    _ buffer: FrameStore, configuration: DetectorConfiguration,
    _ emit: (DetectionEvent) -> Void
  ) {
    framesUntilSearch -= 1
    guard framesUntilSearch <= 0, let tracked, let now = buffer.times.last else { return }
    framesUntilSearch = configuration.framesBetweenLiveSearches
    let longestPause = configuration.longestPause(period: tracked.period)
    if now - lastEnd > tracked.period + longestPause { phase.enter(.rest, at: now, emit) }
    takeIn(buffer, tracked: tracked, configuration: configuration)
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
      phase.enter(.execution, at: now, emit)
      announce(rep, time: now, emit)
    }
  }

  /// Shows the search the frames that it has not seen.
  private mutating func takeIn(
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
    // What follows may begin before the end of the last movement as cut.
    let from = max(
      lastEnd - configuration.liveOverlapInPeriods * tracked.period, now - 3 * tracked.period)
    search = nil
    guard let rows = buffer.rows(from: from, to: now) else { return }
    search = LiveSearch(
      tracked.usual, in: tracked.space, start: buffer.times[rows.lowerBound],
      configuration: configuration)
    search?.append(buffer.frames(rows))
  }

  /// A segment as a rep, with how much it resembles the template; nil where it may still be going on.
  private func rep(
    _ segment: Segment, from start: Double, in buffer: FrameStore, tracked: TrackedTemplate,
    configuration: DetectorConfiguration
  ) -> RepRun.Rep? {
    guard
      let now = buffer.times.last,
      let first = buffer.rows(from: start, to: now)?.lowerBound
    else { return nil }
    // A little more than the rep: the step behind it, and what smoothing its last speeds reads.
    let skipped = max(0, Int(segment.start) - 2)
    let framesPerStep = tracked.usual.framesPerStep
    let end = min(first + Int(segment.end) + 2 * framesPerStep + 3, buffer.count)
    let window = buffer[min(first + skipped, end - 1)..<end]
    let segmentation = Segmentation(
      framesPerStep: 1,
      segments: [
        Segment(start: segment.start - Double(skipped), end: segment.end - Double(skipped))
      ])
    guard let rep = RepBoundaries.reps(of: segmentation, in: window, reach: 0).first
    else { return nil }
    // The wrist must have been back for a moment. A short rep may be a longer one that is still
    // going on: a usual one would have ended by then.
    guard now - rep.end >= configuration.liveHoldSeconds else { return nil }
    let isShort = configuration.repLengthRatio * (rep.end - rep.start) < tracked.usualDuration
    if isShort, now < rep.start + tracked.usualDuration { return nil }
    // The grid ends with the step behind the rep.
    let read = window.frames.prefix(Int(segment.end) - skipped + 2 * framesPerStep)
    let grid = PhaseGrid(tracked.space.project(read), framesPerStep: framesPerStep)
    let shapes = RepShapes(
      of: segmentation.segments.map {
        Segment(
          start: PhaseGrid.step(ofFrame: $0.start, framesPerStep: framesPerStep),
          end: PhaseGrid.step(ofFrame: $0.end, framesPerStep: framesPerStep))
      }, on: grid, phases: configuration.segmentationResolution.phases)
    let similarity = shapes.similarities(with: tracked.usual.template).first ?? 0
    return RepRun.Rep(
      start: rep.start, end: rep.end, similarity: similarity,
      probability: tracked.usualProbability)
  }

  /// Whether the wrist went less far than in a rep.
  private func isPartial(
    _ rep: RepRun.Rep, in buffer: FrameStore, tracked: TrackedTemplate,
    configuration: DetectorConfiguration
  ) -> Bool {
    guard let rows = buffer.rows(from: rep.start, to: rep.end) else { return false }
    let extent = WristCourse(buffer.frames(rows)).extent(
      of: Segment(start: 0, end: Double(rows.count)))
    return tracked.usualExtent.shortfall(of: extent) > configuration.mostShortfall
  }

  /// Announces the newest rep. Its begin may lie before the end that was announced for
  /// the one before it: announced reps never overlap.
  private mutating func announce(
    _ rep: RepRun.Rep, number: Int? = nil, time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    var rep = rep
    rep.start = max(rep.start, announcedEnd)
    rep.end = max(rep.end, rep.start)
    announcedEnd = rep.end
    rep.probability *= setProbability
    emit(.rep(time: time, count: number ?? count, rep: rep.counted))
  }
}
