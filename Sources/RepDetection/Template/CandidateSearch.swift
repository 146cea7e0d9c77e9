import SignalProcessing

/// First candidates for where reps begin and end: the turning points of several signals at
/// several time scales, judged by how alike the movements between them are.
struct CandidateSearch {
  /// The six signals, in lanes: two principal axes of gravity, two of rotation, one of
  /// acceleration, and vertical acceleration.
  static let signalCount = 6

  let resolution: ShapeResolution
  let space: ComponentSpace
  /// That hold the reps.
  private let frames: ArraySlice<MotionFrame>
  /// Where they begin in the signal that is compared.
  private let core: Range<Int>
  private let statistics: ChannelStatistics
  private let components: [SIMD4<Float>]
  let configuration: DetectorConfiguration
  /// A handful at most.
  private var grids: [PhaseGrid] = []
  private var fitters: [TemplateFitter] = []
  private var scratch: Scratch
  private let memory = SearchMemory()

  /// A run of boundaries between movements, judged.
  private struct Candidate {
    /// Where its boundaries are in ``Scratch/boundaries``.
    var boundaries: Range<Int>
    var score: Float
    /// Median length of its movements, s.
    var period: Double
  }

  /// What judging a candidate works in, kept for the next.
  private struct Scratch {
    /// Of all candidates, one after the other.
    var boundaries: [Int] = []
    var intervals: [Double] = []
    var segments: [Segment] = []
    var shapes: RepShapes
    var sum: [SIMD4<Float>] = []
    var similarities: [Float] = []
    var framesPerStep = 1
  }

