import Motion
import MotionFrames
import TemplateSearch

/// Counts live during a bout of a set.
///
/// Once a set is recognized, it is segmented with the score of finalized sets (``TrackedTemplate``). The
/// resulting template is searched for in the signal after the last counted rep (``LiveSearch``) with every
/// frame. A rep is announced when it ended a moment ago in the best segmentation of the signal so far: if it
/// were still going on, a longer rep would fit better. The template is learned again a fifth of a period
/// after each rep up to the fifth, then whenever the set has grown by half.
struct LiveTracker: Sendable, Codable {
  private(set) var tracked: TrackedTemplate?
  /// Probability that the tracked run is a set.
  private var setProbability = 1.0
  /// The reps so far.
  private(set) var reps: [CountedRep] = []
  /// End of the last rep, in seconds.
  private(set) var lastEnd = -Double.infinity
  /// The search for the next rep.
  private var search: LiveSearch?
  /// Time up to which the set was checked for another movement, in seconds.
  private var examinedUntil = -Double.infinity
  private var countWhenLearned = 0
  /// Earliest time for another attempt to learn the template after a failure, in seconds.
  private var retryTime = -Double.infinity

  /// True if the template should be learned again from the reps made since.
  var needsNewTemplate: Bool {
    countWhenLearned < 5
      ? reps.count > countWhenLearned : 2 * reps.count >= 3 * countWhenLearned
  }

  /// Returns true if a rep was counted so recently that the set must still be going on.
  func hasRecentRep(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard let tracked else { return false }
    return time - lastEnd <= configuration.pauseInPeriods * tracked.period
  }

  /// Returns true if the wearer pauses for longer than between two reps.
  func isPausing(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard let tracked else { return false }
    return time - lastEnd
      > tracked.period + configuration.longestPause(period: tracked.period)
  }

  /// Returns true if a run of movements continues after the last rep, without a rep among them: they may be
  /// of another kind than the recognized movement.
  func isUncounted(_ chain: MovementChain) -> Bool {
    guard let tracked else { return false }
    return chain.end > max(lastEnd, examinedUntil) + tracked.period
  }

  /// Adopts a new segmentation of the whole bout so far.
  ///
  /// - Parameters:
  ///   - isReexamined: Whether it was made because the set seemed to be of another movement.
  ///   - setProbability: Probability that this is a set.
  mutating func adopt(
    _ tracked: TrackedTemplate, isReexamined: Bool = false, setProbability: Double, time: Double,
    configuration: DetectorConfiguration
  ) {
    if isReexamined { examinedUntil = time }
    self.tracked = tracked
    self.setProbability = setProbability
    search = nil
    // A rep that seems to end now may still be going on.
    let ended = tracked.reps.prefix { time - $0.end >= configuration.liveHoldSeconds }.count
    // A rep too close to the end of the segmented signal is found again later, and is no reason to learn.
    countWhenLearned = max(reps.count, 2)
    reps = tracked.reps.prefix(max(ended, min(reps.count, tracked.reps.count))).map(counted)
    lastEnd = reps.last?.end ?? lastEnd
  }

  /// Records that the set was checked for another movement, without a result.
  mutating func noteExamination(at time: Double) { examinedUntil = time }

  /// Returns true if it is time to learn the template again.
  func needsNewTemplate(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard needsNewTemplate, time >= retryTime, let tracked else { return false }
    return time >= lastEnd + configuration.liveOverlapInPeriods * tracked.period
  }

  /// Postpones learning after a failure until the wrist has moved on.
  mutating func postponeLearning(at time: Double) {
    retryTime = time + 1
  }

  /// Searches the signal since the last rep for completed reps. Returns true if there are any.
  mutating func advance(_ buffer: FrameStore, configuration: DetectorConfiguration) -> Bool {
    guard let tracked else { return false }
    extendSearch(buffer, tracked: tracked, configuration: configuration)
    guard let search else { return false }
    let before = reps.count
    for segment in search.reps {
      let middle = search.start + (segment.start + segment.end) / 2 / FrontEnd.frameRateHz
      guard middle > lastEnd else { continue }
      guard
        let rep = rep(
          segment, from: search.start, in: buffer, tracked: tracked, configuration: configuration)
      else { break }
      if rep.similarity < configuration.movementSimilarity
        || isPartial(rep, in: buffer, tracked: tracked, configuration: configuration)
      {
        continue
      }
      reps.append(counted(rep))
      lastEnd = max(lastEnd, search.start + segment.end / FrontEnd.frameRateHz)
    }
    return reps.count > before
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
      configuration: configuration.search)
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
    // Include the step after the rep, and the frames needed to smooth its last speeds.
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
    // The wrist must have been back for a moment. A short rep may be the begin of a longer one, so wait until
    // a typical rep would have ended.
    guard now - rep.end >= configuration.liveHoldSeconds else { return nil }
    let isShort =
      configuration.search.repLengthRatio * (rep.end - rep.start) < tracked.typicalDuration
    if isShort, now < rep.start + tracked.typicalDuration { return nil }
    // The grid ends with the step after the rep.
    let read = window.frames.prefix(Int(segment.end) - skipped + 2 * framesPerStep)
    let grid = PhaseGrid(tracked.space.project(read), framesPerStep: framesPerStep)
    let shapes = RepShapes(
      of: segmentation.segments.map {
        Segment(
          start: PhaseGrid.step(ofFrame: $0.start, framesPerStep: framesPerStep),
          end: PhaseGrid.step(ofFrame: $0.end, framesPerStep: framesPerStep))
      }, on: grid, phases: configuration.search.segmentationResolution.phases)
    let similarity = shapes.similarities(with: tracked.typicalRep.template).first ?? 0
    return RepRun.Rep(
      start: rep.start, end: rep.end, similarity: similarity,
      probability: tracked.typicalProbability)
  }

  /// Returns true if the extent is smaller than in a typical rep.
  private func isPartial(
    _ rep: RepRun.Rep, in buffer: FrameStore, tracked: TrackedTemplate,
    configuration: DetectorConfiguration
  ) -> Bool {
    guard let rows = buffer.rows(from: rep.start, to: rep.end) else { return false }
    let extent = WristCourse(buffer.frames(rows)).extent(
      of: Segment(start: 0, end: Double(rows.count)))
    return tracked.typicalExtent.shortfall(of: extent) > configuration.mostShortfall
  }

  /// Returns a rep with the probability that it is part of a set.
  private func counted(_ rep: RepRun.Rep) -> CountedRep {
    CountedRep(start: rep.start, end: rep.end, confidence: rep.probability * setProbability)
  }
}
