import MotionFrames
import SignalProcessing
import TemplateSearch

/// Finds initial candidates for the boundaries of reps: the turning points of several signals at several time
/// scales, scored by the similarity of the movements between them.
struct CandidateSearch {
  /// Number of signals, in lanes: two principal axes of gravity, two of rotation, one of acceleration, and
  /// vertical acceleration.
  static let signalCount = 6

  let resolution: ShapeResolution
  let space: ComponentSpace
  /// The frames that contain the reps.
  private let frames: ArraySlice<MotionFrame>
  /// Position of these frames in the compared signal.
  private let core: Range<Int>
  private let statistics: ChannelStatistics
  private let components: [SIMD4<Float>]
  let configuration: DetectorConfiguration
  /// Cached grids and fitters; a handful at most.
  private var grids: [PhaseGrid] = []
  private var fitters: [TemplateFitter] = []
  /// Shapes of the current candidate; storage is reused for the next.
  private var shapes: RepShapes

  /// - Parameter core: The frames that contain the reps, counted from the first; nil for all. The others are
  ///   only used for comparison.
  init(
    _ all: ArraySlice<MotionFrame>, core: Range<Int>? = nil, resolution: ShapeResolution,
    configuration: DetectorConfiguration
  ) {
    let core = (core ?? 0..<all.count).clamped(to: 0..<all.count)
    self.core = core
    frames = all.dropFirst(core.lowerBound).prefix(core.count)
    self.resolution = resolution
    self.configuration = configuration
    statistics = ChannelStatistics(frames)
    space = ComponentSpace(statistics, configuration.search.amplitudes)
    components = space.project(all)
    shapes = RepShapes(phases: resolution.phases)
  }

  /// Returns the grid with a number of frames per step; cached.
  mutating func grid(framesPerStep q: Int) -> PhaseGrid {
    for i in grids.indices where grids[i].framesPerStep == q { return grids[i] }
    let grid = PhaseGrid(components, framesPerStep: q)
    grids.append(grid)
    return grid
  }

  /// Returns the fitter on the grid with a number of frames per step; cached.
  mutating func fitter(framesPerStep q: Int) -> TemplateFitter {
    for i in fitters.indices where fitters[i].grid.framesPerStep == q { return fitters[i] }
    let fitter = TemplateFitter(
      grid: grid(framesPerStep: q), resolution: resolution, configuration: configuration.search,
      within: core)
    fitters.append(fitter)
    return fitter
  }

