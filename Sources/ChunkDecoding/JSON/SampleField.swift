import Motion

/// The meaning of a key in a sample: a slot of the row, or a nested object with several slots.
struct SampleField: Equatable {
  /// A slot for scalars; `nestedBase` + the quantity's raw value for objects; `unknown`.
  var code: UInt8

  /// Lower slots are channels, by raw value. Increase this when adding a channel; a test compares it with
  /// ``MotionChannel``. It is a literal because the parser compares every key with it.
  static let channelSlots: UInt8 = 23
  static let capturedAt = SampleField(code: channelSlots)
  static let captureFrequency = SampleField(code: channelSlots + 1)
  static let sampleCount = SampleField(code: channelSlots + 2)
  static let slotCount = Int(channelSlots) + 3
  static let time = SampleField(code: MotionChannel.time.rawValue)
  static let nestedBase: UInt8 = 128
  static let unknown = SampleField(code: 255)

  static func nested(_ quantity: MotionQuantity) -> SampleField {
    SampleField(code: nestedBase + quantity.rawValue)
  }

  @inline(__always)
  var slot: Int? { code < Self.slotCount ? Int(code) : nil }

  var nestedQuantity: MotionQuantity? {
    code >= Self.nestedBase && code != Self.unknown.code
      ? MotionQuantity(rawValue: code - Self.nestedBase) : nil
  }

  /// The known keys with their fields.
  static let keys: [(StaticString, SampleField)] = [
    ("timestamp", time), ("capturedAt", capturedAt), ("captureFrequency", captureFrequency),
    ("sampleCount", sampleCount),
    ("accelerationX", channel(.userAccelerationX)), ("accelerationY", channel(.userAccelerationY)),
    ("accelerationZ", channel(.userAccelerationZ)), ("rotationX", channel(.rotationRateX)),
    ("rotationY", channel(.rotationRateY)), ("rotationZ", channel(.rotationRateZ)),
    ("gravityX", channel(.gravityX)), ("gravityY", channel(.gravityY)),
    ("gravityZ", channel(.gravityZ)), ("roll", channel(.roll)), ("pitch", channel(.pitch)),
    ("yaw", channel(.yaw)), ("attitudeRoll", channel(.roll)), ("attitudePitch", channel(.pitch)),
    ("attitudeYaw", channel(.yaw)), ("magneticFieldX", channel(.magneticFieldX)),
    ("magneticFieldY", channel(.magneticFieldY)), ("magneticFieldZ", channel(.magneticFieldZ)),
    ("userAccelerationX", channel(.userAccelerationX)),
    ("userAccelerationY", channel(.userAccelerationY)),
    ("userAccelerationZ", channel(.userAccelerationZ)),
    ("rotationRateX", channel(.rotationRateX)), ("rotationRateY", channel(.rotationRateY)),
    ("rotationRateZ", channel(.rotationRateZ)), ("quaternionW", channel(.quaternionW)),
    ("quaternionX", channel(.quaternionX)), ("quaternionY", channel(.quaternionY)),
    ("quaternionZ", channel(.quaternionZ)),
    ("totalAccelerationX", channel(.totalAccelerationX)),
    ("totalAccelerationY", channel(.totalAccelerationY)),
    ("totalAccelerationZ", channel(.totalAccelerationZ)),
    ("acceleration", nested(.userAcceleration)), ("userAcceleration", nested(.userAcceleration)),
    ("rotation", nested(.rotationRate)), ("rotationRate", nested(.rotationRate)),
    ("gravity", nested(.gravity)), ("attitude", nested(.attitude)),
    ("magneticField", nested(.magneticField)), ("quaternion", nested(.quaternion)),
  ]

  private static func channel(_ channel: MotionChannel) -> SampleField {
    SampleField(code: channel.rawValue)
  }

  /// Returns the slot of a key in a nested object, such as `x` or `roll`.
  static func nestedSlot(
    _ quantity: MotionQuantity, _ key: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    let axis: Int
    switch (key.count, key.first) {
    case (1, UInt8(ascii: "x")): axis = 0
    case (1, UInt8(ascii: "y")): axis = 1
    case (1, UInt8(ascii: "z")): axis = 2
    case (1, UInt8(ascii: "w")): axis = 3
    case (4, UInt8(ascii: "r")): axis = 0
    case (5, UInt8(ascii: "p")): axis = 1
    case (3, UInt8(ascii: "y")): axis = 2
    default: return nil
    }
    switch quantity {
    case .time, .totalAcceleration: return nil
    case .quaternion:
      guard key.count == 1 else { return nil }
      return Int(MotionChannel.quaternionW.rawValue) + (axis + 1) % 4
    case .attitude:
      let names: [StaticString] = ["roll", "pitch", "yaw"]
      guard key.count > 1, equal(key, names[axis]) else { return nil }
      return Int(MotionChannel.roll.rawValue) + axis
    default:
      guard key.count == 1, axis < 3 else { return nil }
      return Int(quantity.channels[axis].rawValue)
    }
  }

  static func equal(_ key: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
    guard key.count == name.utf8CodeUnitCount else { return false }
    for index in 0..<key.count where key[index] != name.utf8Start[index] { return false }
    return true
  }
}
