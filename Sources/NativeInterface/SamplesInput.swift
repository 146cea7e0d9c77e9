import CRepTrace
import Motion

extension MotionBatch {
  /// Copies a caller's samples.
  ///
  /// - Throws: ``Failure`` if a pointer is NULL, a channel is unknown or given twice, the time is missing, a
  ///   stride is not a multiple of eight bytes, or a time is not finite or decreases.
  init(_ samples: reptrace_samples) throws {
    try checkSize(samples.struct_size, of: reptrace_samples.self, "samples")
    let units = try MotionUnits(samples.units)
    let clock = try known(
      MotionClock(rawValue: samples.units.clock),
      else: "clock is \(samples.units.clock); expected 0 or 1")
    try checkCount(samples.count, "samples.count")
    try checkCount(
      samples.column_count, "samples.column_count", atMost: Int(REPTRACE_CHANNEL_COUNT))
    var columns: [MotionChannel: [Double]] = [:]
    for index in 0..<samples.column_count {
      let column = try required(samples.columns, "columns")[index]
      let name = "columns[\(index)].channel"
      let channel = try known(
        MotionChannel(rawValue: column.channel),
        else: "\(name) is \(column.channel); expected 0 to \(REPTRACE_CHANNEL_COUNT - 1)")
      try require(columns[channel] == nil, "two columns of \(channel.name)")
      columns[channel] = try Self.values(column, count: samples.count, index: index)
    }
    let times = try known(columns[.time], else: "no column of \(MotionChannel.time.name)")
    if let row = times.firstIndex(where: { !$0.isFinite }) {
      throw Failure.invalidArgument("the time of sample \(row) is \(times[row]); expected a number")
    }
    if let row = times.indices.dropFirst().first(where: { times[$0] < times[$0 - 1] }) {
      throw Failure.invalidArgument(
        "the time of sample \(row) is \(times[row]), before that of sample \(row - 1), "
          + "\(times[row - 1]); expected samples in order of time")
    }
    self.init(columns, units: units, clock: clock)
  }

  private static func values(_ column: reptrace_column, count: Int, index: Int) throws -> [Double] {
    guard count > 0 else { return [] }
    let values: UnsafePointer<Double>? = column.values
    let first = UnsafeRawPointer(try required(values, "columns[\(index)].values"))
    let stride = column.stride == 0 ? MemoryLayout<Double>.stride : column.stride
    try require(
      UInt(bitPattern: first) % 8 == 0 && stride % 8 == 0,
      "columns[\(index)] is not aligned to 8 bytes (stride \(column.stride))")
    if stride == MemoryLayout<Double>.stride {
      return Array(
        UnsafeBufferPointer(start: first.assumingMemoryBound(to: Double.self), count: count))
    }
    return [Double](unsafeUninitializedCapacity: count) { buffer, initialized in
      for row in 0..<count {
        buffer[row] = first.load(fromByteOffset: row * stride, as: Double.self)
      }
      initialized = count
    }
  }
}

extension MotionUnits {
  init(_ units: reptrace_units) throws {
    func unit<Unit: RawRepresentable>(
      _ value: UInt8, _ name: String, _ type: Unit.Type = Unit.self
    ) throws -> Unit where Unit.RawValue == UInt8 {
      try known(Unit(rawValue: value), else: "units.\(name) is \(value), which is no unit")
    }
    self.init(
      time: try unit(units.time, "time"),
      userAcceleration: try unit(units.user_acceleration, "user_acceleration"),
      totalAcceleration: try unit(units.total_acceleration, "total_acceleration"),
      gravity: try unit(units.gravity, "gravity"),
      rotationRate: try unit(units.rotation_rate, "rotation_rate"),
      attitude: try unit(units.attitude, "attitude"))
  }
}

extension PhaseSpan {
  /// Returns the spans of samples with a known phase.
  static func spans(of samples: reptrace_samples) throws -> [PhaseSpan] {
    guard let phases = samples.phases else { return [] }
    var spans: [PhaseSpan] = []
    for row in 0..<samples.count {
      let phase: WorkoutPhase
      switch phases[row] {
      case 0: continue
      case 1: phase = .execution
      case 2: phase = .rest
      default:
        throw Failure.invalidArgument("phases[\(row)] is \(phases[row]); expected 0, 1 or 2")
      }
      if let last = spans.last, last.phase == phase, last.rows.upperBound == row {
        spans[spans.count - 1].rows = last.rows.lowerBound..<row + 1
      } else {
        spans.append(PhaseSpan(rows: row..<row + 1, phase: phase))
      }
    }
    return spans
  }
}
