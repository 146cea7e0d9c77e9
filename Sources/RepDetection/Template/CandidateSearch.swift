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
  }

  /// The grid of so many frames per step; kept for the next time.
  mutating func grid(framesPerStep q: Int) -> PhaseGrid {
    if let grid = grids[q] { return grid }
    let grid = PhaseGrid(components, groups: resolution.groups, framesPerStep: q)
    grids[q] = grid
    return grid
  }

  /// Refines a reading on its grid.
  mutating func fitter(framesPerStep q: Int) -> TemplateFitter {
    TemplateFitter(
      grid: grid(framesPerStep: q), resolution: resolution, configuration: configuration)
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
    var found: [Segmentation] = []
    // A corner far above or below the movement's own frequency finds nothing new.
    for corner in configuration.candidateCornersHz
    where corner * periods.upperBound > configuration.cornerLow
      && corner * periods.lowerBound < configuration.cornerHigh
    {
      let low = LowPassCoefficients(cornerHz: corner, rateHz: FrontEnd.frameRateHz)
      var lists: [[Int]] = []
      // What is left below a low corner is smooth: every k-th value tells how wide it is.
      let k = max(1, Int(configuration.spreadStepHz / corner))
      signals.withUnsafeBufferPointer { input in
        filtered.withUnsafeMutableBufferPointer { output in
          LowPassBank.run(low, input, into: output)
          let result = UnsafeBufferPointer(output)
          let spread = TurningPoints.spread(
            of: result, every: k, lanes: Self.signalCount, histogram: &histogram)
          for turns in TurningPoints.ofLanes(
            Self.signalCount, of: result,
            hysteresis: spread * Float(configuration.turningPointHysteresis))
          {
            lists.append(turns.maxima)
            lists.append(turns.minima)
          }
        }
      }
      for list in lists {
        if let candidate = candidate(from: list, periods: periods) {
          found.append(candidate)
        }
      }
    }
    return Self.diverse(found, count: count)
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

  private mutating func candidate(
    from boundaries: [Int], periods: ClosedRange<Double>
  ) -> Segmentation? {
    guard boundaries.count >= 2 else { return nil }
    let rate = FrontEnd.frameRateHz
    let intervals = zip(boundaries.dropFirst(), boundaries).map { Double($0 - $1) }
    let period = median(intervals)
    guard periods.contains(period / rate) else { return nil }
    let grid = grid(
      framesPerStep: PhaseGrid.framesPerStep(
        forPeriod: period, stepsPerRep: resolution.stepsPerRep))
    var segments: [Segment] = []
    for i in intervals.indices
    where intervals[i] >= configuration.shortestRepInPeriods * period
      && intervals[i] <= configuration.longestCandidateRepInPeriods * period
    {
      segments.append(
        Segment(
          start: grid.step(ofFrame: Double(boundaries[i])),
          end: grid.step(ofFrame: Double(boundaries[i + 1]))))
    }
    // A movement alone resembles nothing.
    guard segments.count > 1 else { return nil }
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    var result = Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments, similarities: shapes.similarities())
    // The first judgement is linear in similarity, so that many fair reps outweigh few good ones.
    result.score =
      zip(result.segments, result.similarities).reduce(0) {
        $0 + max($1.1, 0) * Float($1.0.length)
      } * Float(grid.framesPerStep)
    return result
  }

  /// The best, of which at most three share a fifth of an octave in period.
  private static func diverse(_ candidates: [Segmentation], count: Int) -> [Segmentation] {
    var perBin: [Int: Int] = [:]
    var result: [Segmentation] = []
    for candidate in candidates.sorted(by: { $0.score > $1.score }) {
      let bin = Int((Math.log(candidate.period) / Math.log(2.0) * 5).rounded(.down))
      if perBin[bin, default: 0] >= 3 { continue }
      perBin[bin, default: 0] += 1
      result.append(candidate)
      if result.count == count { break }
    }
    return result
  }
}
