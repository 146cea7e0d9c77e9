/// Transposes values of eight bytes into eight planes, least significant first, to group similar bytes.
enum ByteShuffle {
  static func shuffle(_ values: [Double]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 8 * values.count) { planes, written in
      for shift in stride(from: 0, to: 64 as UInt64, by: 8) {
        for value in values {
          planes[written] = UInt8(truncatingIfNeeded: value.bitPattern &>> shift)
          written &+= 1
        }
      }
    }
  }

  /// Reverses ``shuffle(_:)``. Ignores bytes past a multiple of eight.
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
