import Motion

/// Counts along while a set is under way (step 10).
///
/// Once a set is recognised its reading is taken as for a settled set, and the template learned
/// from it is searched for in what comes after the last counted rep, five times a second. A rep is
/// announced when the best reading of the signal up to now has it ended a moment ago: had it still
/// been going on, a longer rep would fit better. The template is learned anew after each rep up to
/// the sixth, then when the set has half as many reps again.
struct LiveTracker: Sendable {
  /// What is known of a set at an instant.
  struct Lock: Sendable {
    let space: ComponentSpace
    let framesPerStep: Int
    let template: [SIMD4<Float>]
    /// The template in all lengths that are searched for.
    private let stretched: StretchedTemplates?
    /// In grid steps.
    let typicalLength: Double
    let typicalEnergy: Float
    /// Seconds.
    let period: Double
    let reps: [SettledRun.Rep]

    /// Reads the rows of `buffer` as a set; nil where nothing repeats.
    ///
    /// - Parameter known: a template of the same set: then only the phase is read anew, as long as
    ///   the set has few reps.
    init?(
      _ buffer: FrameStore, rows: Range<Int>, expectedPeriod: Double?, known: Lock?,
      configuration: DetectorConfiguration
    ) {
      guard
        var lock = Lock(
          once: buffer, rows: rows, expectedPeriod: expectedPeriod, known: known,
          configuration: configuration)
      else { return nil }
      // The half rep before now belongs to no rep yet, and lets a reading that is shifted by half
      // a rep hold one more: what is read must be the same where the last rep had just ended.
      for _ in 0..<configuration.liveRereadings {
        guard
          let from = rows.first, let now = rows.last, let end = lock.reps.last?.end,
          let short = buffer.rows(
            from: buffer.times[from],
            to: min(end + configuration.liveRereadSeconds, buffer.times[now])),
          short.count < rows.count,
          let other = Lock(
            once: buffer, rows: short, expectedPeriod: expectedPeriod, known: known,
            configuration: configuration),
          let otherEnd = other.reps.last?.end,
          (otherEnd - end).magnitude > configuration.liveRereadPeriods * lock.period
        else { break }
        lock = other
      }
      self = lock
    }

    private init?(
      once buffer: FrameStore, rows: Range<Int>, expectedPeriod: Double?, known: Lock?,
      configuration: DetectorConfiguration
    ) {
      // Of few reps the first may be the way to the starting posture: here stillness decides
      // between readings, not the number of reps.
      var configuration = configuration
      configuration.boundaryMotionTolerance = configuration.liveBoundaryMotionTolerance
      configuration.wholeEdgeSimilarity = .infinity
      configuration.edgeSimilarity = configuration.liveEdgeSimilarity
      configuration.settlingResolution = configuration.liveResolution
      configuration.sweepPasses = configuration.liveSweepPasses
      configuration.firstRepUnlikeness = configuration.liveFirstRepUnlikeness
      configuration.edgesAreLeftOut = true
      configuration.isUnderWay = configuration.liveFair
      let stretch = buffer[rows]
      let frames = stretch.frames[...]
      var settlement: Settlement?
      if let known, configuration.liveKeepsPeriod || known.reps.count < configuration.liveRecognisedAnewReps {
        let segments = known.search(frames, configuration: configuration)
        settlement = Settlement(
          frames,
          near: Segmentation(
            framesPerStep: known.framesPerStep, segments: segments,
            similarities: segments.map { _ in 1 }),
          configuration: configuration)
      }
      if (known?.reps.count ?? .max) >= configuration.liveRecognisedAnewReps {
        configuration.candidatesWhenSettling = configuration.liveCandidates
        configuration.hypothesesSwept = configuration.liveHypotheses
        // A set that is well under way may have been recognised by half of its rep, or by two.
        let reach = known == nil ? configuration.liveReach : 2.5
        let anew = Settlement(
          frames, periods: expectedPeriod.map { ($0 / reach)...($0 * reach) },
          configuration: configuration)
        if let old = settlement?.best, let new = anew.best {
          let ratio = new.period / max(old.period, 0.1)
          let isSame = max(ratio, 1 / ratio) < 1.3
          if new.score > old.score * (isSame ? 1 : Float(configuration.liveChangeScore)) {
            settlement = anew
          }
        } else {
          settlement = anew
        }
      }
      guard let settlement else { return nil }
      guard
        let whole = settlement.best, let space = settlement.space, let grid = settlement.grid,
        whole.segments.count >= 2
      else { return nil }
      let reading =
        configuration.liveDropsRows
        ? Self.withoutOtherMovements(whole, on: grid, configuration: configuration) : whole
      reps = RepBoundaries.reps(of: reading, in: stretch, reach: 0)
      // A pause between reps is put before each, not after it, so that a rep is complete when the
      // wrist is back and not when it leaves again.
      let origin = buffer.times[rows.lowerBound]
      let pauses = zip(reading.segments, reps).map {
        origin + reading.seconds($0.0.end) - $0.1.end
      }
      let stepsPerSecond = FrontEnd.frameRateHz / Double(reading.framesPerStep)
      let shift = reps.count == reading.segments.count ? max(0, median(pauses)) : 0
      let segments = reading.segments.map {
        Segment(start: $0.start - shift * stepsPerSecond, end: $0.end - shift * stepsPerSecond)
      }
      let shapes = RepShapes(
        of: segments, on: grid, phases: configuration.settlingResolution.phases)
      self.space = space
      framesPerStep = reading.framesPerStep
      template = shapes.template()
      typicalLength = median(reading.segments.map(\.length))
      typicalEnergy = median(shapes.energies)
      stretched = TemplateFitter.stretched(
        template, groups: space.groups, typicalLength: typicalLength,
        configuration: configuration)
      period = reading.period
    }

