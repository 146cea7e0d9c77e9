/// First guesses at where reps begin and end (step 4): the turning points of several signals at
/// several time scales, judged by how alike the movements between them are.
struct CandidateSearch {
  /// The six signals, in lanes: two principal axes of gravity, two of rotation, one of
  /// acceleration, and vertical acceleration.
  static let signalCount = 6

  let resolution: ShapeResolution
  let space: ComponentSpace
  private let frames: ArraySlice<MotionFrame>
  private let statistics: StretchStatistics
  private let components: [SIMD4<Float>]
  private let configuration: DetectorConfiguration
  private var grids: [Int: PhaseGrid] = [:]
  private var fitters: [Int: TemplateFitter] = [:]
  private var scratch: Scratch

  /// A row of boundaries between movements, judged.
  private struct Guess {
    var boundaries: [Int]
    var score: Float
    /// Median length of its movements, s.
    var period: Double
  }

  /// What judging a guess works in, kept for the next.
  private struct Scratch {
    var intervals: [Double] = []
    var sorted: [Double] = []
    var segments: [Segment] = []
    var shapes: RepShapes
    var sum: [SIMD4<Float>] = []
    var similarities: [Float] = []
    var framesPerStep = 1
  }

  init(
    _ frames: ArraySlice<MotionFrame>, resolution: ShapeResolution,
    configuration: DetectorConfiguration
  ) {
    self.frames = frames
    self.resolution = resolution
    self.configuration = configuration
    statistics = StretchStatistics(frames)
    space = ComponentSpace(
      statistics, groups: resolution.groups, configuration: configuration)
    components = space.project(frames)
    scratch = Scratch(shapes: RepShapes(phases: resolution.phases, groups: resolution.groups))
  }

  /// The grid of so many frames per step; kept for the next time.
  mutating func grid(framesPerStep q: Int) -> PhaseGrid {
    if let grid = grids[q] { return grid }
    let grid = PhaseGrid(components, groups: resolution.groups, framesPerStep: q)
    grids[q] = grid
    return grid
  }

  /// Refines a reading on its grid; kept for the next time.
  mutating func fitter(framesPerStep q: Int) -> TemplateFitter {
    if let fitter = fitters[q] { return fitter }
    let fitter = TemplateFitter(
      grid: grid(framesPerStep: q), resolution: resolution, configuration: configuration)
    fitters[q] = fitter
    return fitter
  }

  /// The best guesses, best first.
  ///
  /// - Parameters:
  ///   - periods: seconds that a typical rep may take.
  ///   - count: how many to give.
  mutating func candidates(periods: ClosedRange<Double>, count: Int) -> [Segmentation] {
    guard frames.count > 8 else { return [] }
    let signals = signals()
    var filtered = [SIMD8<Float>](repeating: SIMD8(), count: signals.count)
    var histogram: [Int32] = []
    var turns = TurningPoints()
    var found: [Guess] = []
    // A corner far above or below the movement's own frequency finds nothing new.
    for corner in configuration.candidateCornersHz
    where corner * periods.upperBound > configuration.cornerLow
      && corner * periods.lowerBound < configuration.cornerHigh
    {
      let low = LowPassCoefficients(cornerHz: corner, rateHz: FrontEnd.frameRateHz)
      // What is left below a low corner is smooth: every k-th value tells how wide it is.
      let k = max(1, Int(configuration.spreadStepHz / corner))
      signals.withUnsafeBufferPointer { input in
        filtered.withUnsafeMutableBufferPointer { output in
          LowPassBank.run(low, input, into: output)
          let result = UnsafeBufferPointer(output)
          let hysteresis =
            TurningPoints.spread(
              of: result, every: k, lanes: Self.signalCount, histogram: &histogram)
            * Float(configuration.turningPointHysteresis)
          for lane in 0..<Self.signalCount {
            turns.read(result, lane: lane, hysteresis: hysteresis[lane])
            if let guess = judge(turns.maxima, periods: periods) { found.append(guess) }
            if let guess = judge(turns.minima, periods: periods) { found.append(guess) }
          }
        }
      }
    }
    return Self.diverse(found, count: count).map { segmentation(of: $0, periods: periods) }
  }

