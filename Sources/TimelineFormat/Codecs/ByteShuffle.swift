/// Transposes values of eight bytes into eight planes, the least significant bytes first, so that
/// bytes that are alike lie together.
enum ByteShuffle {
  static func shuffle(_ values: UnsafeBufferPointer<Double>) -> [UInt8] {
    let count = values.count
    return [UInt8](unsafeUninitializedCapacity: 8 * count) { planes, written in
      for plane in 0..<8 {
        let shift = UInt64(8 * plane)
        let base = plane * count
        for row in 0..<count {
          planes[base + row] = UInt8(truncatingIfNeeded: values[row].bitPattern >> shift)
        }
      }
      written = 8 * count
    }
  }

  /// The inverse of ``shuffle(_:)``. A number of bytes that is no multiple of eight loses the rest.
  static func unshuffle(_ planes: [UInt8]) -> [Double] {
    let count = planes.count / 8
    return planes.withUnsafeBufferPointer { planes in
      [Double](unsafeUninitializedCapacity: count) { values, written in
        for row in 0..<count {
          let low =
            UInt64(planes[row]) | UInt64(planes[count + row]) << 8
            | UInt64(planes[2 * count + row]) << 16 | UInt64(planes[3 * count + row]) << 24
          let high =
            UInt64(planes[4 * count + row]) | UInt64(planes[5 * count + row]) << 8
            | UInt64(planes[6 * count + row]) << 16 | UInt64(planes[7 * count + row]) << 24
          values[row] = Double(bitPattern: low | high << 32)
        }
        written = count
      }
    }
  }
}