    /// A reading without rows before a long pause that would not stand as a set by themselves: what
    /// was done before the set.
    private static func withoutOtherMovements(
      _ reading: Segmentation, on grid: PhaseGrid, configuration: DetectorConfiguration
    ) -> Segmentation {
      let rows = reading.runs(configuration: configuration)
      guard rows.count > 1, let last = rows.last else { return reading }
      let kept = rows.dropLast().filter { row in
        let shapes = RepShapes(
          of: Array(reading.segments[row]), on: grid,
          phases: configuration.settlingResolution.phases)
        let similarities = shapes.similarities()
        let needed =
          reading.period < configuration.fastPeriodSeconds
          ? configuration.fastSetSimilarity : configuration.setSimilarity
        return row.count >= configuration.chainReps
          && similarities.reduce(0, +) >= Float(needed) * Float(row.count)
      }
      guard kept.count < rows.count - 1 else { return reading }
      return reading.keeping(kept.flatMap { Array($0) } + Array(last))
    }

    /// Bytes that are held.
    var byteCount: Int {
      template.count * 16 + reps.count * MemoryLayout<SettledRun.Rep>.stride
        + (stretched?.byteCount ?? 0) + 9 * space.groups * 16
    }

    /// The best row of reps with this template.
    func search(
      _ frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
    ) -> [Segment] {
      search(with: fitter(for: frames, configuration: configuration))
    }

    func search(with fitter: TemplateFitter) -> [Segment] {
      stretched.map { fitter.search($0, typicalEnergy: typicalEnergy) } ?? []
    }

    func fitter(
      for frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
    ) -> TemplateFitter {
      TemplateFitter(
        grid: PhaseGrid(
          space.project(frames), groups: space.groups, framesPerStep: framesPerStep),
        resolution: configuration.liveResolution, configuration: configuration)
    }
  }

  private(set) var lock: Lock?
  /// Reps so far.
  private(set) var count = 0
  /// End of the last rep, s.
  private(set) var lastEnd = -Double.infinity
  /// Whether what the wrist does is no longer what the template was learned from.
  private(set) var isLost = false
  /// The last rep that was announced.
  private var lastRep: SettledRun.Rep?
  private var framesUntilSearch = 0
  private var countAtLock = 0
  /// Whether the wearer is at it, or pauses within the set.
  private(set) var phase = WorkoutPhase.rest

  /// Bytes that are held.
  var byteCount: Int {
    MemoryLayout<LiveTracker>.size + (lock?.byteCount ?? 0)
  }

  /// Whether the template should be learned from the reps made since.
  var wantsNewTemplate: Bool {
    countAtLock < 6 ? count > countAtLock : 2 * count >= 3 * countAtLock
  }

  /// Whether a rep was counted so recently that the set must still be going on.
  func isKeepingUp(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard let lock else { return false }
    return time - lastEnd <= configuration.keepingUpInPeriods * lock.period
  }

