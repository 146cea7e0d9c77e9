extension SampleParser {
  /// A sample while it is parsed.
  struct Row {
    let values: UnsafeMutablePointer<Double>
    var slots: UInt32 = 0
    /// True if a value is present but not a finite number.
    var isBad = false
    /// Bit masks of the slots with text dates: in whole seconds, and with fractions.
    private(set) var wholeSecondSlots: UInt32 = 0
    private(set) var fractionSlots: UInt32 = 0

    /// - Parameter values: Memory for all slots, filled with NaN.
    init(_ values: UnsafeMutablePointer<Double>) { self.values = values }

    /// - Precondition: `slot` is a ``SampleField/slot``, and so below the number of slots.
    @inline(__always)
    mutating func set(_ slot: Int, _ value: Double) {
      values[slot] = value
      slots |= 1 &<< UInt32(truncatingIfNeeded: slot)
    }

    /// Reads the value of a slot: a number, `null`, or, for dates, ISO 8601 text.
    ///
    /// Numbers beyond a double's range, `NaN`, `Infinity` (as some JSON writers print them) and values of
    /// other types make the row bad.
    @inline(never)
    mutating func parseValue(
      _ scanner: inout JSONScanner, slot: Int, depth: Int
    ) throws(ScanFailure) {
      scanner.skipWhitespace()
      let start = scanner.position
      if let value = parseDecimal(
        scanner.bytes, at: &scanner.position, end: scanner.end, grammar: .json)
      {
        if value.isFinite { set(slot, value) } else { isBad = true }
      } else {
        scanner.position = start
        try parseOther(&scanner, slot: slot, depth: depth)
      }
    }

    @inline(never)
    private mutating func parseOther(
      _ scanner: inout JSONScanner, slot: Int, depth: Int
    ) throws(ScanFailure) {
      switch scanner.byte {
      case UInt8(ascii: "\""):
        let text = try scanner.skipString()
        if slot == SampleField.time.slot || slot == SampleField.capturedAt.slot,
          let instant = ISO8601.parse(text)
        {
          set(slot, instant.unixTime)
          let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: slot)
          if instant.hasFraction { fractionSlots |= bit } else { wholeSecondSlots |= bit }
        } else {
          isBad = true
        }
      case UInt8(ascii: "n"):
        if scanner.skipNonFinite() {
          isBad = true
        } else {
          try scanner.skipLiteral("null")
          // The last value of a repeated key is used.
          values[slot] = .nan
          slots &= ~(1 &<< UInt32(truncatingIfNeeded: slot))
        }
      case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "-"):
        guard scanner.skipNonFinite() else { return try scanner.skipValue(depth: depth) }
        isBad = true
      default:
        isBad = true
        try scanner.skipValue(depth: depth)
      }
    }
  }
}

extension JSONScanner {
  /// Skips `NaN` or `Infinity`, with optional sign and in any case, if it is at the position.
  mutating func skipNonFinite() -> Bool {
    var start = position
    if start < end, bytes[start] == UInt8(ascii: "-") { start += 1 }
    for word: StaticString in ["infinity", "inf", "nan"] {
      let length = word.utf8CodeUnitCount
      guard end - start >= length else { continue }
      var matches = true
      for index in 0..<length where bytes[start + index] | 0x20 != word.utf8Start[index] {
        matches = false
      }
      if matches {
        position = start + length
        return true
      }
    }
    return false
  }
}
