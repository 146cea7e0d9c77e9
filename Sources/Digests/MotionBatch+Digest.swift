import Motion

extension MotionBatch {
  /// Returns the SHA-256 of the samples, the key of a recording without an id.
  ///
  /// It depends only on the values, their order, channels, units and clock. It does not depend on the
  /// division into chunks, columns of NaN, NaN payloads, or estimated channels. O(samples × channels).
  ///
  /// The message is the ASCII text `RepTrace samples 1`, the clock's raw value, the number of samples as a
  /// little-endian 64-bit integer, and for each measured channel with a value, in ascending order: its raw
  /// value, the symbol of its unit in UTF-8 and a zero byte, and its values' bits, little-endian, every NaN
  /// as 0x7FF8000000000000.
  package func digest() -> [UInt8] {
    var hash = SHA256()
    hash.update("RepTrace samples 1".utf8)
    hash.update([clock.rawValue])
    withUnsafeBytes(of: UInt64(count).littleEndian) { hash.update($0) }
    var buffer: [UInt64] = []
    for channel in channels where !estimated.contains(channel) {
      withColumn(channel) { values in
        guard values.contains(where: { !$0.isNaN }) else { return }
        hash.update([channel.rawValue])
        hash.update(units.symbol(of: channel.quantity).utf8)
        hash.update([0])
        var start = 0
        while start < values.count {
          let end = min(values.count, start + 1024)
          buffer.removeAll(keepingCapacity: true)
          for row in start..<end {
            let value = values[row]
            buffer.append((value.isNaN ? 0x7FF8_0000_0000_0000 : value.bitPattern).littleEndian)
          }
          buffer.withUnsafeBytes { hash.update($0) }
          start = end
        }
      }
    }
    return hash.finalize()
  }
}
