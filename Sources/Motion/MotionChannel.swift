/// One column of motion data: one axis of one quantity.
///
/// The raw values are written into stored timelines. They are never reused or renumbered.
public enum MotionChannel: UInt8, CaseIterable, Sendable, Hashable, Codable {
  case time = 0
  /// Acceleration of the device without gravity.
  case userAccelerationX = 1
  case userAccelerationY = 2
  case userAccelerationZ = 3
  case rotationRateX = 4
  case rotationRateY = 5
  case rotationRateZ = 6
  /// Gravity in the device's frame, of length 1 g.
  case gravityX = 7
  case gravityY = 8
  case gravityZ = 9
  case roll = 10
  case pitch = 11
  case yaw = 12
  case magneticFieldX = 13
  case magneticFieldY = 14
  case magneticFieldZ = 15
  case quaternionW = 16
  case quaternionX = 17
  case quaternionY = 18
  case quaternionZ = 19
  /// Acceleration including gravity, in Core Motion's sign: at rest it equals gravity.
  case totalAccelerationX = 20
  case totalAccelerationY = 21
  case totalAccelerationZ = 22

  /// The quantity that this channel is an axis of.
  public var quantity: MotionQuantity {
    switch rawValue {
    case 0: .time
    case 1...3: .userAcceleration
    case 4...6: .rotationRate
    case 7...9: .gravity
    case 10...12: .attitude
    case 13...15: .magneticField
    case 16...19: .quaternion
    default: .totalAcceleration
    }
  }

  /// The column's name in the project's CSV and JSON, without a unit. Matches the recording app's names if it
  /// has the channel.
  public var name: String {
    switch self {
    case .time: "timestamp"
    case .userAccelerationX: "accelerationX"
    case .userAccelerationY: "accelerationY"
    case .userAccelerationZ: "accelerationZ"
    case .rotationRateX: "rotationX"
    case .rotationRateY: "rotationY"
    case .rotationRateZ: "rotationZ"
    case .gravityX: "gravityX"
    case .gravityY: "gravityY"
    case .gravityZ: "gravityZ"
    case .roll: "roll"
    case .pitch: "pitch"
    case .yaw: "yaw"
    case .magneticFieldX: "magneticFieldX"
    case .magneticFieldY: "magneticFieldY"
    case .magneticFieldZ: "magneticFieldZ"
    case .quaternionW: "quaternionW"
    case .quaternionX: "quaternionX"
    case .quaternionY: "quaternionY"
    case .quaternionZ: "quaternionZ"
    case .totalAccelerationX: "totalAccelerationX"
    case .totalAccelerationY: "totalAccelerationY"
    case .totalAccelerationZ: "totalAccelerationZ"
    }
  }
}

/// A physical quantity measured by a motion sensor.
public enum MotionQuantity: UInt8, CaseIterable, Sendable, Hashable, Codable {
  case time, userAcceleration, rotationRate, gravity, attitude, magneticField, quaternion
  case totalAcceleration

  /// The channels of the quantity, in the order x, y, z (roll, pitch, yaw; w, x, y, z).
  public var channels: [MotionChannel] {
    switch self {
    case .time: [.time]
    case .userAcceleration: [.userAccelerationX, .userAccelerationY, .userAccelerationZ]
    case .rotationRate: [.rotationRateX, .rotationRateY, .rotationRateZ]
    case .gravity: [.gravityX, .gravityY, .gravityZ]
    case .attitude: [.roll, .pitch, .yaw]
    case .magneticField: [.magneticFieldX, .magneticFieldY, .magneticFieldZ]
    case .quaternion: [.quaternionW, .quaternionX, .quaternionY, .quaternionZ]
    case .totalAcceleration: [.totalAccelerationX, .totalAccelerationY, .totalAccelerationZ]
    }
  }
}
