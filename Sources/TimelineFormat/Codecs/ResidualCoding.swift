/// Unsigned integers as Golomb-Rice codes with one parameter per 32 integers.
///
/// Each block has all low bits first, then all quotients, so low bits can be read without decoding quotients.
/// `docs/timeline-format.md`, "Residuals".
enum ResidualCoding {
  static let blockLength = 32
  static let maximumParameter = 56
  /// The largest coded quotient. Quotients from it on follow the block, preceded by their width.
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
    // A parameter takes at most 9 bits. A value takes at most 21, and an escape 6 more than its width.
    BitWriter.bytes(capacity: 12 * values.count + 2) { writer in
      var writer = writer
      var previous = initialParameter
      forEachBlock(of: values) { block, count in
        let (parameter, _, all) = bestParameter(block, count: count)
        switch parameter &- previous {
        case 0: writer.writeShort(0b0, count: 1)
        case 1: writer.writeShort(0b01, count: 2)
        case -1: writer.writeShort(0b011, count: 3)
        default: writer.writeShort(0b111 | UInt64(parameter) << 3, count: 9)
        }
        previous = parameter
        let block = UnsafeBufferPointer(rebasing: block[..<count])
        write(block, all: all, parameter: parameter, to: &writer)
      }
      return writer
    }
  }

  /// Calls a function with every `interval`-th block and its length. Zeros pad the last block.
  @inline(__always)
  static func forEachBlock(
    of values: [UInt64], every interval: Int = 1, _ body: (UnsafeBufferPointer<UInt64>, Int) -> Void
  ) {
    values.withUnsafeBufferPointer { values in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: blockLength) { last in
        var start = 0
        while start < values.count {
          let count = min(blockLength, values.count &- start)
          if count < blockLength {
            last.initialize(repeating: 0)
            for index in 0..<count { last[index] = values[start &+ index] }
          }
          body(
            count < blockLength
              ? UnsafeBufferPointer(last)
              : UnsafeBufferPointer(rebasing: values[start..<start &+ blockLength]),
            count)
          start &+= interval &* blockLength
        }
      }
    }
  }

  /// - Parameter all: The bitwise or of the block's numbers.
  @inline(__always)
  private static func write(
    _ block: UnsafeBufferPointer<UInt64>, all: UInt64, parameter: Int, to writer: inout BitWriter
  ) {
    let (shift, mask) = (UInt64(parameter), 1 &<< UInt64(parameter) &- 1 as UInt64)
    var row = 0
    if parameter <= 14 {
      while row &+ 4 <= block.count {
        let high = (block[row &+ 3] & mask) &<< shift | block[row &+ 2] & mask
        let low = (block[row &+ 1] & mask) &<< shift | block[row] & mask
        writer.writeShort(high &<< (2 &* shift) | low, count: 4 &* parameter)
        row &+= 4
      }
    }
    while row < block.count {
      writer.writeShort(block[row] & mask, count: parameter)
      row &+= 1
    }
    guard all &>> shift >= escape else {
      return writeQuotients(block, &writer) { $0 &>> shift }
    }
    writeQuotients(block, &writer) { min($0 &>> shift, escape) }
    for value in block where value &>> shift >= escape {
      let quotient = value &>> shift
      let width = 64 &- quotient.leadingZeroBitCount
      writer.writeShort(UInt64(width &- 1), count: 6)
      writer.write(quotient, count: width)
    }
  }

  /// Writes the quotients that a function computes, each at most ``escape``.
  @inline(__always)
  private static func writeQuotients(
    _ block: UnsafeBufferPointer<UInt64>, _ writer: inout BitWriter, _ quotient: (UInt64) -> UInt64
  ) {
    // All bits stay ones until the end of a quotient clears one.
    var bits = UInt64.max
    var count: UInt64 = 0
    func flush() {
      writer.writeShort(bits & (1 &<< count &- 1), count: Int(truncatingIfNeeded: count))
      (bits, count) = (.max, 0)
    }
    for value in block {
      count &+= quotient(value)
      bits ^= 1 &<< count
      count &+= 1
      if count > 56 - (escape + 1) { flush() }
    }
    flush()
  }

  /// Returns a nearly optimal parameter, the approximate size in bits, and the bitwise or of the numbers.
  ///
  /// The parameter is that of the mean. Numbers are clipped at 16 times the magnitude of the mean width, so that
  /// outliers, which become escapes, have little influence.
  ///
  /// - Parameter block: 32 numbers. Those from `count` on are 0.
  @inline(__always)
  static func bestParameter(
    _ block: UnsafeBufferPointer<UInt64>, count: Int
  ) -> (parameter: Int, bits: UInt64, all: UInt64) {
    @inline(__always)
    func mean(_ sum: UInt64) -> UInt64 {
      count == blockLength ? sum / UInt64(blockLength) : sum / UInt64(max(1, count))
    }
    var (sum, widths, all) = sums(of: block)
    if all >= firstWideNumber {
      widths = 0
      for value in block { widths &+= UInt64(64 &- value.leadingZeroBitCount) }
    }
    let ceiling = 1 &<< min(mean(widths) &+ 4, 58) as UInt64
    if all >= ceiling {
      sum = 0
      for value in block { sum &+= min(value, ceiling) }
    }
    let parameter = min(max(0, 63 &- mean(sum).leadingZeroBitCount), maximumParameter)
    let shift = UInt64(parameter)
    var quotients: UInt64 = 0
    if all &>> shift <= 48 {
      var sums = Numbers.zero
      for row in 0..<blockLength / 4 { sums &+= numbers(block, row) &>> Numbers(repeating: shift) }
      quotients = sums.wrappedSum()
    } else {
      // An escape takes about 48 bits.
      for value in block { quotients &+= min(value &>> shift, 48) }
    }
    return (parameter, UInt64(count &* (parameter &+ 1)) &+ quotients, all)
  }

  private typealias Numbers = SIMD4<UInt64>

  @inline(__always)
  private static func numbers(_ block: UnsafeBufferPointer<UInt64>, _ index: Int) -> Numbers {
    let row = 4 &* index
    return Numbers(block[row], block[row &+ 1], block[row &+ 2], block[row &+ 3])
  }

  /// The least number whose width ``sums(of:)`` cannot compute.
  private static let firstWideNumber: UInt64 = 1 << 51

  /// Returns the sum of a block's numbers, the sum of their widths in bits, and their bitwise or.
  @inline(__always)
  private static func sums(
    of block: UnsafeBufferPointer<UInt64>
  ) -> (numbers: UInt64, widths: UInt64, all: UInt64) {
    // A bitwise or with the bits of 2^52 adds a number to it. Subtracting 2^52 converts the number to Double. The
    // biased exponent of 2v + 1 is 1023 plus the width of v.
    let offset = (0x1p52).bitPattern
    var (sum, widths, all) = (Numbers.zero, Numbers.zero, Numbers.zero)
    for index in 0..<blockLength / 4 {
      let values = numbers(block, index)
      sum &+= values
      all |= values
      let shifted = unsafeBitCast(values &+ values | (offset | 1), to: SIMD4<Double>.self)
      widths &+= unsafeBitCast(shifted - 0x1p52, to: Numbers.self) &>> 52
    }
    return (
      sum.wrappedSum(), widths.wrappedSum() &- UInt64(1023 * blockLength),
      all.x | all.y | all.z | all.w
    )
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

/// Decodes unary numbers, each as many ones and a zero, a byte at a time.
private struct UnaryCodes {
  /// The numbers that end in a byte.
  private struct Zeros {
    /// Number of ones before each zero of the byte, in eight bits each.
    var gaps: UInt64 = 0
    var count = 0
    /// Number of ones after the last zero.
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
    // Ones after the last zero.
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
          // Skip the ones and zeros of this byte up to the end of the last number.
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
