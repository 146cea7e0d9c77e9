import Motion

/// The samples section: columns in blocks that are decoded one by one.
enum SampleCoding {
  /// Returns the section's payload.
  static func encode(
    _ samples: MotionBatch, precision: TimelinePrecision, rowsPerBlock: Int
  ) throws(TimelineError) -> [UInt8] {
    let channels = samples.channels
    guard samples.count == 0 || channels.first == .time else {
      throw .malformed(place: "section samples", reason: "the samples have no time")
    }
    let rowsPerBlock = min(max(rowsPerBlock, 1), SampleLayout.rowsPerBlockRange.upperBound)
    var head = ByteWriter()
    head.varint(samples.count)
    head.uint8(samples.clock.rawValue)
    head.uint8(samples.units.time.rawValue)
    head.uint8(samples.units.bits)
    switch precision {
    case .lossless: head.uint8(0)
    case .bounded(.standard): head.uint8(1)
    case .bounded(let bounds):
      head.uint8(2)
      for bound in [
        bounds.time, bounds.acceleration, bounds.rotationRate, bounds.attitude,
        bounds.magneticField, bounds.quaternion,
      ] { head.double(bound) }
    }
    head.varint(rowsPerBlock)
    head.uint8(UInt8(channels.count))
    for channel in channels {
      head.uint8(channel.rawValue)
      head.uint8(samples.estimated.contains(channel) ? 1 : 0)
    }
    guard samples.count > 0 else { return head.bytes }

    let blocks = stride(from: 0, to: samples.count, by: rowsPerBlock).map { start in
      let rows = start..<min(samples.count, start + rowsPerBlock)
      var encoder = BlockEncoder(samples: samples, rows: rows, precision: precision)
      return (rows: rows, bytes: encoder.encode())
    }
    if blocks.count > 1 {
      for block in blocks {
        guard let length = UInt32(exactly: block.bytes.count) else {
          throw .tooLarge(place: "block of samples")
        }
        let times = samples.times[block.rows].filter { !$0.isNaN }
        head.uint32(length)
        head.uint32(CRC32C.checksum(block.bytes))
        head.double(times.reduce(.infinity, min))
        head.double(times.reduce(-.infinity, max))
      }
      head.uint32(CRC32C.checksum(head.bytes))
    }
    for block in blocks { head.append(block.bytes) }
    return head.bytes
  }

  /// Decodes the samples of a section, or some of them.
  ///
  /// - Parameters:
  ///   - channels: Channels to decode besides time; nil for all.
  ///   - times: Times to decode, in the time column's unit; nil for all.
  static func decode(
    _ bytes: [UInt8], layout: SampleLayout, channels: Set<MotionChannel>? = nil,
    times: ClosedRange<Double>? = nil, limits: TimelineLimits
  ) throws(TimelineError) -> MotionBatch {
    let wanted = layout.columns.indices.filter { index in
      guard let channel = layout.columns[index].channel else { return false }
      return channel == .time || channels?.contains(channel) ?? true
    }
    guard layout.sampleCount <= limits.decodedBytes / 8 / max(1, wanted.count) else {
      throw .tooLarge(place: "section samples")
    }
    var columns = [[Double]](repeating: [], count: wanted.count)
    for block in layout.blocks {
      if let times, let (first, last) = block.times,
        first > times.upperBound || last < times.lowerBound
      {
        continue
      }
      let decoded = try BlockDecoder.decode(
        bytes, block: block, layout: layout, columns: wanted)
      for index in decoded.indices {
        if columns[index].isEmpty {
          columns[index] = decoded[index]
        } else {
          columns[index] += decoded[index]
        }
      }
    }
    var batch = layout.batch(of: columns, at: wanted)
    if let times, !batch.isEmpty {
      let rows = batch.times.indices.filter { times.contains(batch.times[$0]) }
      if rows.count < batch.count { batch = batch.selecting(rows) }
    }
    return batch
  }
}

extension SampleLayout {
  /// Returns a batch of decoded columns.
  ///
  /// - Parameter indices: Their indices in ``columns``; time is the first.
  func batch(of values: [[Double]], at indices: [Int]) -> MotionBatch {
    var named: [MotionChannel: [Double]] = [:]
    var estimated: Set<MotionChannel> = []
    for (index, values) in zip(indices, values) {
      guard let channel = columns[index].channel else { continue }
      named[channel] = values
      if columns[index].isEstimated { estimated.insert(channel) }
    }
    var batch = MotionBatch(named, units: units, clock: clock)
    batch.estimated = estimated
    return batch
  }
}
