/// How much the wrist moves, whatever it is that moves: of gravity, rotation and acceleration the
/// largest standard deviation (all axes together) in shares of a typical exercise's.
///
/// With rotation alone, movements that hardly turn the wrist (a squat with the bar on the back) and
/// recordings without a gyroscope would count as rest.
enum MovementActivity {
  /// Sums over frames from which their activity follows.
  struct Sums: Sendable {
    private(set) var count = 0
    fileprivate var gravity = (SIMD4<Float>(), squares: SIMD4<Float>())
    fileprivate var rotation = (SIMD4<Float>(), squares: SIMD4<Float>())
    fileprivate var acceleration = (SIMD4<Float>(), squares: SIMD4<Float>())

    @inline(__always)
    mutating func add(_ f: MotionFrame) {
      count &+= 1
      gravity.0 += f.gravity
      gravity.squares += f.gravity * f.gravity
      rotation.0 += f.rotation
      rotation.squares += f.rotation * f.rotation
      acceleration.0 += f.userAcceleration
      acceleration.squares += f.userAcceleration * f.userAcceleration
    }

    mutating func add(_ other: Sums) {
      count &+= other.count
      gravity.0 += other.gravity.0
      gravity.squares += other.gravity.squares
      rotation.0 += other.rotation.0
      rotation.squares += other.rotation.squares
      acceleration.0 += other.acceleration.0
      acceleration.squares += other.acceleration.squares
    }
  }

  static func of(
    _ frames: ArraySlice<MotionFrame>, _ configuration: DetectorConfiguration
  ) -> Float {
    var sums = Sums()
    for f in frames { sums.add(f) }
    return of(sums, configuration)
  }

  static func of(_ sums: Sums, _ configuration: DetectorConfiguration) -> Float {
    guard sums.count > 0 else { return 0 }
    let n = Float(sums.count)
    func deviation(_ sums: (SIMD4<Float>, squares: SIMD4<Float>)) -> Float {
      max(0, (sums.squares / n - sums.0 / n * (sums.0 / n)).sum()).squareRoot()
    }
    return max(
      deviation(sums.gravity) / Float(configuration.gravityReferenceG),
      deviation(sums.rotation) / Float(configuration.rotationReferenceRadPerS),
      deviation(sums.acceleration) / Float(configuration.accelerationReferenceG))
  }
}
