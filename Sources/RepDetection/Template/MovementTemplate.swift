import SignalProcessing

/// The shape, energy and tempo of a finalized set's movement, by which its further bouts are recognised.
struct MovementTemplate: Sendable, Codable {
  let space: ComponentSpace
  let usual: UsualRep
  /// Of the reps that it was learned from, each to the others.
  let similarities: [Float]
  /// Squared similarity times duration, summed over the reps: how sure the shape is.
  let weight: Float

  /// Seconds.
  var period: Double { usual.period }

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
    usual = UsualRep(of: segments, shapes, framesPerStep: grid.framesPerStep)
    let segmentation = Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments,
      similarities: shapes.similarities())
    similarities = segmentation.similarities
    weight = segmentation.score
  }

  /// Everything in a signal that the best run of reps with this template takes for a rep. One
  /// search (``TemplateFitter/search(_:within:)``).
  func matches(
    in frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) -> [Match] {
    let grid = PhaseGrid(space.project(frames), framesPerStep: usual.framesPerStep)
    let fitter = TemplateFitter(
      grid: grid, resolution: configuration.segmentationResolution, configuration: configuration)
    let segments = fitter.search(usual)
    let shapes = RepShapes(
      of: segments, on: grid, phases: configuration.segmentationResolution.phases)
    return zip(segments, shapes.similarities(with: usual.template)).map { segment, similarity in
      let frames = grid.frames(of: segment)
      return Match(
        start: frames.start / FrontEnd.frameRateHz, end: frames.end / FrontEnd.frameRateHz,
        similarity: similarity)
    }
  }
}
