import SignalProcessing

/// The settled reading of a stretch that holds one set: steps 4 to 8 together.
struct Settlement {
  /// The chosen reading; nil where nothing repeats.
  private(set) var best: Segmentation?
  /// The coordinates in which it was found.
  private(set) var space: ComponentSpace?
  /// The grid of the chosen reading.
  private(set) var grid: PhaseGrid?
  /// Whether ``best`` holds the halves of cycles in which two sides took turns, and whether the caller
  /// says that they do.
  private(set) var isAlternating = false
  private(set) var isSaidToAlternate = false

  /// How probable the count of ``best`` is.
  private(set) var probability = 0.0

  /// - Parameters:
  ///   - stretch: with about half a period around the set.
  ///   - core: the part of them that holds the reps, in frames from the first; all where not given.
  ///   - periods: seconds that a typical rep may take.
  ///   - isDeclared: whether the caller says that it holds a set. Then readings of the period that
  ///     the hints expect are preferred; a found movement may be another.
  init(
    _ stretch: TimedFrames, core: Range<Int>? = nil,
    periods: ClosedRange<Double>? = nil, isDeclared: Bool = false,
    configuration: DetectorConfiguration
  ) {
    guard stretch.count > 8 else { return }
    let periods =
      periods ?? configuration.shortestPeriodSeconds...configuration.longestPeriodSeconds
    guard !configuration.isUnderWay else {
      readUnderWay(stretch.frames[...], periods: periods, configuration: configuration)
      return
    }
    let window = WindowSegmentations(
      stretch, core: core ?? 0..<stretch.count, periods: periods, configuration: configuration)
    decide(window, isDeclared: isDeclared, configuration: configuration)
  }

  /// - Parameter window: that was found wide enough.
  init(_ window: WindowSegmentations, configuration: DetectorConfiguration) {
    decide(window, isDeclared: false, configuration: configuration)
  }

  /// Takes the most probable segmentation of a window.
  private mutating func decide(
    _ window: WindowSegmentations, isDeclared: Bool, configuration: DetectorConfiguration
  ) {
    var window = window
    window.enumerate(configuration: configuration)
    SegmentationTrace.current?.note(window, in: window.stretch)
    let hints = configuration.hints
    guard
      let posterior = CountPosterior(
        window.segmentations, weights: configuration.weights,
        preference: { segmentation in
          guard isDeclared else { return 0 }
          let isUsual = hints.isUsual(window.period(of: segmentation))
          return (isUsual ? configuration.usualPeriodPreference : 0)
            + (segmentation.count == hints.targetReps ? configuration.targetPreference : 0)
        })
    else { return }
    var chosen = window.segmentation(posterior.best)
    chosen.probabilities = posterior.repProbabilities(among: window.rows)
    chosen.partials = window.partials(of: posterior.best, configuration: configuration)
    best = chosen
    probability = posterior.probability * window.gaplessness(of: posterior.best)
    space = window.space
    grid = window.grid(of: posterior.best)
    isSaidToAlternate = hints.alternates == true
    if let halves = AlternatingSides.halves(
      of: chosen, search: &window.search, configuration: configuration)
    {
      isAlternating = true
      best = halves
      grid = window.search.grid(framesPerStep: halves.framesPerStep)
    } else if AlternatingSides.takeTurns(chosen, configuration: configuration) {
      isAlternating = hints.alternates != false || hints.isUsual(chosen.period)
      if !isAlternating {
        let fitter = window.search.fitter(framesPerStep: chosen.framesPerStep)
        best = fitter.measured(AlternatingSides.cycles(of: chosen))
      }
    }
  }

  /// The reading of a set that goes on.
  private mutating func readUnderWay(
    _ frames: ArraySlice<MotionFrame>, periods: ClosedRange<Double>,
    configuration: DetectorConfiguration
  ) {
    var search = CandidateSearch(
      frames, resolution: configuration.settlingResolution, configuration: configuration)
    var refined: [Segmentation] = []
    for guess in search.candidates(
      periods: periods, count: configuration.candidatesWhenSettling)
    {
      let fitter = search.fitter(framesPerStep: guess.framesPerStep)
      let passes = configuration.refiningPasses
      if let result = fitter.refine(guess.segments, passes: passes) { refined.append(result) }
    }
    guard let hypothesis = refined.max(by: { $0.score < $1.score }) else { return }
    let readings = Self.sweep(hypothesis, search: &search, configuration: configuration)
    best = Decision(
      among: readings, in: frames, speeds: frames.map { $0.squaredAngularSpeed.squareRoot() },
      configuration: configuration)?.chosen(configuration: configuration)
    guard let best else { return }
    space = search.space
    grid = search.grid(framesPerStep: best.framesPerStep)
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
