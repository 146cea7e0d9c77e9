/// A rotation in space as a unit quaternion.
struct Quaternion: Sendable, Hashable {
  var w: Double
  var x: Double
  var y: Double
  var z: Double

  init(w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  static let identity = Quaternion(w: 1, x: 0, y: 0, z: 0)

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

  /// The rotation by |v| radians about v, exact to second order: for small vectors.
  static func small(_ v: Vector3) -> Quaternion {
    Quaternion(w: 1, x: 0.5 * v.x, y: 0.5 * v.y, z: 0.5 * v.z).normalized
  }

  @inline(__always)
  static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
  }

  var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  var normalized: Quaternion {
    let scale = 1 / (w * w + x * x + y * y + z * z).squareRoot()
    return Quaternion(w: w * scale, x: x * scale, y: y * scale, z: z * scale)
  }

  @inline(__always)
  func rotate(_ v: Vector3) -> Vector3 {
    let u = Vector3(x, y, z)
    let t = 2 * u.cross(v)
    return v + w * t + u.cross(t)
  }

  /// The rotation vector (axis times angle, −π to π), the quaternion's logarithm times two.
  var rotationVector: Vector3 {
    let u = Vector3(x, y, z)
    let sine = u.length
    guard sine > 1e-300 else { return .zero }
    var angle = 2 * DeterministicMath.arcTangent(y: sine, x: w)
    if angle > Double.pi { angle -= 2 * Double.pi }
    return (angle / sine) * u
  }

  /// Core Motion's angles: this rotation, from the device's frame to one with z up, is a yaw about
  /// z after a pitch about x after a roll about y.
  var rollPitchYaw: (roll: Double, pitch: Double, yaw: Double) {
    let r21 = 2 * (y * z + w * x)
    let pitch = DeterministicMath.arcSine(r21)
    let roll = DeterministicMath.arcTangent(
      y: -2 * (x * z - w * y), x: 1 - 2 * (x * x + y * y))
    let yaw = DeterministicMath.arcTangent(
      y: -2 * (x * y - w * z), x: 1 - 2 * (x * x + z * z))
    return (roll, pitch, yaw)
  }
}