  /// - Parameter core: the frames, from the first, that hold the reps; all where not given. The others
  ///   are there to be compared.
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
    space = ComponentSpace(statistics, configuration: configuration)
    components = space.project(all)
    scratch = Scratch(shapes: RepShapes(phases: resolution.phases))
  }

  /// The grid of so many frames per step; kept for the next time.
  mutating func grid(framesPerStep q: Int) -> PhaseGrid { grids[indexOfGrid(framesPerStep: q)] }

  private mutating func indexOfGrid(framesPerStep q: Int) -> Int {
    for i in grids.indices where grids[i].framesPerStep == q { return i }
    grids.append(PhaseGrid(components, framesPerStep: q))
    return grids.count - 1
  }

  /// Refines a segmentation on its grid; kept for the next time.
  mutating func fitter(framesPerStep q: Int) -> TemplateFitter {
    for i in fitters.indices where fitters[i].grid.framesPerStep == q { return fitters[i] }
    let fitter = TemplateFitter(
      grid: grid(framesPerStep: q), resolution: resolution, configuration: configuration,
      memory: memory, within: core)
    fitters.append(fitter)
    return fitter
  }

  /// The best candidates, best first.
  ///
  /// - Parameters:
  ///   - periods: seconds that a typical rep may take.
  ///   - count: how many to give.
  mutating func candidates(periods: ClosedRange<Double>, count: Int) -> [Segmentation] {
    guard frames.count > 8 else { return [] }
    let signals = signals()
    scratch.boundaries.removeAll(keepingCapacity: true)
    var extremes = BlockExtremes()
    var histogram: [Int32] = []
    var turns = TurningPoints()
    var found: [Candidate] = []
    for corner in configuration.candidateCornersHz {
      let low = LowPassCoefficients(cornerHz: corner, rateHz: FrontEnd.frameRateHz)
      // What is left below a low corner is smooth: ten values to its period tell how wide it is.
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
    return Self.diverse(found, count: count).map { segmentation(of: $0, periods: periods) }
  }

  /// The six signals of the window, each without its mean.
  private func signals() -> [SIMD8<Float>] {
    let gravity = statistics.axes(ofGroup: 0)
    let rotation = statistics.axes(ofGroup: 1)
    let acceleration = statistics.axes(ofGroup: 2)
    // Products with the two axes of gravity and the two of rotation, side by side.
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

  /// The movements between boundaries, by how alike they are; nil where they are no run of any of
  /// the periods.
  private mutating func candidate(_ boundaries: [Int], periods: ClosedRange<Double>) -> Candidate? {
    guard boundaries.count >= 2 else { return nil }
    let begin = scratch.boundaries.count
    scratch.boundaries.append(contentsOf: boundaries.map { [core] in $0 + core.lowerBound })
    let candidate = judge(begin..<scratch.boundaries.count, periods: periods)
    if candidate == nil { scratch.boundaries.removeLast(boundaries.count) }
    return candidate
  }

  /// Judges a run of boundaries in ``Scratch/boundaries``. What it was judged by is left in
  /// ``scratch``.
  private mutating func judge(
    _ boundaries: Range<Int>, periods: ClosedRange<Double>
  ) -> Candidate? {
    let rate = FrontEnd.frameRateHz
    let count = boundaries.count - 1
    scratch.intervals.resize(to: max(count, 0), filler: 0)
    scratch.intervals.withUnsafeMutableBufferPointer { intervals in
      scratch.boundaries.withUnsafeBufferPointer { all in
        for i in intervals.indices {
          let first = boundaries.lowerBound + i
          intervals[i] = Double(all[first + 1] - all[first])
        }
      }
    }
    let period = median(scratch.intervals)
    guard periods.contains(period / rate) else { return nil }
    let framesPerStep = PhaseGrid.framesPerStep(
      forPeriod: period, stepsPerRep: resolution.stepsPerRep)
    let shortest = period / configuration.repLengthRatio
    let longest = period * configuration.repLengthRatio
    scratch.segments.removeAll(keepingCapacity: true)
    scratch.segments.reserveCapacity(count)
    for i in 0..<count
    where scratch.intervals[i] >= shortest && scratch.intervals[i] <= longest {
      let first = boundaries.lowerBound + i
      scratch.segments.append(
        Segment(
          start: PhaseGrid.step(
            ofFrame: Double(scratch.boundaries[first]), framesPerStep: framesPerStep),
          end: PhaseGrid.step(
            ofFrame: Double(scratch.boundaries[first + 1]), framesPerStep: framesPerStep)))
    }
    // A movement alone resembles nothing.
    guard scratch.segments.count > 1 else { return nil }
    scratch.framesPerStep = framesPerStep
    let grid = indexOfGrid(framesPerStep: framesPerStep)
    scratch.shapes.measure(scratch.segments, on: grids[grid])
    scratch.shapes.similarities(into: &scratch.similarities, sum: &scratch.sum)
    // The first judgement is linear in similarity, so that many fair reps outweigh few good ones.
    var score: Float = 0
    for i in scratch.segments.indices {
      score += max(scratch.similarities[i], 0) * Float(scratch.segments[i].length)
    }
    let secondsPerStep = Double(framesPerStep) / rate
    return Candidate(
      boundaries: boundaries, score: score * Float(framesPerStep),
      period: median(scratch.segments) { $0.length } * secondsPerStep)
  }

  /// A candidate as a segmentation.
  private mutating func segmentation(
    of candidate: Candidate, periods: ClosedRange<Double>
  ) -> Segmentation {
    _ = judge(candidate.boundaries, periods: periods)
    var result = Segmentation(
      framesPerStep: scratch.framesPerStep, segments: scratch.segments,
      similarities: scratch.similarities)
    result.score = candidate.score
    return result
  }

  /// The best, of which at most three share a fifth of an octave in period.
  private static func diverse(_ candidates: [Candidate], count: Int) -> [Candidate] {
    func bin(_ candidate: Candidate) -> Int {
      Int((Math.log(candidate.period) / Math.log(2.0) * 5).rounded(.down))
    }
    var bins: [Int] = []
    var result: [Candidate] = []
    for candidate in candidates.sorted(by: { $0.score > $1.score }) {
      let bin = bin(candidate)
      if bins.count(where: { $0 == bin }) >= 3 { continue }
      bins.append(bin)
      result.append(candidate)
      if result.count == count { break }
    }
    return result
  }
}
