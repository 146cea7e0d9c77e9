import Motion

/// A sensor that an evaluation can do without, to tell what it is worth.
package enum RemovableSensor: String, Sendable, CaseIterable {
  /// Gravity, attitude and magnetic field: acceleration then includes gravity, as the accelerometer
  /// measures it.
  case attitude
  case gyroscope
}

extension MotionBatch {
  /// The batch as a device without a sensor would have recorded it. In standard units.
  func removing(_ sensor: RemovableSensor) -> MotionBatch {
    var result = inStandardUnits()
    switch sensor {
    case .gyroscope:
      for channel in MotionQuantity.rotationRate.channels { result[channel] = [] }
    case .attitude:
      if !result.has(.totalAccelerationX), result.has(.gravityX), result.has(.userAccelerationX) {
        let parts = zip(
          MotionQuantity.totalAcceleration.channels,
          zip(MotionQuantity.userAcceleration.channels, MotionQuantity.gravity.channels))
        for (total, (user, gravity)) in parts {
          result[total] = zip(result[user], result[gravity]).map { $0 + $1 }
        }
      }
      let quantities: [MotionQuantity] = [
        .userAcceleration, .gravity, .attitude, .quaternion, .magneticField,
      ]
      // Without gravity, what is left of a recording that never had the sum is its acceleration.
      for quantity in quantities
      where quantity != .userAcceleration || result.has(.totalAccelerationX) {
        for channel in quantity.channels { result[channel] = [] }
      }
    }
    return result
  }
}
