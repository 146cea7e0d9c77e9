/// Whether the wrist does nothing but tremble: what no rep can be made of, however alike its parts.
///
/// A rep turns the wrist, tilts it or pushes it. Where the standard deviation of all three groups
/// of channels, summed over their axes, stays below the amplitude that counts as noise, similarity
/// compares noise with noise.
enum Stillness {
  static func isMotionless(
    _ frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) -> Bool {
    deviation(frames, \.rotation) < Float(configuration.restRotationRadPerS)
      && deviation(frames, \.gravity) < Float(configuration.gravityFloorG)
      && deviation(frames, \.userAcceleration) < Float(2 * configuration.accelerationFloorG)
  }

  /// The root of the variance summed over the axes, in rad/s.
  static func rotation(_ frames: ArraySlice<MotionFrame>) -> Double {
    Double(deviation(frames, \.rotation))
  }

  /// The root of the variance summed over the axes.
  private static func deviation(
    _ frames: ArraySlice<MotionFrame>, _ group: KeyPath<MotionFrame, SIMD4<Float>>
  ) -> Float {
    guard !frames.isEmpty else { return 0 }
    let n = Float(frames.count)
    let mean = frames.reduce(SIMD4<Float>.zero) { $0 + $1[keyPath: group] } / n
    let squares = frames.reduce(SIMD4<Float>.zero) { sum, frame in
      let difference = frame[keyPath: group] - mean
      return sum + difference * difference
    }
    return (squares.sum() / n).squareRoot()
  }
}
