/// Unsigned integers as Golomb-Rice codes with one parameter per 32 integers.
///
/// `docs/timeline-format.md`, "Residuals".
enum ResidualCoding {
  static let blockLength = 32
  static let maximumParameter = 56
  /// Number of ones that announce an escape: a number written literally, preceded by its width.
  static let escapeOnes = 20
  /// Predecessor of the first block's parameter, which is coded as a difference.
  static let initialParameter = 8

  @inline(__always)
  static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  @inline(__always)
  static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  static func encode(_ values: [UInt64]) -> [UInt8] {
    var writer = BitWriter(capacity: 3 * values.count)
    var previous = initialParameter
    values.withUnsafeBufferPointer { values in
      var start = 0
      while start < values.count {
        let block = UnsafeBufferPointer(
          rebasing: values[start..<min(values.count, start + blockLength)])
        let parameter = bestParameter(block).parameter
        switch parameter - previous {
        case 0: writer.write(0b0, count: 1)
        case 1: writer.write(0b01, count: 2)
        case -1: writer.write(0b011, count: 3)
        default: writer.write(0b111 | UInt64(parameter) << 3, count: 9)
        }
        previous = parameter
        for value in block {
          let ones = value &>> UInt64(parameter)
          if ones < UInt64(escapeOnes) {
            let low = value & ((1 &<< UInt64(parameter)) &- 1)
            let head = (1 &<< ones) &- 1
            if Int(ones) &+ 1 &+ parameter <= 64 {
              writer.write(low &<< (ones &+ 1) | head, count: Int(ones) &+ 1 &+ parameter)
            } else {
              writer.write(head, count: Int(ones) &+ 1)
              writer.write(low, count: parameter)
            }
          } else {
            let width = max(1, 64 - value.leadingZeroBitCount)
            writer.write((1 << UInt64(escapeOnes)) &- 1, count: escapeOnes)
            writer.write(UInt64(width - 1), count: 6)
            writer.write(value, count: width)
          }
        }
        start += blockLength
      }
    }
    return writer.finished()
  }

  /// Returns a nearly optimal parameter, and the approximate number of bits that it takes.
  ///
  /// The parameter follows from the mean. Large outliers, which are cheaper as escapes, must not move it:
  /// numbers are clipped at 16 times the magnitude of the mean width.
  @inline(__always)
  static func bestParameter(
    _ block: UnsafeBufferPointer<UInt64>
  ) -> (parameter: Int, bits: UInt64) {
    var widths = 0
    for value in block { widths &+= 64 &- value.leadingZeroBitCount }
    let count = max(1, block.count)
    let ceiling: UInt64 = 1 << UInt64(min(widths / count &+ 4, 58))
    var sum: UInt64 = 0
    for value in block { sum &+= min(value, ceiling) }
    let mean = sum / UInt64(count)
    let parameter = min(max(0, 63 &- mean.leadingZeroBitCount), maximumParameter)
    var bits = UInt64(count &* (parameter &+ 1))
    // An escape takes about 48 bits.
    for value in block { bits &+= min(value &>> UInt64(parameter), 48) }
    return (parameter, bits)
  }

  /// Decodes `count` numbers.
  ///
  /// - Parameter reader: Advanced past the last number.
  /// - Returns: Nil if a parameter is out of range or the bits end early.
  static func decode(_ reader: inout BitReader, count: Int) -> [UInt64]? {
    var isValid = true
    var local = reader
    let values = [UInt64](unsafeUninitializedCapacity: count) { values, written in
      var parameter = initialParameter
      var start = 0
      while start < count {
        let head = local.read(3)
        if head & 1 == 0 {
          local.skipBack(2)
        } else if head & 2 == 0 {
          local.skipBack(1)
          parameter &+= 1
        } else if head & 4 == 0 {
          parameter &-= 1
        } else {
          parameter = Int(local.read(6))
        }
        guard parameter >= 0, parameter <= maximumParameter, local.isWithinEnd else {
          isValid = false
          break
        }
        let end = min(count, start + blockLength)
        for row in start..<end { values[row] = local.readRice(parameter) }
        start = end
      }
      written = isValid ? count : 0
    }
    reader = local
    return isValid && local.isWithinEnd ? values : nil
  }
}
