/// The unit of a time column.
public enum TimeUnit: UInt8, Sendable, Hashable, Codable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds

  public var unitsPerSecond: Double {
    switch self {
    case .seconds: 1
    case .milliseconds: 1e3
    case .microseconds: 1e6
    case .nanoseconds: 1e9
    }
  }

  public var symbol: String {
    switch self {
    case .seconds: "s"
    case .milliseconds: "ms"
    case .microseconds: "us"
    case .nanoseconds: "ns"
    }
  }
}

/// The unit of acceleration and gravity columns.
public enum AccelerationUnit: UInt8, Sendable, Hashable, Codable, CaseIterable {
  case g, metersPerSecondSquared

  /// Standard gravity, exact by definition.
  public static let standardGravity = 9.80665

  public var unitsPerG: Double { self == .g ? 1 : Self.standardGravity }
  public var symbol: String { self == .g ? "g" : "m/s2" }
}

/// The unit of angles. Rotation rates use it per second.
public enum AngleUnit: UInt8, Sendable, Hashable, Codable, CaseIterable {
  case radians, degrees

  public var unitsPerRadian: Double { self == .radians ? 1 : 180 / Double.pi }
  public var symbol: String { self == .radians ? "rad" : "deg" }
}

/// The units of a batch's values.
///
/// A batch keeps values as written by the source, in the source's units, so that stored values can be
/// returned bit for bit. ``MotionBatch/inStandardUnits()`` converts.
public struct MotionUnits: Sendable, Hashable, Codable {
  public var time: TimeUnit
  public var userAcceleration: AccelerationUnit
  public var totalAcceleration: AccelerationUnit
  public var gravity: AccelerationUnit
  /// The angle unit; rates are per second.
  public var rotationRate: AngleUnit
  public var attitude: AngleUnit

  public init(
    time: TimeUnit = .seconds, userAcceleration: AccelerationUnit = .g,
    totalAcceleration: AccelerationUnit = .g, gravity: AccelerationUnit = .g,
    rotationRate: AngleUnit = .radians, attitude: AngleUnit = .radians
  ) {
    self.time = time
    self.userAcceleration = userAcceleration
    self.totalAcceleration = totalAcceleration
    self.gravity = gravity
    self.rotationRate = rotationRate
    self.attitude = attitude
  }

  /// Seconds, g, radians per second, radians, microtesla.
  public static let standard = MotionUnits()

  /// Returns the number of the batch's units per standard unit of a quantity.
  public func unitsPerStandardUnit(of quantity: MotionQuantity) -> Double {
    switch quantity {
    case .time: time.unitsPerSecond
    case .userAcceleration: userAcceleration.unitsPerG
    case .totalAcceleration: totalAcceleration.unitsPerG
    case .gravity: gravity.unitsPerG
    case .rotationRate: rotationRate.unitsPerRadian
    case .attitude: attitude.unitsPerRadian
    case .magneticField, .quaternion: 1
    }
  }

  /// Returns the symbol of a quantity's unit; empty for a quaternion.
  public func symbol(of quantity: MotionQuantity) -> String {
    switch quantity {
    case .time: time.symbol
    case .userAcceleration: userAcceleration.symbol
    case .totalAcceleration: totalAcceleration.symbol
    case .gravity: gravity.symbol
    case .rotationRate: rotationRate.symbol + "/s"
    case .attitude: attitude.symbol
    case .magneticField: "uT"
    case .quaternion: ""
    }
  }
}

/// The origin of the time column.
public enum MotionClock: UInt8, Sendable, Hashable, Codable {
  /// The device's own clock: seconds since it booted, or since the recording began.
  case device = 0
  /// Time since 1970-01-01 00:00 UTC.
  case unix = 1

  public var name: String { self == .device ? "device" : "unix" }
}

extension MotionUnits {
  /// Decodes units from the flags of timelines and binary frames. Bits 0 to 2: user acceleration, total
  /// acceleration and gravity in m/s² instead of g. Bits 3 and 4: rotation rate and attitude in degrees
  /// instead of radians.
  package init(bits: UInt8, time: TimeUnit) {
    func acceleration(_ bit: UInt8) -> AccelerationUnit {
      bits & bit == 0 ? .g : .metersPerSecondSquared
    }
    self.init(
      time: time, userAcceleration: acceleration(1), totalAcceleration: acceleration(2),
      gravity: acceleration(4), rotationRate: bits & 8 == 0 ? .radians : .degrees,
      attitude: bits & 16 == 0 ? .radians : .degrees)
  }

  package var bits: UInt8 {
    (userAcceleration == .g ? 0 : 1) | (totalAcceleration == .g ? 0 : 2) | (gravity == .g ? 0 : 4)
      | (rotationRate == .radians ? 0 : 8) | (attitude == .radians ? 0 : 16)
  }
}
