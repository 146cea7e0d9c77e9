import SignalProcessing

/// What the reps of a run are like: all that a search for more of them needs.
struct UsualRep: Sendable, Codable {
  /// Of the grid that ``length`` refers to.
  let framesPerStep: Int
  /// Phases × groups, unit length.
  let template: [SIMD4<Float>]
  /// Median, in steps.
  let length: Double
  /// Median of the mean square of a rep about its own mean.
  let energy: Float
}

extension UsualRep {
  /// - Parameters:
  ///   - run: at least one segment.
  ///   - shapes: of the run.
  init(of run: [Segment], _ shapes: RepShapes, framesPerStep: Int) {
    self.init(
      framesPerStep: framesPerStep, template: shapes.template(), length: median(run) { $0.length },
      energy: median(shapes.energies))
  }

  /// Median length, in frames.
  var frames: Double { length * Double(framesPerStep) }
  /// Seconds.
  var period: Double { frames / FrontEnd.frameRateHz }
}
