import Motion

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Estimates the direction of gravity from total acceleration and rotation rate.
///
/// A complementary filter on the unit sphere (Mahony, Hamel and Pflimlin, "Nonlinear Complementary
/// Filters on the Special Orthogonal Group", 2008, reduced to the direction of gravity):
///
/// 1. The direction turns against the rotation rate: dγ/dt = γ × ω.
/// 2. It is pulled towards the measured direction with the time constant ``timeConstant``; less so the more
///    the acceleration's length differs from that of gravity, which means that the wrist moves.
/// 3. It is normalized to length 1.
///
/// Device frame, any axes; acceleration in g, rotation rate in rad/s, times in seconds. Without rotation rate
/// only step 2 remains. A gap of more than a second restarts the filter.
///
/// Differs from `GravityEstimator` of `RepDetection`: the result is shown and stored as a signal, so movement
/// must pull less (step 2), and gaps and missing values must be bridged.
package struct GravityFilter: Sendable {
  /// In seconds.
  package var timeConstant = 1.5

  private var direction = SIMD3<Double>(repeating: 0)
  private var lastTime = Double.nan

  package init() {}

  /// Adds a sample and returns the direction of gravity, of length 1; NaN before the first acceleration.
  ///
  /// NaN in acceleration or rotation rate means "not measured".
  package mutating func update(
    time: Double, acceleration: SIMD3<Double>, rotationRate: SIMD3<Double>
  ) -> SIMD3<Double> {
    let length = (acceleration * acceleration).sum().squareRoot()
    let measured = length > 0.05 && length.isFinite ? acceleration / length : nil
    let interval = time - lastTime
    guard interval >= 0, interval < 1, direction != .zero else {
      guard let measured else {
        return direction == .zero ? SIMD3(repeating: .nan) : direction
      }
      lastTime = time
      direction = measured
      return direction
    }
    lastTime = time
    if rotationRate.x.isFinite, rotationRate.y.isFinite, rotationRate.z.isFinite {
      let (g, w) = (direction, rotationRate)
      let cross = SIMD3(g.y * w.z - g.z * w.y, g.z * w.x - g.x * w.z, g.x * w.y - g.y * w.x)
      direction += cross * interval
    }
    if let measured {
      let trust = exp(-20 * (length - 1) * (length - 1))
      direction += (measured - direction) * min(1, trust * interval / timeConstant)
    }
    let norm = (direction * direction).sum().squareRoot()
    direction = norm > 1e-9 ? direction / norm : measured ?? direction
    return direction
  }
}

extension MotionBatch {
  /// Returns the batch in standard units. Missing gravity, user acceleration, roll and pitch are added if
  /// they can be computed, and listed in ``MotionBatch/estimated``.
  ///
  /// 1. Attitude from the quaternion, exactly.
  /// 2. Gravity from attitude, exactly; else by `GravityFilter` from total acceleration.
  /// 3. User acceleration as total acceleration without gravity.
  /// 4. Roll and pitch from gravity.
  ///
  /// Total acceleration at rest is assumed to point in the direction of gravity. For sources with the
  /// opposite sign, gravity and user acceleration have the opposite sign too.
  /// - Complexity: O(samples).
  public func addingDerivedMotion() -> MotionBatch {
    var batch = inStandardUnits()
    guard !batch.isEmpty else { return batch }
    if !batch.has(.attitude), batch.has(.quaternion) { batch.addAttitudeFromQuaternion() }
    if !batch.has(.gravity) {
      if batch.has(.attitude) {
        batch.addGravityFromAttitude()
      } else if batch.has(.totalAcceleration) {
        batch.addGravityByFilter()
      }
    }
    if !batch.has(.userAcceleration), batch.has(.gravity), batch.has(.totalAcceleration) {
      let axes = zip(MotionQuantity.totalAcceleration.channels, MotionQuantity.gravity.channels)
      for ((total, gravity), user) in zip(axes, MotionQuantity.userAcceleration.channels) {
        batch[user] = zip(batch[total], batch[gravity]).map { $0 - $1 }
        batch.estimated.insert(user)
      }
    }
    if !batch.has(.attitude), batch.has(.gravity) {
      let (x, y, z) = (batch[.gravityX], batch[.gravityY], batch[.gravityZ])
      batch[.roll] = zip(x, z).map { atan2($0, -$1) }
      batch[.pitch] = y.map { asin(max(-1, min(1, -$0))) }
      batch.estimated.formUnion([.roll, .pitch])
    }
    return batch
  }

  private mutating func addAttitudeFromQuaternion() {
    let (w, x, y, z) = (
      self[.quaternionW], self[.quaternionX], self[.quaternionY], self[.quaternionZ]
    )
    let attitudes = (0..<count).map { Attitude(w: w[$0], x: x[$0], y: y[$0], z: z[$0]) }
    self[.roll] = attitudes.map { $0.roll }
    self[.pitch] = attitudes.map { $0.pitch }
    self[.yaw] = attitudes.map { $0.yaw }
    estimated.formUnion(MotionQuantity.attitude.channels)
  }

  private mutating func addGravityFromAttitude() {
    let (roll, pitch) = (self[.roll], self[.pitch])
    let gravity = (0..<count).map { Attitude(roll: roll[$0], pitch: pitch[$0], yaw: 0).gravity }
    self[.gravityX] = gravity.map { $0.x }
    self[.gravityY] = gravity.map { $0.y }
    self[.gravityZ] = gravity.map { $0.z }
    estimated.formUnion(MotionQuantity.gravity.channels)
  }

  private mutating func addGravityByFilter() {
    var filter = GravityFilter()
    let times = times
    let (ax, ay, az) = (
      self[.totalAccelerationX], self[.totalAccelerationY], self[.totalAccelerationZ]
    )
    let missing = Array(repeating: Double.nan, count: has(.rotationRate) ? 0 : count)
    let (wx, wy, wz) =
      has(.rotationRate)
      ? (self[.rotationRateX], self[.rotationRateY], self[.rotationRateZ])
      : (missing, missing, missing)
    let gravity = (0..<count).map { row in
      filter.update(
        time: times[row], acceleration: SIMD3(ax[row], ay[row], az[row]),
        rotationRate: SIMD3(wx[row], wy[row], wz[row]))
    }
    self[.gravityX] = gravity.map { $0.x }
    self[.gravityY] = gravity.map { $0.y }
    self[.gravityZ] = gravity.map { $0.z }
    estimated.formUnion(MotionQuantity.gravity.channels)
  }
}
