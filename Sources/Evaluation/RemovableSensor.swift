import Motion

/// A sensor that an evaluation can remove, to measure its benefit.
package enum RemovableSensor: String, Sendable, CaseIterable {
  /// Gravity, attitude and magnetic field. Acceleration then includes gravity, as in raw readings.
  case attitude
  case gyroscope
}

extension MotionBatch {
  /// Returns the batch as recorded by a device without a sensor, in standard units.
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
      // A recording that never had the total acceleration keeps its user acceleration.
      for quantity in quantities
      where quantity != .userAcceleration || result.has(.totalAccelerationX) {
        for channel in quantity.channels { result[channel] = [] }
      }
    }
    return result
  }
}
