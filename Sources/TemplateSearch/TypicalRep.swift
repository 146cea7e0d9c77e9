import MotionFrames
import SignalProcessing

/// The typical rep of a run, as needed to search for more of its reps.
package struct TypicalRep: Sendable, Codable {
  /// Frames per step of the grid that ``length`` refers to.
  package let framesPerStep: Int
  /// Mean shape, phases × groups, of unit norm.
  package let template: [SIMD4<Float>]
  /// Median length, in steps.
  package let length: Double
  /// Median energy: the mean square of a rep about its own mean.
  package let energy: Float
}

extension TypicalRep {
  /// - Parameters:
  ///   - run: At least one segment.
  ///   - shapes: The shapes of the run.
  package init(of run: [Segment], _ shapes: RepShapes, framesPerStep: Int) {
    self.init(
      framesPerStep: framesPerStep, template: shapes.template(), length: median(run) { $0.length },
      energy: median(shapes.energies))
  }

  /// Median length, in frames.
  package var frames: Double { length * Double(framesPerStep) }
  /// Median duration, in seconds.
  package var period: Double { frames / FrontEnd.frameRateHz }
}
