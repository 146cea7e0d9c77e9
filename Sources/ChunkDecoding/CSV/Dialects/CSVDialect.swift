import Motion

/// What one app calls the columns of its CSV files.
///
/// Names are compared by their letters and digits in lower case, without unit and sensor
/// (``CSVColumnName``). A header may mix dialects, as exports that were edited do; where several
/// columns may be the clock, the dialect that comes first in ``all`` decides, and in it the first
/// name.
///
/// A new app is a file of its own beside this one, and a place in ``all``.
struct CSVDialect: Sendable {
  struct TimeColumn: Sendable {
    var name: String
    /// The unit where the app always uses the same; nil to take it from the header, or else to
    /// recognise it by size.
    var unit: TimeUnit?
    /// nil to recognise it by size.
    var clock: MotionClock?

    init(_ name: String, unit: TimeUnit? = nil, clock: MotionClock? = nil) {
      self.name = name
      self.unit = unit
      self.clock = clock
    }
  }

  /// Columns that may be the clock of the samples, the best first.
  var times: [TimeColumn] = []
  /// Columns that tell the date beside another clock, the best first.
  var dates: [String] = []
  /// What the names of columns begin with; the axis follows.
  var quantities: [String: MotionQuantity] = [:]
  /// What a column is that names an axis alone, `x` or `x-axis`; nil if the dialect has none such.
  var quantityOfAxis: @Sendable (CSVColumnName, SensorFile?) -> MotionQuantity? = { _, _ in nil }

  static let all: [CSVDialect] = [.sensorLog, .sensorLogger, .watchApp, .metaMotion, .plain]

  private static let timeColumns: [String: (rank: Int, column: TimeColumn)] = {
    var result: [String: (rank: Int, column: TimeColumn)] = [:]
    for (rank, column) in all.flatMap({ $0.times }).enumerated() where result[column.name] == nil {
      result[column.name] = (rank, column)
    }
    return result
  }()

  private static let dateRanks: [String: Int] = {
    var result: [String: Int] = [:]
    for (rank, name) in all.flatMap({ $0.dates }).enumerated() where result[name] == nil {
      result[name] = rank
    }
    return result
  }()

  private static let channels: [String: MotionChannel] = {
    var result: [String: MotionChannel] = [:]
    for (name, quantity) in all.flatMap({ $0.quantities }) {
      let axes =
        switch quantity {
        case .attitude: ["roll", "pitch", "yaw"]
        case .quaternion: ["w", "x", "y", "z"]
        default: ["x", "y", "z"]
        }
      for (axis, channel) in zip(axes, quantity.channels) { result[name + axis] = channel }
    }
    return result
  }()

  /// The clock of this name, and its rank: the lowest counts.
  static func time(named name: String) -> (rank: Int, column: TimeColumn)? { timeColumns[name] }

  /// The rank of a date of this name; the lowest counts.
  static func dateRank(of name: String) -> Int? { dateRanks[name] }

  static func channel(named name: String) -> MotionChannel? { channels[name] }

  static func quantity(ofAxis column: CSVColumnName, in file: SensorFile?) -> MotionQuantity? {
    for dialect in all {
      if let quantity = dialect.quantityOfAxis(column, file) { return quantity }
    }
    return nil
  }
}
