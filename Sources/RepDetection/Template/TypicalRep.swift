import SignalProcessing

/// The typical rep of a run: all that a search for more of its reps needs.
struct TypicalRep: Sendable, Codable {
  /// Frames per step of the grid that ``length`` refers to.
  let framesPerStep: Int
  /// Mean shape, phases × groups, of unit norm.
  let template: [SIMD4<Float>]
  /// Median length, in steps.
  let length: Double
  /// Median energy: the mean square of a rep about its own mean.
  let energy: Float
}

extension TypicalRep {
  /// - Parameters:
  ///   - run: at least one segment.
  ///   - shapes: the shapes of the run.
  init(of run: [Segment], _ shapes: RepShapes, framesPerStep: Int) {
    self.init(
      framesPerStep: framesPerStep, template: shapes.template(), length: median(run) { $0.length },
      energy: median(shapes.energies))
  }

  /// Median length, in frames.
  var frames: Double { length * Double(framesPerStep) }
  /// Median duration, in seconds.
  var period: Double { frames / FrontEnd.frameRateHz }
}
