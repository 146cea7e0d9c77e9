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
      let rows = start..<min(values.count, start &+ blockLength)
      let quotients = local.readRice(parameter, rows, into: values)
      if quotients >= 16 {
        // A quotient of 32 or more, whose bits may be lost, is out of range.
        guard quotients < 32,
          readEscapes(&local, parameter, UnsafeMutableBufferPointer(rebasing: values[rows]))
        else { return false }
      }
      start = rows.upperBound
    }
    return local.isWithinEnd
  }

  /// - Returns: False if a quotient is out of range.
  @inline(never)
  private static func readEscapes(
    _ reader: inout BitReader, _ parameter: Int, _ values: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    for row in values.indices {
      let quotient = values[row] &>> UInt64(parameter)
      guard quotient >= escape else { continue }
      let width = Int(reader.read(6)) &+ 1
      guard quotient == escape, width &+ parameter <= 64 else { return false }
      let low = values[row] & (1 &<< UInt64(parameter) &- 1)
      values[row] = reader.readLong(width) &<< UInt64(parameter) | low
    }
    return true
  }
}