  /// The six signals of the stretch, each without its mean.
  private func signals() -> [SIMD8<Float>] {
    let gravity = statistics.axes(ofGroup: 0)
    let rotation = statistics.axes(ofGroup: 1)
    let acceleration = statistics.axes(ofGroup: 2)
    return frames.map { f in
      SIMD8(
        (f.gravity * gravity.0).sum(), (f.gravity * gravity.1).sum(),
        (f.rotation * rotation.0).sum(), (f.rotation * rotation.1).sum(),
        (f.userAcceleration * acceleration.0).sum(), f.verticalAcceleration, 0, 0)
    }
  }

  /// The movements between boundaries, by how alike they are; nil where they are no row of any of
  /// the periods. What it was judged by is left in ``scratch``.
  private mutating func judge(_ boundaries: [Int], periods: ClosedRange<Double>) -> Guess? {
    guard boundaries.count >= 2 else { return nil }
    let rate = FrontEnd.frameRateHz
    scratch.intervals.removeAll(keepingCapacity: true)
    for i in 1..<boundaries.count {
      scratch.intervals.append(Double(boundaries[i] - boundaries[i - 1]))
    }
    let period = median(scratch.intervals, sorting: &scratch.sorted)
    guard periods.contains(period / rate) else { return nil }
    let grid = grid(
      framesPerStep: PhaseGrid.framesPerStep(
        forPeriod: period, stepsPerRep: resolution.stepsPerRep))
    scratch.framesPerStep = grid.framesPerStep
    scratch.segments.removeAll(keepingCapacity: true)
    let shortest = configuration.shortestRepInPeriods * period
    let longest = configuration.longestCandidateRepInPeriods * period
    for i in scratch.intervals.indices
    where scratch.intervals[i] >= shortest && scratch.intervals[i] <= longest {
      scratch.segments.append(
        Segment(
          start: grid.step(ofFrame: Double(boundaries[i])),
          end: grid.step(ofFrame: Double(boundaries[i + 1]))))
    }
    // A movement alone resembles nothing.
    guard scratch.segments.count > 1 else { return nil }
    scratch.shapes.measure(scratch.segments, on: grid)
    scratch.shapes.similarities(into: &scratch.similarities, sum: &scratch.sum)
    // The first judgement is linear in similarity, so that many fair reps outweigh few good ones.
    var score: Float = 0
    scratch.intervals.removeAll(keepingCapacity: true)
    for (segment, similarity) in zip(scratch.segments, scratch.similarities) {
      score += max(similarity, 0) * Float(segment.length)
      scratch.intervals.append(segment.length)
    }
    let secondsPerStep = Double(grid.framesPerStep) / rate
    return Guess(
      boundaries: boundaries.map { $0 }, score: score * Float(grid.framesPerStep),
      period: median(scratch.intervals, sorting: &scratch.sorted) * secondsPerStep)
  }

  /// A guess as a reading.
  private mutating func segmentation(
    of guess: Guess, periods: ClosedRange<Double>
  ) -> Segmentation {
    _ = judge(guess.boundaries, periods: periods)
    var result = Segmentation(
      framesPerStep: scratch.framesPerStep, segments: scratch.segments,
      similarities: scratch.similarities)
    result.score = guess.score
    return result
  }

  /// The best, of which at most three share a fifth of an octave in period.
  private static func diverse(_ guesses: [Guess], count: Int) -> [Guess] {
    var perBin: [Int: Int] = [:]
    var result: [Guess] = []
    for guess in guesses.sorted(by: { $0.score > $1.score }) {
      let bin = Int((Math.log(guess.period) / Math.log(2.0) * 5).rounded(.down))
      if perBin[bin, default: 0] >= 3 { continue }
      perBin[bin, default: 0] += 1
      result.append(guess)
      if result.count == count { break }
    }
    return result
  }
}
