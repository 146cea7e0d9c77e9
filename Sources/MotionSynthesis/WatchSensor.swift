import Motion
import SignalProcessing

/// Converts true kinematics to values as in Core Motion.
struct WatchSensor: Sendable {
  private var random: RandomSource
  private let gyroscopeBias: Vector3
  private let accelerometerBias: Vector3
  private let gyroscopeNoise: Double
  private let accelerometerNoise: Double
  private let yawDrift: Double
  private let tiltError: Double
  private let tiltFrequency: Double
  private let tiltPhase: Double
  private let fieldInWorld: Vector3

  init(random: RandomSource) {
    var random = random
    func vector(_ deviation: Double) -> Vector3 {
      Vector3(
        random.gaussian(deviation: deviation), random.gaussian(deviation: deviation),
        random.gaussian(deviation: deviation))
    }
    gyroscopeBias = vector(0.003)
    accelerometerBias = vector(0.004)
    gyroscopeNoise = random.uniform(0.002...0.006)
    accelerometerNoise = random.uniform(0.001_5...0.004)
    yawDrift = random.gaussian(deviation: 0.000_2)
    tiltError = random.uniform(0.002...0.008)
    tiltFrequency = random.uniform(0.1...0.3)
    tiltPhase = random.uniform(0...6.28)
    let north = random.uniform(0...6.28)
    let (s, c) = DeterministicMath.sineCosine(north)
    fieldInWorld = Vector3(20 * c, 20 * s, -43)
    self.random = random
  }

  /// One sample in standard units, without its time.
  struct Reading: Sendable {
    var userAcceleration: Vector3
    var rotationRate: Vector3
    var gravity: Vector3
    var roll: Double
    var pitch: Double
    var yaw: Double
    var magneticField: Vector3
  }

  /// Reads the sensors.
  ///
  /// 1. Accelerometer: with Core Motion's sign, gravity − acceleration. A watch at rest reads the direction
  ///    of gravity; one pushed along +x reads a negative x.
  /// 2. Attitude: the true one, rotated by a slowly varying filter error.
  /// 3. Gravity follows from roll and pitch. User acceleration is the rest of the accelerometer's reading,
  ///    which lies on a lattice of 1/65536 g.
  mutating func read(_ kinematics: WristKinematics, at time: Double) -> Reading {
    let attitude = kinematics.pose.attitude
    let down = Vector3(0, 0, -1)
    let pull = down - (1 / AccelerationUnit.standardGravity) * kinematics.acceleration
    let accelerometer =
      attitude.conjugate.rotate(pull) + accelerometerBias + noise(accelerometerNoise)

    let (s, c) = DeterministicMath.sineCosine(tiltFrequency * time + tiltPhase)
    let error = Quaternion.small(Vector3(tiltError * s, tiltError * c, yawDrift * time))
    let estimate = (error * attitude * .small(noise(0.000_1))).scaledToUnit
    let (roll, pitch, yaw) = estimate.rollPitchYaw

    let (sineRoll, cosineRoll) = DeterministicMath.sineCosine(roll)
    let (sinePitch, cosinePitch) = DeterministicMath.sineCosine(pitch)
    let gravity = Vector3(cosinePitch * sineRoll, -sinePitch, -cosinePitch * cosineRoll)

    let rate = kinematics.angularVelocity + gyroscopeBias + noise(gyroscopeNoise)
    let field = attitude.conjugate.rotate(fieldInWorld) + noise(0.25)
    return Reading(
      userAcceleration: Vector3(
        Self.promoted(Self.onLattice(accelerometer.x) - gravity.x),
        Self.promoted(Self.onLattice(accelerometer.y) - gravity.y),
        Self.promoted(Self.onLattice(accelerometer.z) - gravity.z)),
      rotationRate: Self.promoted(rate), gravity: Self.promoted(gravity),
      roll: roll, pitch: pitch, yaw: yaw, magneticField: Self.promoted(field))
  }

  private mutating func noise(_ deviation: Double) -> Vector3 {
    Vector3(
      deviation * random.gaussian(), deviation * random.gaussian(), deviation * random.gaussian())
  }

  private static func onLattice(_ value: Double) -> Double {
    // Clips at ±16 g, like the watch's accelerometer.
    (min(16, max(-16, value)) * 65_536).rounded() / 65_536
  }

  private static func promoted(_ value: Double) -> Double { Double(Float(value)) }

  private static func promoted(_ v: Vector3) -> Vector3 {
    Vector3(promoted(v.x), promoted(v.y), promoted(v.z))
  }
}
