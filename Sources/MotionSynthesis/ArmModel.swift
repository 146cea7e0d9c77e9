import SignalProcessing

/// A person's trunk, upper arm and forearm, and the watch on the forearm.
struct ArmModel: Sendable {
  /// 1 for the left arm, −1 for the right.
  var side: Double
  /// In meters, like the lengths below.
  var hipToShoulder: Double
  var halfShoulderWidth: Double
  var upperArm: Double
  /// Distance from elbow to watch.
  var forearm: Double
  /// The watch's attitude relative to the forearm, whose hand end is at −z.
  var mount: Quaternion

  /// Creates a person of random size, with the watch on either wrist in either orientation.
  init(random: inout RandomSource) {
    side = random.sign()
    let size = 1 + random.gaussian(deviation: 0.06)
    hipToShoulder = 0.5 * size
    halfShoulderWidth = 0.19 * size
    upperArm = 0.30 * size
    forearm = 0.235 * size * (1 + random.gaussian(deviation: 0.04))
    // The watch's face (z) points away from the back of the hand, outward in a neutral grip; x to the hand.
    mount = .aboutX(-0.5 * Double.pi * side) * .aboutZ(0.5 * Double.pi * side)
    if random.chance(0.35) { mount = mount * .aboutZ(Double.pi) }
    // Worn on the inside of the wrist.
    if random.chance(0.08) { mount = mount * .aboutX(Double.pi) }
    let radian = Double.pi / 180
    mount =
      Quaternion.aboutZ(random.gaussian(deviation: 10 * radian)) * mount
      * .small(
        Vector3(
          0, random.gaussian(deviation: 4 * radian), random.gaussian(deviation: 4 * radian)))
  }

  /// Returns the watch's pose in a posture whose hand is free (forward kinematics).
  func pose(_ posture: Posture) -> WatchPose {
    let trunk = Quaternion.aboutZ(posture[.heading]) * .aboutY(posture[.lean])
    let arm =
      trunk * .aboutY(-posture[.flexion]) * .aboutX(side * posture[.abduction])
      * .aboutZ(-side * posture[.axialRotation])
    let lower = arm * .aboutY(-posture[.elbow])
    let hip = Vector3(posture[.bodyX], posture[.bodyY], posture[.bodyZ])
    let position =
      hip + trunk.rotate(Vector3(0, side * halfShoulderWidth, hipToShoulder))
      + arm.rotate(Vector3(0, 0, -upperArm)) + lower.rotate(Vector3(0, 0, -forearm))
    return WatchPose(
      position: position, attitude: lower * .aboutZ(-side * posture[.pronation]) * mount)
  }
}

extension ArmModel {
  /// Direction from the elbow to the hand, in the watch's frame.
  var forearmAxis: Vector3 { mount.conjugate.rotate(Vector3(0, 0, -1)) }
}
