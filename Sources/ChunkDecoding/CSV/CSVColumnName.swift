import Motion

/// The parsed name of a CSV column: sensor, quantity, axis, unit.
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
      if let found = prefix == "acceleration"
        ? .accelerometer : SensorFile.sensor(named: String(prefix))
      {
        sensor = found
        base = name[name.index(after: underscore)...].filter { $0.isLetter || $0.isNumber }
      }
    }
  }

  struct Time {
    /// Rank among several clocks; the lowest one is the time.
    var rank: Int
    /// The stated unit; nil to recognize it by size.
    var unit: TimeUnit?
    var clock: MotionClock?
  }

  /// The clock that the column may be; nil if it cannot be one.
  var time: Time? {
    guard mayBeTime, let found = CSVDialect.time(named: full) else { return nil }
    return Time(
      rank: found.rank, unit: found.column.unit ?? timeUnit, clock: found.column.clock)
  }

  /// Rank as a date in addition to another clock; the lowest rank is used. nil if the column is not a date.
  var dateRank: Int? { mayBeTime ? CSVDialect.dateRank(of: full) : nil }

  /// "time (01:00)" is text in a time zone.
  private var mayBeTime: Bool {
    sensor == nil && (full != "time" || unit == nil || timeUnit != nil)
  }

  private var timeUnit: TimeUnit? {
    switch unit {
    case "s": .seconds
    case "ms": .milliseconds
    case "us", "µs", "μs": .microseconds
    case "ns": .nanoseconds
    default: nil
    }
  }

  /// Returns the channel; nil for a column that is not motion. Bare axes belong to the file's sensor.
  func channel(in file: SensorFile?) -> MotionChannel? {
    let axis: Int? =
      switch base {
      case "x", "xaxis": 0
      case "y", "yaxis": 1
      case "z", "zaxis": 2
      default: nil
      }
    guard let axis else { return CSVDialect.channel(named: base) }
    return CSVDialect.quantity(ofAxis: self, in: file)?.channels[axis]
  }

  /// True if the name is only an axis of the file's sensor: `x` or `x-axis`.
  var isBareAxis: Bool { ["x", "y", "z"].contains(base) || isNamedAxis }

  /// True if the name is an axis like `x-axis`.
  var isNamedAxis: Bool { ["xaxis", "yaxis", "zaxis"].contains(base) }

  /// Returns whether the name, alone or with the file's sensor, states if gravity is included.
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
