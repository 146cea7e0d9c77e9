import Motion
import MotionFrames
import SignalProcessing
import TemplateSearch

/// A run of reps of a final segmentation, without a long pause.
struct RepRun: Sendable, Codable {
  struct Rep: Sendable, Hashable, Codable {
    var start: Double
    var end: Double
    var similarity: Float
    /// Probability that this is a rep.
    var probability = 0.5
    /// Begin and end in seconds at the phase with the stillest boundaries, if that is a different phase
    /// (``FinalSegmentation/rephased``). Reps are still compared by `start` and `end`.
    var rephased: ClosedRange<Double>?

    var counted: CountedRep {
      CountedRep(
        start: rephased?.lowerBound ?? start, end: rephased?.upperBound ?? end,
        confidence: probability)
    }
  }

  var reps: [Rep]
  /// Movements beside and between the reps that fall short of a rep.
  var partials: [Rep] = []
  /// In a diagnosis, other movements beside and between the reps.
  private var others: [Rep] = []
  /// Period of the reps, in seconds.
  var period: Double
  /// Gate features of the run.
  var figures: SetGate.Figures
  /// Probability of the count.
  var probability: Double
  /// Probability that the run is a set.
  var setProbability = 1.0
  /// The movement's shape, by which it is recognized later.
  var template: MovementTemplate?
  /// Median extent of the reps.
  var extent: WristExtent
  var isAlternating = false

  /// Begin of the first rep and end of the last, in seconds.
  var start: Double { reps.first?.start ?? 0 }
  var end: Double { reps.last?.end ?? 0 }

  /// Adds movements that fall short of a rep, without duplicates.
  mutating func add(partials more: [Rep]) {
    let new = more.filter { new in
      !partials.contains { $0.start < new.end && new.start < $0.end }
    }
    partials = (partials + new).sorted(byKey: { $0.start })
  }

  /// Returns the parts before and after another run that lies between its reps; otherwise the whole run.
  func divided(by other: RepRun) -> [RepRun] {
    guard start < other.start, other.end < end else { return [self] }
    var (before, after) = (self, self)
    before.reps.removeAll { $0.start > other.start }
    before.partials.removeAll { $0.start > other.start }
    after.reps.removeAll { $0.start < other.start }
    after.partials.removeAll { $0.start < other.start }
    return [before, after]
  }

  /// Splits a final segmentation at long pauses, and computes the exact times of its reps.
  static func split(
    _ segmentation: FinalSegmentation, configuration: DetectorConfiguration
  ) -> [RepRun] {
    let best = segmentation.best
    let window = segmentation.signal
    let gap = configuration.longestPause(period: best.period)
    let reps = RepBoundaries.reps(of: best, in: window, configuration: configuration)
    let groups = reps.runs { $1.start - $0.end <= gap }
    let course = WristCourse(window.frames)
    var runs = groups.map { group in
      let segments = Array(best.segments[group])
      var reps = Array(reps[group])
      // Each run is rated by itself: its reps are compared only with each other.
      let template = MovementTemplate(
        segments, on: segmentation.grid, in: segmentation.space, configuration: configuration.search
      )
      if let template, groups.count > 1 {
        for k in reps.indices { reps[k].similarity = template.similarities[k] }
      }
      return RepRun(
        reps: reps, period: best.period,
        figures: SetGate.Figures(
          segments, framesPerStep: best.framesPerStep, similarities: reps.map { $0.similarity },
          in: window),
        probability: segmentation.probability, template: template,
        extent: .typical(segments) { course.extent(of: segmentation.grid.frames(of: $0)) },
        isAlternating: segmentation.isAlternating)
    }
    var partials = RepBoundaries.reps(of: best.onlyPartials, in: window)
    if runs.count == 1, let rephased = segmentation.rephased {
      let reps = RepBoundaries.reps(of: rephased, in: window, configuration: configuration)
      if reps.count == runs[0].reps.count {
        for (i, rep) in reps.enumerated() { runs[0].reps[i].rephased = rep.start...rep.end }
        partials = RepBoundaries.reps(of: rephased.onlyPartials, in: window)
      }
    }
    let others = segmentation.others.map { RepBoundaries.reps(of: $0, in: window) } ?? []
    for i in runs.indices {
      let (start, end) = (runs[i].start, runs[i].end)
      runs[i].partials = partials.filter { $0.end >= start - gap && $0.start <= end + gap }
      runs[i].others = others.filter { $0.end >= start - gap && $0.start <= end + gap }
    }
    return runs
  }

