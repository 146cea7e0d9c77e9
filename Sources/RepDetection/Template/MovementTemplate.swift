import SignalProcessing

/// The shape of a finalized set's movement, with what tells it from others: its energy, its tempo, and
/// the posture in which it is made. What a later set of the same movement is recognised by.
struct MovementTemplate: Sendable, Codable {
  let space: ComponentSpace
  let framesPerStep: Int
  /// Phases × groups, unit length.
  let shape: [SIMD4<Float>]
  /// In grid steps.
  let typicalLength: Double
  let typicalEnergy: Float
  /// Of the reps that it was learned from, each to the others; and their median.
  let similarities: [Float]
  let similarity: Float
  /// Mean direction of gravity during a rep, unit length.
  let posture: SIMD4<Float>
  /// Seconds.
  let period: Double
  /// Squared similarity times duration, summed over the reps: how sure the shape is.
  let weight: Float

  /// A part of a signal that looks like a rep of this movement.
  struct Match {
    /// In grid steps.
    var segment: Segment
    /// Seconds from the first frame.
    var start: Double
    var end: Double
    var similarity: Float
    /// In shares of the typical energy.
    var energy: Float
    /// Cosine of the angle between the mean direction of gravity and ``MovementTemplate/posture``.
    var postureCosine: Float
  }

  init(
    space: ComponentSpace, framesPerStep: Int, shape: [SIMD4<Float>], typicalLength: Double,
    typicalEnergy: Float, similarities: [Float], similarity: Float, posture: SIMD4<Float>,
    period: Double, weight: Float
  ) {
    self.space = space
    self.framesPerStep = framesPerStep
    self.shape = shape
    self.typicalLength = typicalLength
    self.typicalEnergy = typicalEnergy
    self.similarities = similarities
    self.similarity = similarity
    self.posture = posture
    self.period = period
    self.weight = weight
  }

  /// - Parameters:
  ///   - segments: the reps, on `grid`.
  ///   - frames: those that `grid` was made of.
  init?(
    _ segments: [Segment], on grid: PhaseGrid, in space: ComponentSpace,
    frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) {
    guard segments.count > 1 else { return nil }
    let shapes = RepShapes(
      of: segments, on: grid, phases: configuration.segmentationResolution.phases)
    self.space = space
    framesPerStep = grid.framesPerStep
    shape = shapes.template()
    typicalLength = median(segments.map(\.length))
    typicalEnergy = median(shapes.energies)
    let segmentation = Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments,
      similarities: shapes.similarities())
    similarities = segmentation.similarities
    similarity = median(similarities)
    weight = segmentation.score
    period = typicalLength * Double(grid.framesPerStep) / FrontEnd.frameRateHz
    let postures = segments.map {
      Self.meanGravity(of: $0, framesPerStep: grid.framesPerStep, in: frames)
    }
    posture = Self.direction(
      SIMD4(
        median(postures.map(\.x)), median(postures.map(\.y)), median(postures.map(\.z)), 0))
  }

  /// Everything in a signal that the best run of reps with this template takes for a rep. One
  /// search (``TemplateFitter/search(template:typicalLength:typicalEnergy:)``).
  func matches(
    in frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) -> [Match] {
    let grid = PhaseGrid(
      space.project(frames), groups: space.groups, framesPerStep: framesPerStep)
    let fitter = TemplateFitter(
      grid: grid, resolution: configuration.segmentationResolution, configuration: configuration)
    let segments = fitter.search(
      template: shape, typicalLength: typicalLength, typicalEnergy: typicalEnergy)
    let shapes = RepShapes(
      of: segments, on: grid, phases: configuration.segmentationResolution.phases)
    let segmentation = Segmentation(
      framesPerStep: framesPerStep, segments: segments,
      similarities: shapes.similarities(with: shape))
    return segments.indices.map { i in
      let gravity = Self.meanGravity(of: segments[i], framesPerStep: framesPerStep, in: frames)
      return Match(
        segment: segments[i], start: segmentation.seconds(segments[i].start),
        end: segmentation.seconds(segments[i].end), similarity: segmentation.similarities[i],
        energy: typicalEnergy > 0 ? shapes.energies[i] / typicalEnergy : 0,
        postureCosine: (Self.direction(gravity) * posture).sum())
    }
  }

  private static func meanGravity(
    of segment: Segment, framesPerStep: Int, in frames: ArraySlice<MotionFrame>
  ) -> SIMD4<Float> {
    func index(_ step: Double) -> Int {
      frames.startIndex
        + Math.integer(step * Double(framesPerStep), clampedTo: 0...frames.count)
    }
    let rows = frames[index(segment.start)..<max(index(segment.start), index(segment.end))]
    return rows.reduce(SIMD4<Float>.zero) { $0 + $1.gravity } / Float(max(rows.count, 1))
  }

  private static func direction(_ v: SIMD4<Float>) -> SIMD4<Float> {
    let length = (v * v).sum().squareRoot()
    return length > 0 ? v / length : v
  }
}
