import Motion

/// A description of a CSV file's columns, for files whose header does not identify them.
///
/// In JSON, absent sensors are omitted; columns are numbers from 0 or header names:
///
///     {"header": false, "delimiter": ",",
///      "time": {"column": 0, "unit": "ms"},
///      "acceleration": {"columns": [1, 2, 3], "unit": "m/s2", "gravity": "included"},
///      "rotation": {"columns": [4, 5, 6], "unit": "rad/s"},
///      "gravity": {"columns": [7, 8, 9], "unit": "g"},
///      "attitude": {"columns": [10, 11, 12], "unit": "rad"},
///      "quaternion": {"columns": [13, 14, 15, 16]},
///      "magneticField": {"columns": [17, 18, 19], "unit": "uT"}}
public struct ColumnDescription: Sendable, Hashable {
  public enum Column: Sendable, Hashable {
    /// Index from 0.
    case number(Int)
    /// Exact name in the header.
    case name(String)
  }

  public struct Sensor: Sendable, Hashable {
    public var quantity: MotionQuantity
    /// Columns in the order of the quantity's channels.
    public var columns: [Column]

    public init(quantity: MotionQuantity, columns: [Column]) {
      self.quantity = quantity
      self.columns = columns
    }
  }

  public var hasHeader: Bool
  /// The delimiter; nil to recognize it from the first line.
  public var delimiter: UInt8?
  /// The time column; nil if the file has no times, which ``DecodingOptions/rateHz`` then provides.
  public var time: Column?
  public var sensors: [Sensor]
  public var units: MotionUnits
  /// True if the acceleration's unit is stated; otherwise it is recognized.
  public var accelerationUnitIsKnown: Bool
  /// True if the description states whether acceleration includes gravity; otherwise that is recognized.
  public var gravityIsKnown: Bool

  public init(
    hasHeader: Bool, delimiter: UInt8? = nil, time: Column?, sensors: [Sensor],
    units: MotionUnits = .standard, accelerationUnitIsKnown: Bool = true,
    gravityIsKnown: Bool = true
  ) {
    self.hasHeader = hasHeader
    self.delimiter = delimiter
    self.time = time
    self.sensors = sensors
    self.units = units
    self.accelerationUnitIsKnown = accelerationUnitIsKnown
    self.gravityIsKnown = gravityIsKnown
  }

  /// Reads a description from JSON.
  public init(json bytes: UnsafeRawBufferPointer) throws(DecodingFailure) {
    guard bytes.count <= 1 << 20 else { throw Self.wrong("more than a mebibyte") }
    let root = try JSONValue.parse(bytes, limits: .standard)
    guard case .object(let members) = root else {
      throw Self.wrong("a JSON object was expected")
    }
    let known = [
      "header", "delimiter", "time", "acceleration", "rotation", "gravity", "attitude",
      "quaternion", "magneticField",
    ]
    for key in members.keys.sorted() where !known.contains(key) {
      throw Self.wrong("\"\(key)\" is unknown; known are \(known.joined(separator: ", "))")
    }
    switch members["header"] {
    case .bool(let value): hasHeader = value
    case nil: hasHeader = true
    default: throw Self.wrong("\"header\" must be true or false")
    }
    switch members["delimiter"] {
    case .text(let text):
      guard let byte = text.utf8.first, text.utf8.count == 1, byte != 0x22, byte != 10, byte != 13
      else { throw Self.wrong("\"delimiter\" must be one ASCII character") }
      delimiter = byte
    case nil: delimiter = nil
    default: throw Self.wrong("\"delimiter\" must be a text")
    }
    units = .standard
    if let timeMember = members["time"] {
      guard let timeColumn = timeMember["column"] else {
        throw Self.wrong("\"time\": {\"column\": …} was expected")
      }
      time = try Self.column(timeColumn, of: "time")
      units.time =
        try Self.unit(
          timeMember, of: "time",
          ["s": .seconds, "ms": .milliseconds, "us": .microseconds, "ns": .nanoseconds])
        ?? .seconds
    }
    sensors = []
    accelerationUnitIsKnown = true
    gravityIsKnown = true
    try readSensors(members)
    if sensors.isEmpty { throw Self.wrong("it names no sensor") }
  }

