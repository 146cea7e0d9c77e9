import MotionFrames
import SignalProcessing
import TemplateSearch

/// Computes the features of every segmentation that a run of candidates permits (``SegmentationFeatures``).
///
/// The candidates' shapes are computed once. A segmentation then costs one sum of shapes and one dot product
/// per rep, without allocation.
struct RunDescriber {
  /// Maximum number of found reps that may be omitted at each end.
  private static let mostOmitted = 2
  private let frames: ArraySlice<MotionFrame>
  private let resolution: ShapeResolution
  private let isOngoing: Bool
  private var shapes: RepShapes
  private var halves: RepShapes
  private var sum: [SIMD4<Float>]
  private var members: [Int] = []
  private var similarities: [Float] = []
  /// Direction of gravity at the begin and in the middle of each candidate.
  private var begins: [SIMD4<Float>] = []
  private var middles: [SIMD4<Float>] = []
  /// Angle between the postures at begin and end of each candidate, relative to its range: near 0 for a
  /// movement that returns, near 1 for one that goes one way.
  private var openness: [Float] = []
  /// The extent of each candidate.
  private var extents: [WristExtent] = []
  private let mostShortfall: Float
  let course: WristCourse

  /// - Parameter isOngoing: Whether the set continues beyond the frames. A movement that has begun after a
  ///   run's last rep then counts as the begin of another rep, not as an omitted half rep.
  init(
    _ frames: ArraySlice<MotionFrame>, isOngoing: Bool, configuration: DetectorConfiguration
  ) {
    self.frames = frames
    self.isOngoing = isOngoing
    resolution = configuration.search.segmentationResolution
    mostShortfall = configuration.mostShortfall
    course = WristCourse(frames)
    shapes = RepShapes(phases: resolution.phases)
    halves = RepShapes(phases: resolution.phases / 2)
    sum = [SIMD4<Float>](repeating: SIMD4(), count: resolution.phases * ComponentSpace.groups)
  }

  /// Appends the segmentations of a run, and marks its partial reps. Their ``SegmentationFeatures/explained``
  /// is the sum itself, in seconds, and not yet relative.
  mutating func describe(
    _ run: inout CandidateRun, index: Int, on grid: PhaseGrid,
    into result: inout [ScoredSegmentation]
  ) {
    let n = run.segments.count
    guard n > 1 else { return }
    shapes.measure(run.segments, on: grid)
    extents = run.segments.map { course.extent(of: grid.frames(of: $0)) }
    measurePostures(of: run)
    let found = run.segments.indices.filter { run.kinds[$0] == .found }
    let typicalExtent = WristExtent.typical(found) { extents[$0] }
    for i in run.segments.indices where typicalExtent.shortfall(of: extents[i]) > mostShortfall {
      run.kinds[i] = .partial
    }
    let typical = median(found) { run.segments[$0].length }
    // The other half of a rep may lie before the begin or after the end of a segmentation.
    let part = typical * Double(resolution.phases / 2 - 1) / Double(resolution.phases - 1)
    halves.measure(
      run.segments.map { Segment(start: $0.start - part, end: $0.start) }
        + run.segments.map { Segment(start: $0.end, end: $0.end + part) }, on: grid)
    let steps = Double(grid.stepCount - 1)
    for i in run.segments.indices {
      if run.segments[i].start - part < 0 { halves.dismiss(i) }
      if isOngoing || run.segments[i].end + part > steps { halves.dismiss(n + i) }
    }
    let latestFirst = min(run.firstFound + Self.mostOmitted, run.lastFound)
    let earliestLast = max(run.lastFound - Self.mostOmitted, run.firstFound)
    for first in 0...latestFirst where run.kinds[first] != .partial {
      for k in sum.indices { sum[k] = SIMD4() }
      members.removeAll(keepingCapacity: true)
      for last in first..<n where run.kinds[last] != .partial {
        add(last)
        if last < earliestLast || last == first { continue }
        result.append(
          ScoredSegmentation(
            run: index, first: first, last: last, count: members.count, features: features(of: run))
        )
      }
    }
  }

  private mutating func add(_ candidate: Int) {
    members.append(candidate)
    let n = sum.count
    shapes.values.withUnsafeBufferPointer { values in
      sum.withUnsafeMutableBufferPointer { sum in
        for k in 0..<n { sum[k] += values[candidate &* n &+ k] }
      }
    }
  }

  private mutating func measurePostures(of run: CandidateRun) {
    func gravity(_ step: Double) -> SIMD4<Float> {
      let frame = Math.integer(
        PhaseGrid.frame(ofStep: step, framesPerStep: run.framesPerStep).rounded(),
        clampedTo: 0...max(frames.count - 1, 0))
      return frames[frames.startIndex + frame].gravity
    }
    begins = run.segments.map { gravity($0.start) }
    middles = run.segments.map { gravity(($0.start + $0.end) / 2) }
    openness = zip(run.segments, extents).map {
      Math.angle(gravity($0.start), gravity($0.end)) / ($1.tiltRadians + 0.15)
    }
  }

