/// The amount of the wrist's motion of any kind: the largest standard deviation (all axes together) among
/// gravity, rotation and acceleration, as a fraction of a typical exercise's. Vertical velocity is excluded,
/// because it decays during rest.
///
/// Rotation alone would not suffice: movements that hardly turn the wrist (a squat with the bar on the back)
/// and recordings without a gyroscope would count as rest.
package enum MovementActivity {
  /// Sums of vectors and of their squares.
  fileprivate struct Moments: Sendable, PlainValue {
    var sum = SIMD4<Float>()
    var squares = SIMD4<Float>()

    @inline(__always)
    mutating func add(_ v: SIMD4<Float>) {
      sum += v
      squares += v * v
    }

    mutating func add(_ other: Moments) {
      sum += other.sum
      squares += other.squares
    }
  }

  /// Sums over frames, from which their activity is computed.
  package struct Sums: Sendable, Codable {
    package private(set) var count = 0
    fileprivate var gravity = Moments()
    fileprivate var rotation = Moments()
    fileprivate var acceleration = Moments()

    @inline(__always)
    package mutating func add(_ f: MotionFrame) {
      count &+= 1
      gravity.add(f.gravity)
      rotation.add(f.rotation)
      acceleration.add(f.userAcceleration)
    }

    package mutating func add(_ other: Sums) {
      count &+= other.count
      gravity.add(other.gravity)
      rotation.add(other.rotation)
      acceleration.add(other.acceleration)
    }
  }

  package static func of(
    _ frames: ArraySlice<MotionFrame>, _ typical: TypicalAmplitudes
  ) -> Float {
    var sums = Sums()
    for f in frames { sums.add(f) }
    return of(sums, typical)
  }

  package static func of(_ sums: Sums, _ typical: TypicalAmplitudes) -> Float {
    guard sums.count > 0 else { return 0 }
    let n = Float(sums.count)
    func deviation(_ moments: Moments) -> Float {
      let mean = moments.sum / n
      var variance = moments.squares / n - mean * mean
      variance.w = 0
      return max(0, variance.sum()).squareRoot()
    }
    return max(
      deviation(sums.gravity) / Float(typical.gravityG),
      deviation(sums.rotation) / Float(typical.rotationRadPerS),
      deviation(sums.acceleration) / Float(typical.accelerationG))
  }
}
