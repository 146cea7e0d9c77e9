import Motion

/// The columns and units of the motion in a CSV file's rows.
struct CSVLayout {
  var delimiter: UInt8
  /// Slot of each column up to the last needed one; `ignored` for columns that are not motion.
  var slots: [UInt8]
  var units = MotionUnits.standard
  /// True if the unit of time is stated; otherwise it is recognized by size.
  var timeUnitIsKnown = false
  /// The clock, if stated.
  var clock: MotionClock?
  var accelerationUnitIsKnown = false
  /// True if user acceleration and total acceleration are told apart by names or description.
  var gravityIsKnown = false
  /// The unit if neither name nor size determines it.
  var defaultAccelerationUnit = AccelerationUnit.g
  var rotationUnitIsKnown = false
  var angleUnitIsKnown = false
  /// Offset of the first row, after the header if there is one.
  var dataStart: Int
  var firstLine: Int

  static let ignored: UInt8 = 255
  static let timeSlot = slot(of: .time)
  /// The slot of an additional date. Counted from the top, like ``ignored``, so that channels can be added.
  static let dateSlot: UInt8 = 254

  static func slot(of channel: MotionChannel) -> UInt8 { channel.rawValue }

  private static func isMotion(_ slot: UInt8) -> Bool {
    slot != timeSlot && slot != dateSlot && slot != ignored
  }

  /// Creates the layout from a column description.
  init(
    _ description: ColumnDescription, header: [String]?, delimiter: UInt8, dataStart: Int,
    firstLine: Int, limits: DecodingLimits
  ) throws(DecodingFailure) {
    self.delimiter = delimiter
    self.dataStart = dataStart
    self.firstLine = firstLine
    slots = []
    units = description.units
    timeUnitIsKnown = true
    accelerationUnitIsKnown = description.accelerationUnitIsKnown
    gravityIsKnown = description.gravityIsKnown
    rotationUnitIsKnown = true
    angleUnitIsKnown = true
    if let time = description.time {
      try assign(time, to: Self.timeSlot, header: header, limits: limits)
    }
    for sensor in description.sensors {
      for (channel, column) in zip(sensor.quantity.channels, sensor.columns) {
        try assign(column, to: Self.slot(of: channel), header: header, limits: limits)
      }
    }
    guard slots.contains(where: Self.isMotion) else {
      throw DecodingFailure(.invalidColumnDescription, "the column description names no sensor")
    }
  }

  private mutating func assign(
    _ column: ColumnDescription.Column, to slot: UInt8, header: [String]?, limits: DecodingLimits
  ) throws(DecodingFailure) {
    let index: Int
    switch column {
    case .number(let number): index = number
    case .name(let name):
      guard let header else {
        throw DecodingFailure(
          .invalidColumnDescription,
          "the column description names \"\(name)\", but says that there is no header")
      }
      guard let found = header.firstIndex(of: name) else {
        throw DecodingFailure(
          .unknownColumns, "the header has no column \"\(name)\" that the description names",
          line: 1)
      }
      index = found
    }
    guard index >= 0 else {
      throw DecodingFailure(
        .invalidColumnDescription, "the column description has a column \(index); they begin at 0")
    }
    guard index < limits.columns else {
      throw DecodingFailure(.limitExceeded, "more than \(limits.columns) columns")
    }
    while slots.count <= index { slots.append(Self.ignored) }
    guard slots[index] == Self.ignored else {
      throw DecodingFailure(
        .invalidColumnDescription, "the column description uses column \(index) twice")
    }
    slots[index] = slot
  }

  /// True if a column has the time.
  var hasTime: Bool { slots.contains(Self.timeSlot) }

  /// Creates the layout from the names in a header; nil if they are unknown.
  init?(
    header: [String], fileName: String, delimiter: UInt8, dataStart: Int, firstLine: Int,
    needsTime: Bool = true
  ) {
    self.delimiter = delimiter
    self.dataStart = dataStart
    self.firstLine = firstLine
    slots = Array(repeating: Self.ignored, count: header.count)
    let columns = header.map { CSVColumnName($0) }
    let sensor = SensorFile.sensor(ofFileNamed: fileName)
    let hasWrist = columns.contains { $0.sensor == .wristMotion && $0.channel(in: sensor) != nil }
    var timeRank = Int.max
    var dateRank = Int.max
    for (index, column) in columns.enumerated() {
      if let time = column.time {
        if time.rank < timeRank {
          timeRank = time.rank
          release(Self.timeSlot)
          slots[index] = Self.timeSlot
          units.time = time.unit ?? .seconds
          timeUnitIsKnown = time.unit != nil
          clock = time.clock
        }
        continue
      }
      guard let channel = column.channel(in: sensor) else { continue }
      if hasWrist, column.sensor != .wristMotion, column.sensor != nil { continue }
      guard !slots.contains(Self.slot(of: channel)) else { continue }
      slots[index] = Self.slot(of: channel)
      note(column, channel, in: sensor)
    }
    for (index, column) in columns.enumerated() where slots[index] == Self.ignored {
      if let rank = column.dateRank, rank < dateRank {
        dateRank = rank
        release(Self.dateSlot)
        slots[index] = Self.dateSlot
      }
    }
    while slots.last == Self.ignored { slots.removeLast() }
    guard timeRank < .max || !needsTime, slots.contains(where: Self.isMotion) else { return nil }
  }

  private mutating func release(_ slot: UInt8) {
    for index in slots.indices where slots[index] == slot { slots[index] = Self.ignored }
  }

  /// Records the units that a column's name states.
  private mutating func note(
    _ column: CSVColumnName, _ channel: MotionChannel, in file: SensorFile?
  ) {
    switch channel.quantity {
    case .userAcceleration, .totalAcceleration:
      if column.gravityIsKnown(in: file) { gravityIsKnown = true }
      if let unit = column.accelerationUnit {
        accelerationUnitIsKnown = true
        units.userAcceleration = unit
        units.totalAcceleration = unit
      } else if column.isBareAxis {
        defaultAccelerationUnit = .metersPerSecondSquared
      }
    case .gravity:
      if let unit = column.accelerationUnit { units.gravity = unit }
    case .rotationRate:
      if let unit = column.angleUnit {
        rotationUnitIsKnown = true
        units.rotationRate = unit
      }
    case .attitude:
      if let unit = column.angleUnit {
        angleUnitIsKnown = true
        units.attitude = unit
      }
    case .time, .magneticField, .quaternion: break
    }
  }
}
