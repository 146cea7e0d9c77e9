/// How much the wrist moves, whatever it is that moves: of gravity, rotation and acceleration the
/// largest standard deviation (all axes together) in shares of a typical exercise's.
///
/// With rotation alone, movements that hardly turn the wrist (a squat with the bar on the back) and
/// recordings without a gyroscope would count as rest.
enum MovementActivity {
  static func of(
    _ frames: ArraySlice<MotionFrame>, _ configuration: DetectorConfiguration
  ) -> Float {
    guard !frames.isEmpty else { return 0 }
    var sum = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    var square = sum
    for f in frames {
      sum.0 += f.gravity
      square.0 += f.gravity * f.gravity
      sum.1 += f.rotation
      square.1 += f.rotation * f.rotation
      sum.2 += f.userAcceleration
      square.2 += f.userAcceleration * f.userAcceleration
    }
    let n = Float(frames.count)
    func deviation(_ sum: SIMD4<Float>, _ square: SIMD4<Float>) -> Float {
      max(0, (square / n - sum / n * (sum / n)).sum()).squareRoot()
    }
    return max(
      deviation(sum.0, square.0) / Float(configuration.gravityReferenceG),
      deviation(sum.1, square.1) / Float(configuration.rotationReferenceRadPerS),
      deviation(sum.2, square.2) / Float(configuration.accelerationReferenceG))
  }
}