  private mutating func readSensors(
    _ members: [String: JSONValue]
  ) throws(DecodingFailure) {
    let accelerationUnits: [String: AccelerationUnit] = ["g": .g, "m/s2": .metersPerSecondSquared]
    if let member = members["acceleration"] {
      let unit = try Self.unit(member, of: "acceleration", accelerationUnits)
      let includesGravity: Bool?
      switch member["gravity"] {
      case .text("included"): includesGravity = true
      case .text("removed"): includesGravity = false
      case nil: includesGravity = nil
      default:
        throw Self.wrong("\"gravity\" of \"acceleration\" must be \"included\" or \"removed\"")
      }
      accelerationUnitIsKnown = unit != nil
      gravityIsKnown = includesGravity != nil
      let quantity: MotionQuantity =
        includesGravity == true ? .totalAcceleration : .userAcceleration
      if let unit {
        units.totalAcceleration = unit
        units.userAcceleration = unit
      }
      sensors.append(try Self.sensor(member, "acceleration", quantity))
    }
    let rates: [String: AngleUnit] = ["rad/s": .radians, "deg/s": .degrees]
    let angles: [String: AngleUnit] = ["rad": .radians, "deg": .degrees]
    if let member = members["rotation"] {
      units.rotationRate = try Self.unit(member, of: "rotation", rates) ?? .radians
      sensors.append(try Self.sensor(member, "rotation", .rotationRate))
    }
    if let member = members["gravity"] {
      units.gravity = try Self.unit(member, of: "gravity", accelerationUnits) ?? .g
      sensors.append(try Self.sensor(member, "gravity", .gravity))
    }
    if let member = members["attitude"] {
      units.attitude = try Self.unit(member, of: "attitude", angles) ?? .radians
      sensors.append(try Self.sensor(member, "attitude", .attitude))
    }
    if let member = members["quaternion"] {
      sensors.append(try Self.sensor(member, "quaternion", .quaternion))
    }
    if let member = members["magneticField"] {
      _ = try Self.unit(member, of: "magneticField", ["uT": true, "µT": true])
      sensors.append(try Self.sensor(member, "magneticField", .magneticField))
    }
  }

  private static func wrong(_ message: String) -> DecodingFailure {
    DecodingFailure(.invalidColumnDescription, "column description: \(message)")
  }

  private static func sensor(
    _ member: JSONValue, _ name: String, _ quantity: MotionQuantity
  ) throws(DecodingFailure) -> Sensor {
    let expected = quantity.channels.count
    guard case .array(let elements)? = member["columns"], elements.count == expected else {
      throw wrong("\"\(name)\" needs \"columns\" with \(expected) columns")
    }
    var columns: [Column] = []
    for element in elements { columns.append(try column(element, of: name)) }
    return Sensor(quantity: quantity, columns: columns)
  }

  private static func column(
    _ value: JSONValue, of name: String
  ) throws(DecodingFailure) -> Column {
    if let text = value.text { return .name(text) }
    guard let number = value.integer, (0..<1_000_000).contains(number) else {
      throw wrong("a column of \"\(name)\" must be a number from 0 or a header name")
    }
    return .number(number)
  }

  private static func unit<Unit>(
    _ member: JSONValue, of name: String, _ known: [String: Unit]
  ) throws(DecodingFailure) -> Unit? {
    guard let value = member["unit"] else { return nil }
    guard let text = value.text, let unit = known[text] else {
      let names = known.keys.sorted().joined(separator: ", ")
      throw wrong("the unit of \"\(name)\" must be one of \(names)")
    }
    return unit
  }
}
