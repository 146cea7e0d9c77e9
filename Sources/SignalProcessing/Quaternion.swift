/// A rotation from the device's frame to a fixed frame, as in Core Motion's attitude. Hamilton product,
/// scalar first.
package struct Quaternion: Sendable, Hashable {
  package var w: Double
  package var x: Double
  package var y: Double
  package var z: Double

  package static let identity = Quaternion(w: 1, x: 0, y: 0, z: 0)

  package var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }
  package var vector: SIMD3<Double> { SIMD3(x, y, z) }

  package init(w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// Converts Core Motion's angles, in radians: yaw about z, then pitch about x, then roll about y.
  package init(roll: Double, pitch: Double, yaw: Double) {
    let yawing = Quaternion(w: Math.cosine(yaw / 2), x: 0, y: 0, z: Math.sine(yaw / 2))
    let pitching = Quaternion(w: Math.cosine(pitch / 2), x: Math.sine(pitch / 2), y: 0, z: 0)
    let rolling = Quaternion(w: Math.cosine(roll / 2), x: 0, y: Math.sine(roll / 2), z: 0)
    self = yawing * pitching * rolling
  }

  /// Creates the rotation about the direction of `vector` by its length, in radians.
  package init(rotationVector vector: SIMD3<Double>) {
    let angle = vector.length
    let scale = angle < 1e-9 ? 0.5 : Math.sine(angle / 2) / angle
    let part = vector * scale
    self.init(w: Math.cosine(angle / 2), x: part.x, y: part.y, z: part.z)
  }

  /// Creates the shortest rotation from direction `source` to direction `target`.
  package init(from source: SIMD3<Double>, to target: SIMD3<Double>) {
    let cosine = source.dot(target)
    guard cosine > -0.999_999 else {
      // Opposite directions: half a turn about any perpendicular axis.
      let helper = source.x.magnitude < 0.9 ? SIMD3(1.0, 0, 0) : SIMD3(0, 1.0, 0)
      let axis = source.cross(helper).normalized ?? SIMD3(0, 0, 1)
      self.init(w: 0, x: axis.x, y: axis.y, z: axis.z)
      return
    }
    let axis = source.cross(target)
    self = Quaternion(w: 1 + cosine, x: axis.x, y: axis.y, z: axis.z).normalized ?? .identity
  }

  package static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
  }

  /// The quaternion scaled to length 1; nil if the length is 0 or NaN.
  package var normalized: Quaternion? {
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    guard length > 1e-9, length.isFinite else { return nil }
    return Quaternion(w: w / length, x: x / length, y: y / length, z: z / length)
  }

  /// Rotates a vector from the device's frame to the fixed frame.
  package func rotate(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let t = vector.cross(v) * 2
    return v + t * w + vector.cross(t)
  }

  /// Returns the angle between two orientations in radians, 0 to π.
  package func angle(to other: Quaternion) -> Double {
    let turn = conjugate * other
    return 2 * Math.arcTangent(turn.vector.length, turn.w.magnitude)
  }

  /// Returns the angle of the rotation about `axis` (unit length), in radians: the twist of the swing–twist
  /// decomposition. Determined up to whole turns.
  package func twist(about axis: SIMD3<Double>) -> Double {
    2 * Math.arcTangent(vector.dot(axis), w)
  }
}

extension SIMD3<Double> {
  package func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }
  package var length: Double { dot(self).squareRoot() }

  package func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The vector scaled to length 1; nil if the length is 0 or NaN.
  package var normalized: SIMD3<Double>? {
    let length = self.length
    guard length > 1e-9, length.isFinite else { return nil }
    return self / length
  }

  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
