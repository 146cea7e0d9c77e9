import Motion

/// What the name of a CSV column says: sensor, quantity, axis, unit.
struct CSVColumnName {
  /// Letters and digits of the name in lower case, without sensor and unit.
  private(set) var base: String
  private(set) var sensor: SensorFile?
  private(set) var unit: String?
  private let full: String

  init(_ text: String) {
    var name = text.filter { !$0.isWhitespace }.lowercased()
    if name.hasSuffix(")"), let open = name.lastIndex(of: "(") {
      unit = String(name[name.index(after: open)..<name.index(before: name.endIndex)])
      name = String(name[..<open])
    }
    full = name.filter { $0.isLetter || $0.isNumber }
    base = full
    if let underscore = name.firstIndex(of: "_") {
      let prefix = name[..<underscore]
      if let found = prefix == "acceleration" ? .accelerometer : SensorFile.sensor(named: String(prefix)) {
        sensor = found
        base = name[name.index(after: underscore)...].filter { $0.isLetter || $0.isNumber }
      }
    }
  }

  struct Time {
    /// The time column is the one with the highest rank.
    var rank: Int
    /// As stated; nil to recognise it by size.
    var unit: TimeUnit?
    var clock: MotionClock?
    /// Not nil where the column may be a date; the one with the highest rank is taken.
    var dateRank: Int?
  }

  /// Not nil if the column is a clock.
  var time: Time? {
    guard sensor == nil else { return nil }
    let stated: TimeUnit? =
      switch unit {
      case "s": .seconds
      case "ms": .milliseconds
      case "us", "µs": .microseconds
      case "ns": .nanoseconds
      default: nil
      }
    switch full {
    case "motiontimestampsincereboot": return Time(rank: 9, unit: stated, clock: .device)
    case "secondselapsed": return Time(rank: 8, unit: .seconds, clock: .device)
    case "timestamp": return Time(rank: 7, unit: stated, dateRank: 3)
    case "epoch", "epoc": return Time(rank: 6, unit: stated, clock: .unix, dateRank: 4)
    case "capturedat": return Time(rank: 5, unit: stated, dateRank: 4)
    case "time":
      // "time (01:00)" is text in a time zone.
      return unit == nil || stated != nil ? Time(rank: 4, unit: stated, dateRank: 5) : nil
    case "accelerometertimestampsincereboot":
      return Time(rank: 3, unit: stated, clock: .device)
    case "elapsed", "t": return Time(rank: 2, unit: stated, clock: .device)
    case "loggingtime": return Time(rank: 1, unit: .seconds, clock: .unix, dateRank: 2)
    default: return nil
    }
  }

  private static let channels: [String: MotionChannel] = {
    var result: [String: MotionChannel] = [:]
    func add(_ names: [String], _ quantity: MotionQuantity, axes: [String] = ["x", "y", "z"]) {
      for name in names {
        for (axis, channel) in zip(axes, quantity.channels) { result[name + axis] = channel }
      }
    }
    add(
      ["acceleration", "useracceleration", "motionuseracceleration"], .userAcceleration)
    add(
      ["rotation", "rotationrate", "motionrotationrate", "gyrorotation", "gyroscope", "gyro"],
      .rotationRate)
    add(["gravity", "motiongravity"], .gravity)
    add(["", "attitude", "motion"], .attitude, axes: ["roll", "pitch", "yaw"])
    add(["magneticfield", "motionmagneticfield"], .magneticField)
    add(
      ["quaternion", "motionquaternion", "q", "attitudequaternion"], .quaternion,
      axes: ["w", "x", "y", "z"])
    add(["totalacceleration", "accelerometeracceleration"], .totalAcceleration)
    return result
  }()

  /// The channel, nil for a column that is not motion. Bare axes mean what the file's sensor says.
  func channel(in file: SensorFile?) -> MotionChannel? {
    let axis: Int? =
      switch base {
      case "x", "xaxis": 0
      case "y", "yaxis": 1
      case "z", "zaxis": 2
      default: nil
      }
    guard let axis else {
      // SensorLog's own accelerometer has another clock than its motion columns.
      return Self.channels[base]
    }
    let quantity: MotionQuantity
    switch sensor ?? file {
    case .accelerometer:
      quantity = base.count > 1 ? .totalAcceleration : .userAcceleration
    case .totalAcceleration: quantity = .totalAcceleration
    case .gyroscope: quantity = .rotationRate
    case .gravity: quantity = .gravity
    case .magnetometer: quantity = .magneticField
    case .wristMotion, .orientation: return nil
    case nil:
      // MetaMotion's files tell by the unit alone.
      if base.count > 1, accelerationUnit != nil {
        quantity = .totalAcceleration
      } else if base.count > 1, angleUnit != nil {
        quantity = .rotationRate
      } else {
        return nil
      }
    }
    return quantity.channels[axis]
  }

  /// One axis, `x` or `x-axis`, of whatever the file's sensor measures.
  var isBareAxis: Bool { ["x", "y", "z", "xaxis", "yaxis", "zaxis"].contains(base) }

  /// Whether the name alone, or with the file's sensor, tells that gravity is in or out.
  func gravityIsKnown(in file: SensorFile?) -> Bool {
    base.hasPrefix("user") || base.hasPrefix("motionuser") || base.hasPrefix("total")
      || base.hasPrefix("accelerometeracceleration") || base.hasSuffix("axis")
      || sensor == .wristMotion || (isBareAxis && (sensor ?? file) != nil)
  }

  var accelerationUnit: AccelerationUnit? {
    switch unit {
    case "g": .g
    case "m/s2", "m/s^2", "m/s²": .metersPerSecondSquared
    default: nil
    }
  }

  var angleUnit: AngleUnit? {
    switch unit {
    case "rad", "rad/s": .radians
    case "deg", "deg/s", "°", "°/s": .degrees
    default: nil
    }
  }
}
