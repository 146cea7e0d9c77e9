import SignalProcessing

// Additions to the rotations of SignalProcessing for the synthesizer: bit-identical results on every platform
// (`DeterministicMath`), and vector sums in a fixed order.

extension Quaternion {
  @inline(__always)
  static func aboutX(_ angle: Double) -> Quaternion {
    let (s, c) = DeterministicMath.sineCosine(0.5 * angle)
    return Quaternion(w: c, x: s, y: 0, z: 0)
  }

  @inline(__always)
  static func aboutY(_ angle: Double) -> Quaternion {
    let (s, c) = DeterministicMath.sineCosine(0.5 * angle)
    return Quaternion(w: c, x: 0, y: s, z: 0)
  }

  @inline(__always)
  static func aboutZ(_ angle: Double) -> Quaternion {
    let (s, c) = DeterministicMath.sineCosine(0.5 * angle)
    return Quaternion(w: c, x: 0, y: 0, z: s)
  }

  /// Returns the rotation by |v| radians about v, exact to second order; for small vectors.
  static func small(_ v: Vector3) -> Quaternion {
    Quaternion(w: 1, x: 0.5 * v.x, y: 0.5 * v.y, z: 0.5 * v.z).scaledToUnit
  }

  /// The quaternion multiplied by the reciprocal of its length, which must not be 0. (``normalized`` divides;
  /// that may change the last bit and so the recordings of a seed.)
  var scaledToUnit: Quaternion {
    let scale = 1 / (w * w + x * x + y * y + z * z).squareRoot()
    return Quaternion(w: w * scale, x: x * scale, y: y * scale, z: z * scale)
  }

  @inline(__always)
  func rotate(_ v: Vector3) -> Vector3 {
    let u = Vector3(x, y, z)
    let t = 2 * u.cross(v)
    return v + w * t + u.cross(t)
  }

  /// The rotation vector (axis times angle, −π to π): twice the quaternion's logarithm.
  var rotationVector: Vector3 {
    let u = Vector3(x, y, z)
    let sine = u.length
    guard sine > 1e-300 else { return .zero }
    var angle = 2 * DeterministicMath.arcTangent(y: sine, x: w)
    if angle > Double.pi { angle -= 2 * Double.pi }
    return (angle / sine) * u
  }

  /// Core Motion's angles. The rotation from the device's frame to one with z up is a roll about y, then a
  /// pitch about x, then a yaw about z.
  var rollPitchYaw: (roll: Double, pitch: Double, yaw: Double) {
    let r21 = 2 * (y * z + w * x)
    let pitch = DeterministicMath.arcSine(r21)
    let roll = DeterministicMath.arcTangent(y: -2 * (x * z - w * y), x: 1 - 2 * (x * x + y * y))
    let yaw = DeterministicMath.arcTangent(y: -2 * (x * y - w * z), x: 1 - 2 * (x * x + z * z))
    return (roll, pitch, yaw)
  }
}