  /// Returns all of a final segmentation as one set, including long pauses. Its set probability is that of
  /// its most probable run, with the odds of a declared set. Even a declared set may have no reps.
  static func whole(
    _ segmentation: FinalSegmentation, configuration: DetectorConfiguration
  ) -> RepRun? {
    let runs = split(segmentation, configuration: configuration)
    guard var result = runs.first else { return nil }
    let gate = SetGate(configuration)
    result.setProbability = SetGate.probability(
      runs.map { gate.probability(of: $0.figures) }.max() ?? 0,
      timesOdds: configuration.expectationOdds)
    for run in runs.dropFirst() {
      result.reps += run.reps
      result.add(partials: run.partials)
    }
    return result
  }

  /// Returns the run with its set probability.
  func judged(by gate: SetGate) -> RepRun {
    var run = self
    run.setProbability = gate.probability(of: figures)
    return run
  }

  /// Returns the reason why a detected run of reps is not a set; nil if it is one.
  func rejection(
    by gate: SetGate, _ configuration: DetectorConfiguration
  ) -> CandidateRejection.Reason? {
    let least = max(2, configuration.hints.minimumReps ?? 2)
    guard reps.count >= least else { return .tooFewReps(count: reps.count, needed: least) }
    let probability = gate.probability(of: figures)
    guard probability < configuration.setProbability else { return nil }
    return gate.isWalking(figures, threshold: configuration.setProbability)
      ? .walking(periodSeconds: period)
      : .unlikely(probability: probability, needed: configuration.setProbability)
  }

  /// Returns the reasons why movements in and beside the run are not reps. `buffer` contains its frames.
  func rejections(
    in buffer: FrameStore, _ configuration: DetectorConfiguration
  ) -> [CandidateRejection] {
    func share(_ rep: Rep) -> Double {
      guard let rows = buffer.rows(from: rep.start, to: rep.end) else { return 0 }
      let own = WristCourse(buffer.frames(rows)).extent(
        of: Segment(start: 0, end: Double(rows.count)))
      return Math.exp(-Double(extent.shortfall(of: own)))
    }
    let needed = Double(configuration.leastExtent)
    return partials.map {
      CandidateRejection(
        subject: .partial, reason: .tooSmall(share: share($0), needed: needed), start: $0.start,
        end: $0.end, periodSeconds: period)
    }
      + others.map {
        CandidateRejection(
          subject: .movement, reason: .lessProbable(probability: $0.probability),
          start: $0.start, end: $0.end, periodSeconds: period)
      }
  }

  func counted(cause: SetCause, configuration: DetectorConfiguration) -> CountedSet {
    let counted = reps.map { $0.counted }.withoutOverlap
    var set = CountedSet(
      cause: cause, start: counted.first?.start ?? 0, end: counted.last?.end ?? 0,
      reps: counted, partialReps: partials.map { $0.counted },
      confidence: probability * setProbability)
    set.sides = sides(configuration)
    return set
  }

  /// Returns which sides' reps were counted, if two sides alternate: both if halves of cycles were counted.
  /// If the caller declares alternating sides, the watch's side alone if the wrist waits between reps for at
  /// least as long as the shortest allowed rep, else both.
  func sides(_ configuration: DetectorConfiguration) -> CountedSides? {
    if isAlternating { return .bothSides }
    guard configuration.hints.alternates == true else { return nil }
    let pauses = zip(reps.dropFirst(), reps).map { $0.start - $1.end }
    let shortest = median(reps.map { $0.end - $0.start }) / configuration.search.repLengthRatio
    return median(pauses) >= shortest ? .watchSide : .bothSides
  }
}

extension [CountedRep] {
  /// The reps, with each start moved to the end of the previous rep if that is later.
  var withoutOverlap: [CountedRep] {
    var reps = self
    for i in reps.indices.dropFirst() {
      reps[i].start = Swift.max(reps[i].start, reps[i - 1].end)
      reps[i].end = Swift.max(reps[i].end, reps[i].start)
    }
    return reps
  }
}
