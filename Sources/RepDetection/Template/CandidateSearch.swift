/// First guesses at where reps begin and end (step 4): the turning points of several signals at
/// several time scales, judged by how alike the movements between them are.
struct CandidateSearch {
  /// The six signals, in lanes: two principal axes of gravity, two of rotation, one of
  /// acceleration, and vertical acceleration.
  static let signalCount = 6

  let frames: [MotionFrame]
  let space: ComponentSpace
  let configuration: DetectorConfiguration
  private var grids: [Int: PhaseGrid] = [:]

  init(_ frames: [MotionFrame], configuration: DetectorConfiguration) {
    self.frames = frames
    self.configuration = configuration
    space = ComponentSpace(frames, configuration: configuration)
  }

  /// The grid for reps of about `period` seconds; kept for the next time.
  mutating func grid(forPeriod period: Double) -> PhaseGrid {
    let q = PhaseGrid.framesPerStep(
      forPeriod: period * FrontEnd.frameRateHz, stepsPerRep: configuration.stepsPerRep)
    return grid(framesPerStep: q)
  }

  mutating func grid(framesPerStep q: Int) -> PhaseGrid {
    if let grid = grids[q] { return grid }
    let grid = PhaseGrid(space, framesPerStep: q)
    grids[q] = grid
    return grid
  }

  /// The best guesses, best first.
  ///
  /// - Parameters:
  ///   - longestPeriod: seconds.
  ///   - count: how many to give.
  mutating func candidates(longestPeriod: Double, count: Int) -> [Segmentation] {
    guard frames.count > 8 else { return [] }
    let signals = signals()
    var filtered = [SIMD8<Float>](repeating: SIMD8(), count: signals.count)
    var histogram: [Int32] = []
    var found: [Segmentation] = []
    let longest = min(configuration.longestPeriodSeconds, longestPeriod)
    for corner in configuration.candidateCornersHz {
      let low = LowPassCoefficients(cornerHz: corner, rateHz: FrontEnd.frameRateHz)
      var lists: [[Int]] = []
      signals.withUnsafeBufferPointer { input in
        filtered.withUnsafeMutableBufferPointer { output in
          LowPassBank.run(low, input, into: output)
          let result = UnsafeBufferPointer(output)
          let spread = TurningPoints.spread(
            of: result, lanes: Self.signalCount, histogram: &histogram)
          for lane in 0..<Self.signalCount {
            let turns = TurningPoints(
              of: result, lane: lane,
              hysteresis: spread[lane] * Float(configuration.turningPointHysteresis))
            lists.append(turns.maxima)
            lists.append(turns.minima)
          }
        }
      }
      for list in lists {
        if let candidate = candidate(from: list, longestPeriod: longest) {
          found.append(candidate)
        }
      }
    }
    return Self.diverse(found, count: count)
  }

  /// The six signals of the stretch, each without its mean.
  private func signals() -> [SIMD8<Float>] {
    let axes = (
      principalAxes(\.gravity), principalAxes(\.rotation), principalAxes(\.userAcceleration)
    )
    return frames.map { f in
      SIMD8(
        (f.gravity * axes.0.0).sum(), (f.gravity * axes.0.1).sum(),
        (f.rotation * axes.1.0).sum(), (f.rotation * axes.1.1).sum(),
        (f.userAcceleration * axes.2.0).sum(), f.verticalAcceleration, 0, 0)
    }
  }

  private func principalAxes(
    _ path: KeyPath<MotionFrame, SIMD4<Float>>
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    var sum = SIMD4<Float>()
    for f in frames { sum += f[keyPath: path] }
    let mean = sum / Float(frames.count)
    var diagonal = SIMD4<Float>()
    var mixed = SIMD4<Float>()
    for f in frames {
      let v = f[keyPath: path] - mean
      diagonal += v * v
      mixed += v * SIMD4(v.y, v.z, v.x, 0)
    }
    let (xx, yy, zz) = (Double(diagonal.x), Double(diagonal.y), Double(diagonal.z))
    let (xy, yz, zx) = (Double(mixed.x), Double(mixed.y), Double(mixed.z))
    let vectors = PrincipalAxes.of([xx, xy, zx, xy, yy, yz, zx, yz, zz], order: 3).vectors
    return (
      SIMD4(Float(vectors[0][0]), Float(vectors[0][1]), Float(vectors[0][2]), 0),
      SIMD4(Float(vectors[1][0]), Float(vectors[1][1]), Float(vectors[1][2]), 0)
    )
  }

  private mutating func candidate(
    from boundaries: [Int], longestPeriod: Double
  ) -> Segmentation? {
    guard boundaries.count >= 2 else { return nil }
    let rate = FrontEnd.frameRateHz
    let intervals = zip(boundaries.dropFirst(), boundaries).map { Double($0 - $1) }
    let period = median(intervals)
    guard
      period >= configuration.shortestPeriodSeconds * rate, period <= longestPeriod * rate
    else { return nil }
    let grid = grid(forPeriod: period / rate)
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
    guard !segments.isEmpty else { return nil }
    let shapes = RepShapes(of: segments, on: grid)
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
