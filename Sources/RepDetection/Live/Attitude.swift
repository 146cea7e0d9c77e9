import MotionFrames

/// The wrist's attitude relative to that at the start of counting: a unit quaternion (x, y, z, w), integrated
/// from the rotation rate. Drifts by a few degrees a minute, so it is accurate for seconds.
struct Attitude: Sendable, PlainValue {
  private(set) var quaternion = SIMD4<Float>(0, 0, 0, 1)

  /// Applies a rotation rate, in rad/s, for a time in seconds. Accurate to 1 % for turns of up to 0.6 rad.
  mutating func turn(by rate: SIMD4<Float>, for seconds: Float) {
    let half = rate * (seconds / 2)
    let square = (half * half).sum()
    // Tangent of the half angle, to third order.
    var step = half * (1 + square / 3)
    step.w = 1
    let next = Self.product(quaternion, step)
    quaternion = next / (next * next).sum().squareRoot()
  }

  /// Returns the rotation from this attitude to another, as a vector along the axis in this attitude's frame.
  /// Its length is twice the sine of half the angle, which is the angle if small. Lane 3 is 0.
  func turn(to other: Attitude) -> SIMD4<Float> {
    var inverse = -quaternion
    inverse.w = quaternion.w
    let product = Self.product(inverse, other.quaternion)
    var turn = product * (product.w < 0 ? -2 : 2)
    turn.w = 0
    return turn
  }

  /// Returns the attitude half way to another.
  func middle(to other: Attitude) -> Attitude {
    let isNear = (quaternion * other.quaternion).sum() >= 0
    let sum = isNear ? quaternion + other.quaternion : quaternion - other.quaternion
    let length = (sum * sum).sum().squareRoot()
    var result = self
    if length > 0 { result.quaternion = sum / length }
    return result
  }

  private static func product(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
  }
}
