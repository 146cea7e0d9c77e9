/// The configuration of body and arm that moves the watch: one number per joint coordinate.
///
/// In the body's frame, x points forward, y to the left and z up. Angles are in radians, lengths in meters.
struct Posture: Sendable, Hashable {
  var values: SIMD16<Double> = .zero

  enum Coordinate: Int, CaseIterable, Sendable {
    /// Position of the hip.
    case bodyX, bodyY, bodyZ
    /// Trunk bent forward; −90° is lying on the back.
    case lean
    /// Rotation of the body about the vertical.
    case heading
    /// Elevation of the upper arm to the front, and to the side.
    case flexion, abduction
    /// Rotation of the upper arm about its axis, inward.
    case axialRotation
    case elbow
    /// Rotation of the forearm about its axis; 0 is the neutral grip, positive pronates.
    case pronation
    /// 1 if the hand is fixed in the world (bar, floor) and the body moves instead.
    case anchor
    /// Amount of walking, 0 to 1.
    case walking
    /// Amount of physiological tremor; 1 under load.
    case tremor
  }

  subscript(coordinate: Coordinate) -> Double {
    get { values[coordinate.rawValue] }
    set { values[coordinate.rawValue] = newValue }
  }

  /// Creates a posture from angles in degrees.
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

  /// Returns the posture at a fraction of the way to another one.
  func toward(_ other: Posture, _ part: Double) -> Posture {
    Posture(values: values + part * (other.values - values))
  }

  func with(_ coordinate: Coordinate, _ value: Double) -> Posture {
    var result = self
    result[coordinate] = value
    return result
  }
}
