import SignalProcessing

/// The settled reading of a stretch that holds one set: steps 4 to 8 together.
struct Settlement {
  /// The chosen reading; nil where nothing repeats.
  private(set) var best: Segmentation?
  /// The coordinates in which it was found.
  private(set) var space: ComponentSpace?
  private(set) var evidence = ReadingEvidence()
  /// The grid of the chosen reading.
  private(set) var grid: PhaseGrid?
  /// Reps in ``best`` that were put into gaps.
  private(set) var filledReps = 0
  /// Whether ``best`` holds the halves of cycles in which two sides took turns, and whether the caller
  /// says that they do.
  private(set) var isAlternating = false
  private(set) var isSaidToAlternate = false

  /// - Parameters:
  ///   - frames: the stretch, with about half a period around the set.
  ///   - periods: seconds that a typical rep may take.
  ///   - isDeclared: whether the caller says that it holds a set. Then readings of the period that
  ///     the hints expect are preferred; a found movement may be another.
  init(
    _ frames: ArraySlice<MotionFrame>, periods: ClosedRange<Double>? = nil,
    isDeclared: Bool = false,
    configuration: DetectorConfiguration
  ) {
    guard frames.count > 8 else { return }
    var search = CandidateSearch(
      frames, resolution: configuration.settlingResolution, configuration: configuration)
    let guesses = search.candidates(
      periods: periods
        ?? configuration.shortestPeriodSeconds...configuration.longestPeriodSeconds,
      count: configuration.candidatesWhenSettling)

    var refined: [Segmentation] = []
    for guess in guesses {
      let fitter = search.fitter(framesPerStep: guess.framesPerStep)
      let passes = configuration.refiningPasses
      if let result = fitter.refine(guess.segments, passes: passes) { refined.append(result) }
    }
    refined.sort { $0.score > $1.score }
    if isDeclared { refined = configuration.hints.usualFirst(refined, configuration) }
    refined = Self.distinct(refined, configuration: configuration)

    var readings: [Segmentation] = []
    let worth = configuration.sweptScore * (refined.map(\.score).max() ?? 0)
    for hypothesis in refined.prefix(configuration.hypothesesSwept)
    where hypothesis.score >= worth || isDeclared && configuration.hints.isUsual(hypothesis.period)
    {
      readings += Self.sweep(hypothesis, search: &search, configuration: configuration)
    }
    if isDeclared { readings = configuration.hints.likely(among: readings, configuration) }
    let speeds = frames.map { $0.squaredAngularSpeed.squareRoot() }
    let decision = Decision(
      among: readings, in: frames, speeds: speeds, configuration: configuration)
    best = decision?.chosen(configuration: configuration)
    if let decision, let chosen = best {
      best = Self.towardsTarget(
        chosen, decision, among: readings, in: frames, speeds: speeds, configuration: configuration)
    }
    isSaidToAlternate = configuration.hints.alternates == true
    if let decision, let best {
      space = search.space
      func weigh(_ reading: Segmentation) {
        judge(reading, among: decision.trimmed, speeds: speeds, configuration: configuration)
        evidence.compare(
          reading, on: search.grid(framesPerStep: reading.framesPerStep),
          phases: configuration.settlingResolution.phases)
      }
      var chosen = best
      // Half reps at the ends of a set under way may become whole.
      if !configuration.isUnderWay {
        weigh(best)
        if let shifted = inHomePhase(best, among: decision.trimmed, configuration: configuration) {
          chosen = shifted
          weigh(shifted)
        }
      }
      grid = search.grid(framesPerStep: chosen.framesPerStep)
      complete(chosen, search: &search, configuration: configuration)
    }
  }

  /// Reads a stretch anew whose reps are known but for their phase: steps 7 and 8 alone, for a set
  /// under way.
  init(
    _ frames: ArraySlice<MotionFrame>, near known: Segmentation,
    configuration: DetectorConfiguration
  ) {
    guard frames.count > 8 else { return }
    var search = CandidateSearch(
      frames, resolution: configuration.settlingResolution, configuration: configuration)
    let readings = Self.sweep(known, search: &search, configuration: configuration)
    best = Decision(
      among: readings, in: frames, speeds: frames.map { $0.squaredAngularSpeed.squareRoot() },
      configuration: configuration)?.chosen(configuration: configuration)
    space = search.space
    if let best { grid = search.grid(framesPerStep: best.framesPerStep) }
  }

