import SignalProcessing

/// The wrist's orientation at every point of a grid.
struct OrientationTrack {
  /// Rotations from the device's frame to a fixed one.
  let poses: [Quaternion]
  /// True if the device fused the attitude. Otherwise the angle about the vertical drifts.
  let isFused: Bool

  /// Uses the device's attitude if it agrees with the device's gravity. Otherwise integrates rotation rate,
  /// leveled by gravity or acceleration (the complementary filter of Mahony, Hamel and Pflimlin 2008).
  /// Returns nil without a gyroscope and an attitude.
  init?(_ motion: AlignedMotion) {
    if let attitude = motion.attitude, let poses = Self.checked(attitude, gravity: motion.gravity) {
      self.poses = poses
      isFused = true
      return
    }
    guard let rotation = motion.rotationRate else { return nil }
    poses = Self.integrated(
      rotation, down: motion.gravity ?? motion.totalAcceleration, isGap: motion.isGap,
      // The device's gravity is fused; raw acceleration also contains the movement itself.
      timeConstant: motion.gravity == nil ? 3 : 0.5)
    isFused = false
  }

  /// Returns acceleration in the outer frame, without gravity, in g; nil without an accelerometer.
  func outerAcceleration(_ motion: AlignedMotion) -> [SIMD3<Double>]? {
    if let user = motion.userAcceleration {
      return zip(poses, user).map { $0.rotate($1) }
    }
    return motion.totalAcceleration.map { total in
      zip(poses, total).map { $0.rotate($1) - SIMD3(0, 0, 1) }
    }
  }

  /// Returns the poses as device-to-world rotations, inverted if the source wrote them the other way; nil if
  /// neither direction agrees with gravity.
  private static func checked(_ poses: [Quaternion], gravity: [SIMD3<Double>]?) -> [Quaternion]? {
    guard let gravity else { return poses }
    var straight = 0.0
    var inverse = 0.0
    var total = 0.0
    for (pose, vector) in zip(poses, gravity) {
      guard let direction = vector.normalized else { continue }
      straight += pose.rotate(direction).z
      inverse += pose.conjugate.rotate(direction).z
      total += 1
    }
    guard total > 0 else { return poses }
    if straight.magnitude >= inverse.magnitude {
      return straight.magnitude > 0.9 * total ? poses : nil
    }
    return inverse.magnitude > 0.9 * total ? poses.map { $0.conjugate } : nil
  }

  private static func integrated(
    _ rotation: [SIMD3<Double>], down: [SIMD3<Double>]?, isGap: [Bool], timeConstant: Double
  ) -> [Quaternion] {
    let interval = 1 / AlignedMotion.rateHz
    let axis = SIMD3<Double>(0, 0, 1)
    var pose = Quaternion.identity
    if let down {
      let beginning = down.prefix(Int(AlignedMotion.rateHz / 2))
      let mean = beginning.reduce(SIMD3<Double>()) { $0 + $1 }
      if let direction = mean.normalized { pose = Quaternion(from: direction, to: axis) }
    }
    var poses: [Quaternion] = []
    poses.reserveCapacity(rotation.count)
    for index in rotation.indices {
      if isGap[index] {
        // The rotation during the gap is unknown: hold the pose, and level again at the end of the gap.
        if let down, let measured = down[index].normalized {
          let turn = Quaternion(from: measured, to: pose.conjugate.rotate(axis))
          pose = (pose * turn).normalized ?? pose
        }
        poses.append(pose)
        continue
      }
      var rate = rotation[index]
      if let down, let measured = down[index].normalized {
        // The rotation, in the device's frame, that aligns the measured direction with the axis.
        let predicted = pose.conjugate.rotate(axis)
        // Acceleration far from 1 g is mostly the movement's own.
        let strength = down[index].length
        let trust = max(0, 1 - (strength - 1).magnitude * 2)
        rate += measured.cross(predicted) * (trust / timeConstant)
      }
      let previous = index > 0 ? (rotation[index - 1] + rate) / 2 : rate
      pose = (pose * Quaternion(rotationVector: previous * interval)).normalized ?? pose
      poses.append(pose)
    }
    return poses
  }
}
