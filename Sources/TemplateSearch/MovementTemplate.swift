import MotionFrames
import SignalProcessing

/// The shape, energy and tempo of a finalized set's movement, by which further bouts are recognized. Shared
/// by copies of a run.
package final class MovementTemplate: Sendable, Codable {
  package let space: ComponentSpace
  package let typicalRep: TypicalRep
  /// Similarity of each rep in the template to the others.
  package let similarities: [Float]
  /// Sum over the reps of squared similarity times duration: a measure of the shape's reliability.
  package let weight: Float

  /// Period of the reps, in seconds.
  package var period: Double { typicalRep.period }

  /// A part of a signal that looks like a rep of this movement.
  package struct Match {
    /// Begin and end, in seconds from the first frame.
    package var start: Double
    package var end: Double
    package var similarity: Float
  }

  /// - Parameter segments: The reps, on `grid`.
  package init?(
    _ segments: [Segment], on grid: PhaseGrid, in space: ComponentSpace,
    configuration: TemplateSearchConfiguration
  ) {
    guard segments.count > 1 else { return nil }
    let shapes = RepShapes(
      of: segments, on: grid, phases: configuration.segmentationResolution.phases)
    self.space = space
    typicalRep = TypicalRep(of: segments, shapes, framesPerStep: grid.framesPerStep)
    let segmentation = Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments,
      similarities: shapes.similarities())
    similarities = segmentation.similarities
    weight = segmentation.score
  }

  /// Returns the reps in the best run for this template in a signal. Costs one search
  /// (``TemplateFitter/search(_:within:)``).
  package func matches(
    in frames: ArraySlice<MotionFrame>, configuration: TemplateSearchConfiguration
  ) -> [Match] {
    let grid = PhaseGrid(space.project(frames), framesPerStep: typicalRep.framesPerStep)
    let fitter = TemplateFitter(
      grid: grid, resolution: configuration.segmentationResolution, configuration: configuration)
    let segments = fitter.search(typicalRep)
    let shapes = RepShapes(
      of: segments, on: grid, phases: configuration.segmentationResolution.phases)
    return zip(segments, shapes.similarities(with: typicalRep.template)).map {
      segment, similarity in
      let frames = grid.frames(of: segment)
      return Match(
        start: frames.start / FrontEnd.frameRateHz, end: frames.end / FrontEnd.frameRateHz,
        similarity: similarity)
    }
  }
}
