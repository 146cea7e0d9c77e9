/// Whether the wrist does nothing but tremble: what no rep can be made of, however alike its parts.
///
/// A rep turns the wrist, tilts it or pushes it. Where the standard deviation of all three groups
/// of channels, summed over their axes, stays below the amplitude that counts as noise, similarity
/// compares noise with noise.
enum Stillness {
  static func isMotionless(
    _ frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) -> Bool {
    deviation(frames, { $0.rotation }) < Float(configuration.restRotationRadPerS)
      && deviation(frames, { $0.gravity })
        < Float(configuration.noiseShare * configuration.gravityReferenceG)
      && deviation(frames, { $0.userAcceleration })
        < Float(2 * configuration.noiseShare * configuration.accelerationReferenceG)
  }

  /// The root of the variance summed over the axes, in rad/s.
  static func rotation(_ frames: ArraySlice<MotionFrame>) -> Double {
    Double(deviation(frames, { $0.rotation }))
  }

  /// The root of the variance summed over the axes.
  @inline(__always)
  private static func deviation(
    _ frames: ArraySlice<MotionFrame>, _ group: (MotionFrame) -> SIMD4<Float>
  ) -> Float {
    guard !frames.isEmpty else { return 0 }
    let n = Float(frames.count)
    let mean = frames.reduce(SIMD4<Float>.zero) { $0 + group($1) } / n
    let squares = frames.reduce(SIMD4<Float>.zero) { sum, frame in
      let difference = group(frame) - mean
      return sum + difference * difference
    }
    return (squares.sum() / n).squareRoot()
  }
}