  /// Returns the best candidates, best first.
  ///
  /// - Parameters:
  ///   - periods: Range of a typical rep's duration, in seconds.
  ///   - count: Maximum number of candidates.
  mutating func candidates(periods: ClosedRange<Double>, count: Int) -> [Segmentation] {
    guard frames.count > 8 else { return [] }
    let signals = signals()
    var extremes = BlockExtremes()
    var histogram: [Int32] = []
    var turns = TurningPoints()
    var found: [Segmentation] = []
    for corner in configuration.candidateCornersHz {
      let low = LowPassCoefficients(cornerHz: corner, rateHz: FrontEnd.frameRateHz)
      // A low-passed signal is smooth: ten values per period of the corner frequency suffice for its spread.
      let k = max(1, Int(FrontEnd.frameRateHz / (10 * corner)))
      signals.withUnsafeBufferPointer { input in
        withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: input.count) { output in
          LowPassBank.run(low, input, into: output)
          let result = UnsafeBufferPointer(output)
          extremes.read(result)
          let hysteresis =
            TurningPoints.spread(
              of: result, extremes: extremes, every: k, lanes: Self.signalCount,
              histogram: &histogram) * Float(configuration.turningPointHysteresis)
          for lane in 0..<Self.signalCount {
            turns.read(result, extremes: extremes, lane: lane, hysteresis: hysteresis[lane])
            if let candidate = candidate(turns.maxima, periods: periods) { found.append(candidate) }
            if let candidate = candidate(turns.minima, periods: periods) { found.append(candidate) }
          }
        }
      }
    }
    return Self.diverse(found, count: count)
  }

  /// Returns the six signals of the window, each without its mean.
  private func signals() -> [SIMD8<Float>] {
    let gravity = statistics.axes(ofGroup: 0)
    let rotation = statistics.axes(ofGroup: 1)
    let acceleration = statistics.axes(ofGroup: 2)
    // Projections onto two axes of gravity and two of rotation, side by side.
    func column(_ i: Int) -> SIMD4<Float> {
      SIMD4(gravity.0[i], gravity.1[i], rotation.0[i], rotation.1[i])
    }
    let (x, y, z) = (column(0), column(1), column(2))
    return [SIMD8<Float>](unsafeUninitializedCapacity: frames.count) { output, count in
      frames.withUnsafeBufferPointer { frames in
        for i in 0..<frames.count {
          let f = frames[i]
          let (g, w) = (f.gravity, f.rotation)
          let axes =
            x * SIMD4(g.x, g.x, w.x, w.x) + y * SIMD4(g.y, g.y, w.y, w.y)
            + z * SIMD4(g.z, g.z, w.z, w.z)
          let rest = SIMD4(
            (f.userAcceleration * acceleration.0).sum(), f.verticalAcceleration, 0, 0)
          output.initializeElement(at: i, to: SIMD8(lowHalf: axes, highHalf: rest))
        }
      }
      count = frames.count
    }
  }

  /// Returns the movements between boundaries, scored by their similarity; nil if they do not form a run with
  /// a period in the range.
  ///
  /// - Parameter boundaries: Boundaries in frames, from the first frame that contains reps.
  private mutating func candidate(
    _ boundaries: [Int], periods: ClosedRange<Double>
  ) -> Segmentation? {
    guard boundaries.count >= 2 else { return nil }
    let intervals = zip(boundaries.dropFirst(), boundaries).map { Double($0 - $1) }
    let period = median(intervals)
    guard periods.contains(period / FrontEnd.frameRateHz) else { return nil }
    let framesPerStep = PhaseGrid.framesPerStep(
      forPeriod: period, stepsPerRep: resolution.stepsPerRep)
    func step(_ boundary: Int) -> Double {
      PhaseGrid.step(ofFrame: Double(boundary + core.lowerBound), framesPerStep: framesPerStep)
    }
    let shortest = period / configuration.search.repLengthRatio
    let longest = period * configuration.search.repLengthRatio
    let segments = intervals.indices.compactMap { i in
      intervals[i] >= shortest && intervals[i] <= longest
        ? Segment(start: step(boundaries[i]), end: step(boundaries[i + 1])) : nil
    }
    // A single movement has no similarity.
    guard segments.count > 1 else { return nil }
    shapes.measure(segments, on: grid(framesPerStep: framesPerStep))
    let similarities = shapes.similarities()
    var result = Segmentation(
      framesPerStep: framesPerStep, segments: segments, similarities: similarities)
    // The initial score is linear in similarity, so that many fair reps outweigh few good ones.
    let score = zip(segments, similarities).reduce(Float(0)) {
      $0 + max($1.1, 0) * Float($1.0.length)
    }
    result.score = score * Float(framesPerStep)
    return result
  }

  /// Returns the best candidates, at most three per fifth of an octave in period.
  private static func diverse(_ candidates: [Segmentation], count: Int) -> [Segmentation] {
    func bin(_ candidate: Segmentation) -> Int {
      Int((Math.log(candidate.period) / Math.log(2.0) * 5).rounded(.down))
    }
    var bins: [Int] = []
    var result: [Segmentation] = []
    for candidate in candidates.sorted(byKey: { -Double($0.score) }) {
      let bin = bin(candidate)
      if bins.count(where: { $0 == bin }) >= 3 { continue }
      bins.append(bin)
      result.append(candidate)
      if result.count == count { break }
    }
    return result
  }
}
