import SignalProcessing

/// Separates gravity from the wearer's own acceleration by a complementary filter: the gyroscope rotates
/// gravity, and the measured acceleration corrects it slowly (Mahony 2008, the direction part only).
///
/// Without a gyroscope this is a low-pass of the acceleration. The sign of the acceleration does not matter:
/// if a source reports +1 g upwards, gravity points upwards.
///
/// Differs from the `GravityFilter` of `ChunkDecoding`: the counter's constants are fitted to a constant
/// correction gain, and the input has neither gaps nor missing values.
struct GravityEstimator: Sendable, Codable {
  private var gravity: SIMD4<Double>?

  /// Returns gravity (unit length) at the next instant.
  ///
  /// - Parameters:
  ///   - acceleration: Acceleration including gravity, in g.
  ///   - rotation: Rotation rate, in rad/s; nil if not measured.
  mutating func callAsFunction(
    acceleration: SIMD4<Double>, rotation: SIMD4<Double>?, configuration: FrontEndConfiguration
  ) -> SIMD4<Double> {
    guard var g = gravity else {
      let start = acceleration.normalized
      if start != SIMD4() { gravity = start }
      return start
    }
    let timeConstant: Double
    if let w = rotation {
      g -= w.crossed(with: g) * FrontEnd.internalIntervalSeconds
      timeConstant = configuration.gravityTimeConstantSeconds
    } else {
      timeConstant = configuration.gravityTimeConstantWithoutGyroscopeSeconds
    }
    g += (acceleration - g) * min(FrontEnd.internalIntervalSeconds / timeConstant, 1)
    g = g.normalized
    gravity = g == SIMD4() ? nil : g
    return g
  }
}