  /// Shifts a reading by parts of a rep and searches again (step 7). Phases soon agree: what was
  /// found before is not searched again.
  private static func sweep(
    _ hypothesis: Segmentation, search: inout CandidateSearch,
    configuration: DetectorConfiguration
  ) -> [Segmentation] {
    let fitter = search.fitter(framesPerStep: hypothesis.framesPerStep)
    var known: [(asked: [Segment], found: [Segment])] = []
    var readings: [Segmentation] = []
    for j in 0..<configuration.sweepPhases {
      let shift = Double(j) / Double(configuration.sweepPhases)
      var segments = hypothesis.segments.map {
        Segment(start: $0.start + shift * $0.length, end: $0.end + shift * $0.length)
      }
      for _ in 0..<configuration.sweepPasses where !segments.isEmpty {
        if let answer = known.first(where: { $0.asked == segments }) {
          segments = answer.found
        } else {
          let found = fitter.researched(segments)
          known.append((segments, found))
          segments = found
        }
      }
      if segments.isEmpty { continue }
      // Phases that led to the same reading each have their vote.
      readings.append(
        readings.first { $0.segments == segments } ?? fitter.measured(segments))
    }
    return readings
  }

  /// The same row of reps half a rep earlier, if the sweep found it, for a reading that leaves half a rep
  /// at either end, or whose last rep ends as none does; failing that, in the latter case, without the
  /// last, if nothing was left over before the first. Nil where the reading needs no change.
  private func inHomePhase(
    _ chosen: Segmentation, among readings: [Segmentation], configuration: DetectorConfiguration
  ) -> Segmentation? {
    let count = chosen.segments.count
    guard
      count >= configuration.phaseCheckedReps, count != configuration.hints.targetReps,
      let start = chosen.segments.first?.start
    else { return nil }
    let least = configuration.leftoverHalfSimilarity
    let endsOddly = evidence.lastHalfSimilarity < configuration.lastHalfSimilarity
    guard endsOddly || evidence.leftoverSimilarity >= least else { return nil }
    let shifted = readings.filter { reading in
      guard let first = reading.segments.first else { return false }
      let earlier = (chosen.seconds(start) - reading.seconds(first.start)) / chosen.period
      return reading.segments.count == (endsOddly ? count : count + 1)
        && (reading.period / chosen.period - 1).magnitude < 0.15 && (0.25...0.85).contains(earlier)
    }.max { $0.score < $1.score }
    if shifted != nil || evidence.leftovers.before >= least { return shifted }
    var shorter = chosen.measuredAnew(keeping: Array(0..<(count - 1)))
    shorter.partials = chosen.partials + chosen.segments.suffix(1)
    return shorter
  }

  /// Puts disturbed reps into gaps, and counts both sides where they take turns.
  private mutating func complete(
    _ chosen: Segmentation, search: inout CandidateSearch, configuration: DetectorConfiguration
  ) {
    var reading = chosen
    if let grid {
      let filled = GapFilling.filled(reading, on: grid, configuration: configuration)
      filledReps = filled.segments.count - reading.segments.count
      reading = filled
    }
    if let halves = AlternatingSides.halves(
      of: reading, search: &search, configuration: configuration)
    {
      isAlternating = true
      reading = halves
      grid = search.grid(framesPerStep: halves.framesPerStep)
    }
    best = reading
  }