  /// Takes over a new reading of the whole set so far.
  mutating func adopt(
    _ lock: Lock, time: Double, configuration: DetectorConfiguration,
    _ emit: (DetectionEvent) -> Void
  ) {
    let isFirst = self.lock == nil
    self.lock = lock
    isLost = false
    if isFirst || lock.reps.count > count { enter(.execution, time: time, emit) }
    // A rep that seems to end now may still be going on.
    let ended = lock.reps.prefix { time - $0.end >= configuration.liveHoldSeconds }.count
    var reps = Array(lock.reps.prefix(max(ended, min(count, lock.reps.count))))
    // What was announced a moment ago may lie too near to the end of what was read.
    if configuration.liveKeepsLast, !isFirst, let lastRep, let end = reps.last?.end,
      (lastRep.start + lastRep.end) / 2 > end
    {
      reps.append(lastRep)
    }
    if isFirst {
      for (index, rep) in reps.enumerated() {
        emit(.rep(time: time, count: index + 1, rep: rep.counted))
      }
    } else if reps.count > count {
      let known = count
      for (index, rep) in reps.enumerated() where index >= known {
        emit(.rep(time: time, count: index + 1, rep: rep.counted))
      }
    } else if reps.count < count {
      emit(.repCorrected(time: time, count: reps.count))
    }
    count = reps.count
    countAtLock = max(count, 2)
    lastRep = reps.last
    lastEnd = reps.last?.end ?? lastEnd
  }

  /// Whether it is time to learn the template anew: in the middle of a rep.
  func isBetweenReps(at time: Double, configuration: DetectorConfiguration) -> Bool {
    guard let lock, wantsNewTemplate else { return false }
    return time >= lastEnd + configuration.liveRereadPhase * lock.period
  }

  /// Looks at the signal since the last counted rep.
  mutating func advance(
    _ buffer: FrameStore, configuration: DetectorConfiguration,
    _ emit: (DetectionEvent) -> Void
  ) {
    framesUntilSearch -= 1
    guard framesUntilSearch <= 0, let lock, let now = buffer.times.last else { return }
    framesUntilSearch = configuration.framesBetweenLiveSearches
    let longestPause = max(configuration.pauseInPeriods * lock.period, configuration.pauseSeconds)
    if now - lastEnd > lock.period + longestPause { enter(.rest, time: now, emit) }
    let from = max(
      lastEnd - configuration.liveOverlap * lock.period, now - 3 * lock.period)
    guard
      now - from > configuration.shortestRepInPeriods * lock.period,
      let rows = buffer.rows(from: from, to: now)
    else { return }
    let stretch = buffer[rows]
    let fitter = lock.fitter(for: stretch.frames[...], configuration: configuration)
    guard let first = lock.search(with: fitter).first else { return }
    let shapes = RepShapes(
      of: [first], on: fitter.grid, phases: configuration.liveResolution.phases)
    let reading = Segmentation(
      framesPerStep: lock.framesPerStep, segments: [first],
      similarities: shapes.similarities(with: lock.template))
    guard
      let similarity = reading.similarities.first, let energy = shapes.energies.first,
      similarity >= Float(configuration.liveSimilarity),
      let rep = RepBoundaries.reps(of: reading, in: stretch, reach: 0).first
    else { return }
    let origin = buffer.times[rows.lowerBound]
    // The wrist must have been back for a moment. A short rep may be a longer one that is still
    // going on.
    let isShort = first.length < configuration.liveShortRep * lock.typicalLength
    guard now - rep.end >= (isShort ? 0.3 * lock.period : configuration.liveHoldSeconds) else {
      return
    }
    // What is much stronger or weaker is another movement: the set may have been taken for what was
    // done before it.
    guard configuration.liveEnergy.contains(energy / max(lock.typicalEnergy, 1e-12)) else {
      isLost = true
      return
    }
    count += 1
    lastRep = rep
    // What follows begins at the end of the movement as cut, so that a pause is searched too.
    lastEnd = origin + reading.seconds(first.end)
    enter(.execution, time: now, emit)
    emit(.rep(time: now, count: count, rep: rep.counted))
  }

  /// Says so if the wearer goes over into another phase.
  mutating func enter(
    _ next: WorkoutPhase, time: Double, _ emit: (DetectionEvent) -> Void
  ) {
    guard next != phase else { return }
    emit(.phase(time: time, from: phase, to: next))
    phase = next
  }
}