  /// Returns the features of the segmentation whose reps are `members`; `sum` is the sum of their shapes.
  private mutating func features(of run: CandidateRun) -> SIMD8<Float> {
    let count = members.count
    measureSimilarities()
    let secondsPerStep = Float(run.framesPerStep) / Float(FrontEnd.frameRateHz)
    var explained: Float = 0
    var mean: Float = 0
    var least: Float = 1
    for (i, similarity) in zip(members, similarities) {
      let fit = max(similarity, 0)
      explained += fit * fit * Float(run.segments[i].length)
      mean += similarity
      least = min(least, similarity)
    }
    mean /= Float(count)
    let length = Float(median(members) { run.segments[$0].length })
    let energy = max(median(members) { shapes.energies[$0] }, 1e-12)
    let tempo = Math.log(length * secondsPerStep / 2.5)
    let first = members[0]
    let last = members[count - 1]

    let halfBefore = half(first, ofTemplate: 1, energy: energy)
    let halfAfter = half(run.segments.count + last, ofTemplate: 0, energy: energy)

    let begin = middle(of: begins)
    let turnaround = middle(of: middles)
    let range = Math.angle(begin, turnaround) + 0.15
    let open = members.reduce(0) { $0 + openness[$1] * openness[$1] } / Float(count)
    let postures =
      min(Math.angle(middles[first], turnaround) / range, 3)
      + min(Math.angle(middles[last], turnaround) / range, 3) + 3 * open
    let typicalExtent = WristExtent.typical(members) { extents[$0] }
    if isOngoing {
      let begun = min(
        max(Double(frames.count) / Double(run.framesPerStep) - run.segments[last].end, 0),
        Double(length))
      explained *= Float(1 + begun / members.reduce(0) { $0 + run.segments[$1].length })
    }
    return SIMD8(
      explained * secondsPerStep, -Math.log(1.02 - min(mean, 1)), Math.log(Float(count)),
      tempo * tempo,
      typicalExtent.shortfall(of: extents[first])
        + typicalExtent.shortfall(of: extents[last]),
      halfBefore * halfBefore + halfAfter * halfAfter, postures,
      max(0, 1.3 + Math.log(1.02 - min(max(least, -0.9), 1))))
  }

  /// Computes the leave-one-out similarity of each member into `similarities`.
  private mutating func measureSimilarities() {
    let n = sum.count
    similarities.resize(to: members.count, filler: 0)
    shapes.values.withUnsafeBufferPointer { values in
      sum.withUnsafeBufferPointer { sum in
        var square = SIMD4<Float>()
        for k in 0..<n { square += sum[k] * sum[k] }
        let total = square.sum()
        for (position, member) in members.enumerated() {
          var dot = SIMD4<Float>()
          for k in 0..<n { dot += sum[k] * values[member &* n &+ k] }
          let own = dot.sum()
          similarities[position] = (own - 1) / max(total - 2 * own + 1, 1e-9).squareRoot()
        }
      }
    }
  }

  /// Returns the similarity between half of the template and half a rep beside the segmentation, reduced if
  /// the latter has less energy.
  ///
  /// - Parameters:
  ///   - index: Index of the shape in `halves`.
  ///   - part: 0 for the template's first half, 1 for its second.
  private func half(_ index: Int, ofTemplate part: Int, energy: Float) -> Float {
    let strength = halves.energies[index]
    guard strength > 0 else { return 0 }
    let groups = ComponentSpace.groups
    let phases = resolution.phases / 2
    let from = part * (resolution.phases - phases) * groups
    let first = index * phases * groups
    var dot = SIMD4<Float>()
    var square: Float = 0
    for group in 0..<groups {
      var mean = SIMD4<Float>()
      for k in 0..<phases { mean += sum[from + k * groups + group] }
      mean /= Float(phases)
      var squares = SIMD4<Float>()
      for k in 0..<phases {
        let value = sum[from + k * groups + group] - mean
        squares += value * value
        dot += value * halves.values[first + k * groups + group]
      }
      square += squares.sum()
    }
    guard square > 1e-9 else { return 0 }
    return max(dot.sum() / square.squareRoot(), 0) * min(strength / energy, 1).squareRoot()
  }

  /// Returns the median of each component over the members.
  private func middle(of directions: [SIMD4<Float>]) -> SIMD4<Float> {
    SIMD4(
      median(members) { directions[$0].x }, median(members) { directions[$0].y },
      median(members) { directions[$0].z }, 0)
  }
}
