/// Unsigned integers as Golomb-Rice codes with one parameter per 32 integers.
///
/// The quotients of a block stand together, and so do its low bits: finding a quotient then depends on the one before
/// by a single operation, and low bits do not depend on each other.
/// `docs/timeline-format.md`, "Residuals".
enum ResidualCoding {
  static let blockLength = 32
  static let maximumParameter = 56
  /// The quotient that announces an escape: the true quotient follows the block, preceded by its width.
  static let escape: UInt64 = 20
  /// Predecessor of the first block's parameter, which is coded as a difference.
  static let initialParameter = 8

  @inline(__always)
  static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  @inline(__always)
  static func zigzag(_ values: SIMD4<Int64>) -> SIMD4<UInt64> {
    SIMD4(truncatingIfNeeded: values &<< 1 ^ values &>> 63)
  }

  @inline(__always)
  static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  static func encode(_ values: [UInt64]) -> [UInt8] {
    // A parameter takes at most 9 bits; a value 21, and 6 more than its own where it is an escape.
    BitWriter.bytes(capacity: 12 * values.count + 2) { writer in
      values.withUnsafeBufferPointer { values in
        var previous = initialParameter
        var start = 0
        while start < values.count {
          let block = UnsafeBufferPointer(
            rebasing: values[start..<min(values.count, start + blockLength)])
          let parameter = bestParameter(block).parameter
          switch parameter - previous {
          case 0: writer.writeShort(0b0, count: 1)
          case 1: writer.writeShort(0b01, count: 2)
          case -1: writer.writeShort(0b011, count: 3)
          default: writer.writeShort(0b111 | UInt64(parameter) << 3, count: 9)
          }
          previous = parameter
          write(block, parameter: parameter, to: &writer)
          start += blockLength
        }
      }
    }
  }

  @inline(__always)
  private static func write(
    _ block: UnsafeBufferPointer<UInt64>, parameter: Int, to writer: inout BitWriter
  ) {
    let (shift, mask) = (UInt64(parameter), 1 &<< UInt64(parameter) &- 1 as UInt64)
    for value in block { writer.writeShort(value & mask, count: parameter) }
    var largest: UInt64 = 0
    for value in block {
      let ones = min(value &>> shift, escape)
      largest = max(largest, ones)
      writer.writeShort(1 &<< ones &- 1, count: Int(ones) &+ 1)
    }
    guard largest == escape else { return }
    for value in block where value &>> shift >= escape {
      let quotient = value &>> shift
      let width = 64 &- quotient.leadingZeroBitCount
      writer.writeShort(UInt64(width &- 1), count: 6)
      writer.write(quotient, count: width)
    }
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

  /// Decodes as many numbers as fit into a buffer, and advances the reader past the last one.
  ///
  /// - Returns: False if a parameter, a quotient or an escape is out of range or the bits end early.
  static func decode(
    _ reader: inout BitReader, into values: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    var local = reader
    defer { reader = local }
    return UnaryCodes.withDecoder { quotients in
      var parameter = initialParameter
      var start = 0
      while start < values.count {
        let head = local.peek()
        if head & 1 == 0 {
          local.skip(1)
        } else if head & 2 == 0 {
          local.skip(2)
          parameter &+= 1
        } else if head & 4 == 0 {
          local.skip(3)
          parameter &-= 1
        } else {
          local.skip(9)
          parameter = Int(head >> 3 & 63)
        }
        guard parameter >= 0, parameter <= maximumParameter, local.isWithinEnd else { return false }
        let count = min(blockLength, values.count &- start)
        var lowBits = local
        local.skip(parameter &* count)
        guard let areSmall = quotients.read(count, &local) else { return false }
        let width = UInt64(parameter)
        let mask = 1 &<< width &- 1 as UInt64
        var row = 0
        if areSmall, parameter <= 14, lowBits.hasMore(than: parameter &* count) {
          while row &+ 4 <= count {
            var bits = lowBits.peekUnchecked()
            for index in row..<row &+ 4 {
              values[start &+ index] = quotients[index] &<< width | bits & mask
              bits &>>= width
            }
            lowBits.skip(4 &* parameter)
            row &+= 4
          }
        }
        while row < count {
          var quotient = quotients[row]
          if quotient >= escape {
            let quotientWidth = Int(local.read(6)) &+ 1
            guard quotient == escape, quotientWidth &+ parameter <= 64 else { return false }
            quotient = local.readLong(quotientWidth)
          }
          values[start &+ row] = quotient &<< width | lowBits.read(parameter)
          row &+= 1
        }
        start &+= count
      }
      return local.isWithinEnd
    }
  }
}

/// Decodes numbers that are written as so many ones and a zero, eight bits at a time.
private struct UnaryCodes {
  /// The zeros in a byte.
  private struct Zeros {
    /// The number of ones before each zero, a byte each.
    var gaps: UInt64 = 0
    var count = 0
    /// The ones behind the last zero.
    var rest: UInt64 = 0
  }

  private static let zeros: [Zeros] = (0..<256).map { byte in
    var zeros = Zeros()
    for bit in 0..<8 {
      if byte >> bit & 1 == 1 {
        zeros.rest += 1
      } else {
        zeros.gaps |= zeros.rest << UInt64(8 * zeros.count)
        zeros.count += 1
        zeros.rest = 0
      }
    }
    return zeros
  }

  private let zeros: UnsafeBufferPointer<Zeros>
  private let numbers: UnsafeMutableRawPointer

  @inline(__always)
  static func withDecoder(_ body: (UnaryCodes) -> Bool) -> Bool {
    zeros.withUnsafeBufferPointer { zeros in
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { numbers in
        guard let start = numbers.baseAddress else { return false }
        return body(UnaryCodes(zeros: zeros, numbers: start))
      }
    }
  }

  @inline(__always)
  subscript(index: Int) -> UInt64 {
    UInt64(numbers.load(fromByteOffset: index, as: UInt8.self))
  }

  /// Reads 1 to 32 numbers.
  ///
  /// - Returns: True if all are less than 16; nil if there are 64 ones in a row.
  @inline(__always)
  func read(_ count: Int, _ reader: inout BitReader) -> Bool? {
    var all: UInt64 = 0
    var found = 0
    /// Ones behind the last zero.
    var ones: UInt64 = 0
    while ones < 64 {
      var bits = reader.peek()
      for index in 0..<7 {
        let zeros = zeros[Int(bits & 0xFF)]
        let gaps = zeros.gaps &+ ones
        numbers.storeBytes(of: gaps.littleEndian, toByteOffset: found, as: UInt64.self)
        all |= gaps
        let missing = count &- found
        found &+= zeros.count
        if missing <= zeros.count {
          // The last number ends behind the ones and zeros of this byte up to its own.
          let wanted = zeros.gaps &<< UInt64(64 &- 8 &* missing)
          let sum = Int((wanted &* 0x0101_0101_0101_0101) &>> 56)
          reader.skip(8 &* index &+ sum &+ missing)
          return all & 0xF0F0_F0F0_F0F0_F0F0 == 0
        }
        ones = zeros.count == 0 ? ones &+ 8 : zeros.rest
        bits &>>= 8
      }
      reader.skip(56)
    }
    return nil
  }
}
