/// The configuration of body and arm that moves the watch: one number per joint coordinate.
///
/// The body's frame has x forward, y to the left, z up. Angles in radians, lengths in metres.
struct Posture: Sendable, Hashable {
  var values: SIMD16<Double> = .zero

  enum Coordinate: Int, CaseIterable, Sendable {
    /// The hip's position.
    case bodyX, bodyY, bodyZ
    /// Trunk bent forward; −90° is lying on the back.
    case lean
    /// Turning on the spot.
    case heading
    /// Upper arm raised to the front, and to the side.
    case flexion, abduction
    /// Rotation of the upper arm about itself, inward.
    case axialRotation
    case elbow
    /// Forearm turned about itself; 0 is the neutral grip, positive pronates.
    case pronation
    /// 1 where the hand is fixed in the world (bar, floor) and the body moves instead.
    case anchor
    /// The amount of walking, 0 to 1.
    case walking
    /// The amount of physiological tremor; 1 under load.
    case tremor
  }

  subscript(coordinate: Coordinate) -> Double {
    get { values[coordinate.rawValue] }
    set { values[coordinate.rawValue] = newValue }
  }

  /// A posture with angles in degrees.
  static func degrees(
    lean: Double = 0, flexion: Double = 0, abduction: Double = 0, axial: Double = 0,
    elbow: Double = 0, pronation: Double = 0, x: Double = 0, z: Double = 0
  ) -> Posture {
    let radian = Double.pi / 180
    var posture = Posture()
    posture[.lean] = lean * radian
    posture[.flexion] = flexion * radian
    posture[.abduction] = abduction * radian
    posture[.axialRotation] = axial * radian
    posture[.elbow] = elbow * radian
    posture[.pronation] = pronation * radian
    posture[.bodyX] = x
    posture[.bodyZ] = z
    return posture
  }

  /// The posture a part of the way to another.
  func toward(_ other: Posture, _ part: Double) -> Posture {
    Posture(values: values + part * (other.values - values))
  }

  func with(_ coordinate: Coordinate, _ value: Double) -> Posture {
    var result = self
    result[coordinate] = value
    return result
  }
}
