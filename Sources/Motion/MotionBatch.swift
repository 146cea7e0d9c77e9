/// Samples in columns: row `i` of every column belongs to one sample.
///
/// Values are in ``units``, as the source wrote them. An absent column is empty; a missing value (a slower
/// sensor, a `null` field) is NaN in its column. Times of an accepted batch are finite, but not necessarily
/// in order.
public struct MotionBatch: Sendable {
  /// Number of samples.
  public private(set) var count: Int
  public var units: MotionUnits
  public var clock: MotionClock
  /// Channels that were computed from others rather than measured, for example gravity by a filter.
  public var estimated: Set<MotionChannel>
  private var columns: [[Double]]

  /// Shared by all empty batches, because a file may have very many chunks without samples.
  private static let noColumns = [[Double]](repeating: [], count: MotionChannel.allCases.count)

  /// Creates a batch without samples.
  public init(units: MotionUnits = .standard, clock: MotionClock = .device) {
    count = 0
    self.units = units
    self.clock = clock
    estimated = []
    columns = Self.noColumns
  }

  /// Creates a batch from columns.
  ///
  /// - Precondition: `time` is among the columns, and all of them have the same length.
  public init(
    _ columns: [MotionChannel: [Double]], units: MotionUnits = .standard,
    clock: MotionClock = .device
  ) {
    self.init(units: units, clock: clock)
    count = columns[.time]?.count ?? 0
    for (channel, values) in columns { self[channel] = values }
  }

  /// The values of a channel; empty if the batch lacks it. Setting an empty array removes the column.
  ///
  /// - Precondition: A column that is set has ``count`` values.
  public subscript(channel: MotionChannel) -> [Double] {
    get { columns[Int(channel.rawValue)] }
    set {
      precondition(newValue.isEmpty || newValue.count == count, "a column has a value per sample")
      columns[Int(channel.rawValue)] = newValue
    }
  }

  public var times: [Double] { self[.time] }
  public var isEmpty: Bool { count == 0 }

  /// The channels of the batch, in order of their raw values.
  public var channels: [MotionChannel] {
    MotionChannel.allCases.filter { has($0) }
  }

  public func has(_ channel: MotionChannel) -> Bool {
    !columns[Int(channel.rawValue)].isEmpty
  }

  /// Returns true if the batch has all channels of a quantity.
  public func has(_ quantity: MotionQuantity) -> Bool {
    quantity.channels.allSatisfy { has($0) }
  }

  /// Calls `body` with the values of a channel, without copying; an absent column is empty.
  @inlinable
  public func withColumn<R>(
    _ channel: MotionChannel, _ body: (UnsafeBufferPointer<Double>) throws -> R
  ) rethrows -> R {
    try self[channel].withUnsafeBufferPointer(body)
  }

  /// A batch of the samples in a range of rows.
  public subscript(rows: Range<Int>) -> MotionBatch {
    var result = MotionBatch(units: units, clock: clock)
    result.estimated = estimated
    result.count = rows.count
    for index in columns.indices where !columns[index].isEmpty {
      result.columns[index] = Array(columns[index][rows])
    }
    return result
  }

  /// Returns the given rows, in the given order. O(rows × columns).
  public func selecting(_ rows: [Int]) -> MotionBatch {
    var result = MotionBatch(units: units, clock: clock)
    result.estimated = estimated
    result.count = rows.count
    for index in columns.indices where !columns[index].isEmpty {
      let column = columns[index]
      result.columns[index] = rows.map { column[$0] }
    }
    return result
  }

  /// Appends the samples of another batch, converted to this batch's units. A column that only one batch has
  /// is NaN for the other's samples.
  public mutating func append(_ other: MotionBatch) {
    guard !other.isEmpty else { return }
    if isEmpty {
      let kept = estimated
      self = other
      estimated.formUnion(kept)
      return
    }
    for channel in MotionChannel.allCases {
      let index = Int(channel.rawValue)
      let addition = other.columns[index]
      if addition.isEmpty {
        if !columns[index].isEmpty {
          columns[index].append(contentsOf: repeatElement(.nan, count: other.count))
        }
        continue
      }
      if columns[index].isEmpty {
        columns[index] = Array(repeating: .nan, count: count)
      }
      let own = units.unitsPerStandardUnit(of: channel.quantity)
      let others = other.units.unitsPerStandardUnit(of: channel.quantity)
      if own == others {
        columns[index].append(contentsOf: addition)
      } else {
        columns[index].append(contentsOf: addition.lazy.map { $0 / others * own })
      }
    }
    count += other.count
    estimated.formUnion(other.estimated)
  }

  /// Appends a sample. Channels that it lacks are NaN. Constant time.
  ///
  /// - Parameter sample: The sample; converted if the batch has other units.
  public mutating func append(_ sample: MotionSample) {
    let row = count
    count += 1
    for index in columns.indices where !columns[index].isEmpty { columns[index].append(.nan) }
    func put(_ value: Double, _ channel: MotionChannel) {
      let index = Int(channel.rawValue)
      if columns[index].isEmpty { columns[index] = Array(repeating: .nan, count: count) }
      columns[index][row] = value * units.unitsPerStandardUnit(of: channel.quantity)
    }
    func put(_ value: SIMD3<Double>?, _ x: MotionChannel, _ y: MotionChannel, _ z: MotionChannel) {
      guard let value else { return }
      put(value.x, x)
      put(value.y, y)
      put(value.z, z)
    }
    put(sample.time, .time)
    put(sample.userAcceleration, .userAccelerationX, .userAccelerationY, .userAccelerationZ)
    put(sample.rotationRate, .rotationRateX, .rotationRateY, .rotationRateZ)
    put(sample.gravity, .gravityX, .gravityY, .gravityZ)
    put(
      sample.totalAcceleration, .totalAccelerationX, .totalAccelerationY, .totalAccelerationZ)
  }

  /// Returns the samples in seconds, g, radians and radians per second.
  public func inStandardUnits() -> MotionBatch {
    guard units != .standard else { return self }
    var result = self
    result.units = .standard
    for channel in MotionChannel.allCases where has(channel) {
      let scale = units.unitsPerStandardUnit(of: channel.quantity)
      guard scale != 1 else { continue }
      let index = Int(channel.rawValue)
      for row in 0..<count { result.columns[index][row] /= scale }
    }
    return result
  }

  /// Returns true if a row and a row of another batch with equal units have equal bits in every column.
  public func row(_ row: Int, equals otherRow: Int, of other: MotionBatch) -> Bool {
    for index in columns.indices {
      let a = columns[index].isEmpty ? Double.nan : columns[index][row]
      let b = other.columns[index].isEmpty ? Double.nan : other.columns[index][otherRow]
      if a.bitPattern != b.bitPattern && !(a.isNaN && b.isNaN) { return false }
    }
    return true
  }
}