  /// Gathers what speaks for and against the chosen reading.
  private mutating func judge(
    _ best: Segmentation, among trimmed: [Segmentation], speeds: [Float],
    configuration: DetectorConfiguration
  ) {
    let count = best.segments.count
    evidence.boundaryMotion = Double(Self.boundaryMotion(of: best, speeds: speeds))
    let alike = trimmed.filter {
      $0.score >= Float(configuration.scoreTolerance) * best.score
    }
    let near = trimmed.filter {
      $0.period >= 0.8 * best.period && $0.period <= 1.25 * best.period
    }
    let same = near.filter { $0.segments.count == count }.map(\.score).max() ?? best.score
    let other = near.filter { $0.segments.count != count }.map(\.score).max() ?? 0
    evidence.margin = same > 0 ? Double(min(max((same - other) / same, -1), 1)) : 0
    evidence.agreement =
      Double(alike.count { $0.segments.count == count }) / Double(max(alike.count, 1))
  }

  /// The reading with as many reps as were intended, where a setting next to the standard one gives it.
  /// A reading that lacks a rep is always at hand, as it takes no more than another phase; so fewer
  /// reps than were chosen are only believed where a first or last rep is doubtful.
  private static func towardsTarget(
    _ chosen: Segmentation, _ decision: Decision, among readings: [Segmentation],
    in frames: ArraySlice<MotionFrame>, speeds: [Float],
    configuration: DetectorConfiguration
  ) -> Segmentation {
    guard let intended = configuration.hints.targetReps, intended != chosen.segments.count else {
      return chosen
    }
    guard intended < chosen.segments.count else {
      return neighbours(
        of: decision, among: readings, in: frames, speeds: speeds, configuration: configuration
      ).first { $0.segments.count == intended } ?? chosen
    }
    let stricter = trimEdges(
      of: chosen, in: frames,
      configuration: configuration.with(\.edgeSimilarity, changedBy: 0.06))
    return stricter.segments.count == intended ? stricter : chosen
  }

  /// What eight settings next to the standard ones give; nothing for one that gives none.
  private static func neighbours(
    of decision: Decision, among readings: [Segmentation], in frames: ArraySlice<MotionFrame>,
    speeds: [Float],
    configuration: DetectorConfiguration
  ) -> [Segmentation] {
    [0, -0.06, 0.06].flatMap { edge -> [Segmentation] in
      var neighbour = configuration
      neighbour.edgeSimilarity += edge
      let decision =
        edge == 0
        ? decision
        : Decision(
          among: readings, in: frames, speeds: speeds, configuration: neighbour)
      return [0, -0.15, 0.15].compactMap { motion in
        guard edge != 0 || motion != 0 else { return nil }
        neighbour.boundaryMotionTolerance = configuration.boundaryMotionTolerance + motion
        return decision?.chosen(configuration: neighbour)
      }
    }
  }

  /// Readings whose periods differ: the sweep makes the phases anew anyway.
  private static func distinct(
    _ readings: [Segmentation], configuration: DetectorConfiguration
  ) -> [Segmentation] {
    var result: [Segmentation] = []
    for reading in readings
    where !result.contains(where: {
      (reading.period / $0.period - 1).magnitude < configuration.distinctPeriods
    }) {
      result.append(reading)
    }
    return result
  }

  /// How much the wrist moves at the boundaries between reps, as a share of its mean motion.
  static func boundaryMotion(of reading: Segmentation, speeds: [Float]) -> Float {
    guard
      let first = reading.segments.first, let last = reading.segments.last, !speeds.isEmpty
    else { return 1 }
    let rate = FrontEnd.frameRateHz
    func mean(_ from: Double, _ to: Double) -> Float {
      let a = Math.integer((from * rate).rounded(), clampedTo: 0...speeds.count)
      let b = Math.integer((to * rate).rounded(), clampedTo: 0...(speeds.count - 1))
      guard b >= a else { return 0 }
      let sum = speeds.withUnsafeBufferPointer { speeds in
        var sum: Float = 0
        for i in a...b { sum += speeds[i] }
        return sum
      }
      return sum / Float(b - a + 1)
    }
    let overall = mean(reading.seconds(first.start), reading.seconds(last.end))
    guard overall > 0 else { return 0 }
    let half = 0.06 * reading.period
    let usual = median(0..<(2 * reading.segments.count)) { i in
      let segment = reading.segments[i / 2]
      let boundary = reading.seconds(i % 2 == 0 ? segment.start : segment.end)
      return mean(boundary - half, boundary + half)
    }
    return usual / overall
  }
}
