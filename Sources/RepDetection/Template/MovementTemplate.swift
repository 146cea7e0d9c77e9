import SignalProcessing

/// The shape, energy and tempo of a finalized set's movement, by which its further bouts are recognised.
struct MovementTemplate: Sendable, Codable {
  let space: ComponentSpace
  let framesPerStep: Int
  /// Phases × groups, unit length.
  let shape: [SIMD4<Float>]
  /// In grid steps.
  let typicalLength: Double
  let typicalEnergy: Float
  /// Of the reps that it was learned from, each to the others.
  let similarities: [Float]
  /// Seconds.
  let period: Double
  /// Squared similarity times duration, summed over the reps: how sure the shape is.
  let weight: Float

  /// A part of a signal that looks like a rep of this movement.
  struct Match {
    /// Seconds from the first frame.
    var start: Double
    var end: Double
    var similarity: Float
  }

  /// - Parameter segments: the reps, on `grid`.
  init?(
    _ segments: [Segment], on grid: PhaseGrid, in space: ComponentSpace,
    configuration: DetectorConfiguration
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
    weight = segmentation.score
    period = typicalLength * Double(grid.framesPerStep) / FrontEnd.frameRateHz
  }

  /// Everything in a signal that the best run of reps with this template takes for a rep. One
  /// search (``TemplateFitter/search(template:typicalLength:typicalEnergy:)``).
  func matches(
    in frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) -> [Match] {
    let grid = PhaseGrid(space.project(frames), framesPerStep: framesPerStep)
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
      Match(
        start: segmentation.seconds(segments[i].start),
        end: segmentation.seconds(segments[i].end), similarity: segmentation.similarities[i])
    }
  }
}
