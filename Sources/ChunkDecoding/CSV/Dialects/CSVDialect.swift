import Motion

/// An app's names for the columns of its CSV files.
///
/// Names are compared by their letters and digits in lower case, without unit and sensor (``CSVColumnName``).
/// A header may mix dialects, as edited exports do. If several columns may be the clock, the first dialect in
/// ``all`` decides, and in it the first name.
///
/// To support a new app, add a file next to this one and an entry in ``all``.
struct CSVDialect: Sendable {
  struct TimeColumn: Sendable {
    var name: String
    /// The unit if the app always uses the same one; nil to read it from the header or recognize it by size.
    var unit: TimeUnit?
    /// The clock; nil to recognize it by size.
    var clock: MotionClock?

    init(_ name: String, unit: TimeUnit? = nil, clock: MotionClock? = nil) {
      self.name = name
      self.unit = unit
      self.clock = clock
    }
  }

  /// Columns that may be the clock of the samples, best first.
  var times: [TimeColumn] = []
  /// Columns that give the date in addition to another clock, best first.
  var dates: [String] = []
  /// Quantities by the prefix of their column names; the axis follows.
  var quantities: [String: MotionQuantity] = [:]
  /// Returns the quantity of a column named only by axis, `x` or `x-axis`; nil if the dialect has none.
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

  /// Returns the time column with a name, and its rank; the lowest rank is used.
  static func time(named name: String) -> (rank: Int, column: TimeColumn)? { timeColumns[name] }

  /// Returns the rank of a date column with a name; the lowest rank is used.
  static func dateRank(of name: String) -> Int? { dateRanks[name] }

  static func channel(named name: String) -> MotionChannel? { channels[name] }

  static func quantity(ofAxis column: CSVColumnName, in file: SensorFile?) -> MotionQuantity? {
    for dialect in all {
      if let quantity = dialect.quantityOfAxis(column, file) { return quantity }
    }
    return nil
  }
}
