import Motion

/// Reads the rows of a CSV file into columns.
struct CSVReader {
  let bytes: UnsafePointer<UInt8>
  let end: Int
  var position: Int
  var line: Int
  let layout: CSVLayout
  let limits: DecodingLimits
  private let decimals = PlainDecimalReader.shared

  /// Values of the used columns in file order, row-major, `stride` per row.
  private(set) var values: [Double] = []
  private(set) var rowCount = 0
  private(set) var issues: [DecodingIssue] = []
  private(set) var hasTextTimes = false
  private var badRows = 0
  private var firstBad: (line: Int, offset: Int)?
  private var stride: Int
  /// The quoted cell with most line ends: its first line, and the number of line ends.
  private var longestCell = (line: 0, lines: 0)

  init(
    _ bytes: UnsafePointer<UInt8>, end: Int, layout: CSVLayout, limits: DecodingLimits
  ) {
    self.bytes = bytes
    self.end = end
    position = layout.dataStart
    line = layout.firstLine
    self.layout = layout
    self.limits = limits
    stride = layout.slots.count { $0 != CSVLayout.ignored }
  }

  private enum Row { case complete, withoutMotion, bad, cut, blank }

  /// True if the last value read extends to the end of the file.
  private var endsInValue = false

  /// Reads all rows.
  mutating func readAll() throws(DecodingFailure) {
    values.reserveCapacity(min(1 << 22, (end - position) / 8 + stride))
    while position < end {
      let start = position
      let startLine = line
      let size = values.count
      switch readRow() {
      case .complete:
        guard rowCount < limits.samples else {
          throw DecodingFailure(
            .limitExceeded, "more than \(limits.samples) rows", line: startLine)
        }
        rowCount += 1
        if endsInValue {
          issues.append(
            DecodingIssue(
              .assumption, "the file ends here without a line end; this row may be cut off",
              byteOffset: start, line: startLine))
        }
        continue
      case .withoutMotion, .blank: break
      case .bad:
        badRows += 1
        if firstBad == nil { firstBad = (startLine, start) }
      case .cut:
        issues.append(
          DecodingIssue(
            .truncated, "the file ends within a row, which was dropped", byteOffset: start,
            line: startLine))
      }
      values.removeSubrange(size...)
    }
    // Two unclosed quotes look like one text that contains all rows between them.
    if longestCell.lines > 10 {
      issues.append(
        DecodingIssue(
          .assumption,
          "a quoted cell of \(longestCell.lines + 1) lines begins here; if these are rows, a quote is "
            + "missing", line: longestCell.line))
    }
    if let firstBad {
      issues.append(
        DecodingIssue(
          .droppedSamples,
          "\(badRows) rows dropped: a finite number or an empty cell was expected for every value",
          count: badRows, byteOffset: firstBad.offset, line: firstBad.line))
    }
  }

  private mutating func readRow() -> Row {
    if bytes[position] == 10 || bytes[position] == 13 {
      skipLine()
      return .blank
    }
    var isBad = false
    var hasMotion = false
    var hasTime = !layout.hasTime
    let lastColumn = layout.slots.count - 1
    for column in 0...lastColumn {
      let slot = layout.slots[column]
      if slot == CSVLayout.ignored {
        skipCell()
      } else {
        let value = readCell(slot: slot, isBad: &isBad)
        values.append(value)
        if slot == CSVLayout.timeSlot {
          hasTime = !value.isNaN
        } else if slot != CSVLayout.dateSlot, !value.isNaN {
          hasMotion = true
        }
      }
      if column < lastColumn {
        guard position < end, bytes[position] == layout.delimiter else {
          // The row has fewer columns than needed.
          let isEnd = position >= end
          skipLine()
          return isEnd ? .cut : .bad
        }
        position += 1
      }
    }
    endsInValue = position >= end
    skipLine()
    if isBad { return .bad }
    if !hasMotion { return .withoutMotion }
    return hasTime ? .complete : .bad
  }

  /// Moves to the delimiter or line end after the cell at the position.
  private mutating func skipCell() {
    if position < end, bytes[position] == 0x22 { return skipQuoted() }
    while position < end {
      let byte = bytes[position]
      if byte == layout.delimiter || byte == 10 || byte == 13 { return }
      position += 1
    }
  }

  /// Skips a cell that begins with a quote. An unclosed quote is an ordinary character.
  ///
  /// - Complexity: O(cell), and once per file O(rest): after an unclosed quote, later ones come in pairs.
  private mutating func skipQuoted() {
    let start = position
    let startLine = line
    var isClosed = false
    position += 1
    while position < end, !isClosed {
      let byte = bytes[position]
      position += 1
      if byte == 0x22 {
        if position < end, bytes[position] == 0x22 { position += 1 } else { isClosed = true }
      } else if byte == 10 {
        line += 1
      }
    }
    if !isClosed {
      position = start + 1
      line = startLine
    } else if line - startLine > longestCell.lines {
      longestCell = (startLine, line - startLine)
    }
    while position < end {
      let byte = bytes[position]
      if byte == layout.delimiter || byte == 10 || byte == 13 { return }
      position += 1
    }
  }

  @inline(__always)
  private func isCellEnd(_ index: Int) -> Bool {
    guard index < end else { return true }
    let byte = bytes[index]
    return byte == layout.delimiter || byte == 10 || byte == 13
  }

  /// Reads a cell and moves to the delimiter or line end after it.
  @inline(__always)
  private mutating func readCell(slot: UInt8, isBad: inout Bool) -> Double {
    let start = position
    if end &- position > PlainDecimalReader.reach {
      let number = decimals.read(bytes + position)
      if number.length > 0, isCellEnd(position &+ number.length) {
        position &+= number.length
        return number.value
      }
    }
    if let value = parseDecimal(bytes, at: &position, end: end, grammar: .text),
      isCellEnd(position)
    {
      if !value.isFinite, slot != CSVLayout.dateSlot { isBad = true }
      return value
    }
    position = start
    return readUnusualCell(slot: slot, isBad: &isBad)
  }

  /// Reads a cell that is empty, quoted, padded, a date or invalid.
  @inline(never)
  private mutating func readUnusualCell(slot: UInt8, isBad: inout Bool) -> Double {
    var start = position
    skipCell()
    var stop = position
    func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x22 }
    while start < stop, isPadding(bytes[start]) { start += 1 }
    while stop > start, isPadding(bytes[stop - 1]) { stop -= 1 }
    if start == stop { return .nan }
    var scan = start
    if let value = parseDecimal(bytes, at: &scan, end: stop, grammar: .text), scan == stop {
      if !value.isFinite, slot != CSVLayout.dateSlot { isBad = true }
      return value
    }
    if layout.delimiter != 0x2C, let value = decimalComma(start..<stop) { return value }
    if slot == CSVLayout.timeSlot || slot == CSVLayout.dateSlot {
      if let instant = ISO8601.parse(UnsafeBufferPointer(start: bytes + start, count: stop - start))
      {
        if slot == CSVLayout.timeSlot { hasTextTimes = true }
        return instant.unixTime
      }
      if slot == CSVLayout.dateSlot { return .nan }
    }
    isBad = true
    return .nan
  }

  /// Parses a number with a decimal comma, as spreadsheets in many countries write it.
  private func decimalComma(_ cell: Range<Int>) -> Double? {
    guard cell.count <= 64 else { return nil }
    let text = cell.map { bytes[$0] == 0x2C ? UInt8(ascii: ".") : bytes[$0] }
    return text.withUnsafeBufferPointer { buffer in
      var scan = 0
      guard let base = buffer.baseAddress,
        let value = parseDecimal(base, at: &scan, end: buffer.count, grammar: .text),
        scan == buffer.count, value.isFinite
      else { return nil }
      return value
    }
  }

  /// Moves from the end of a cell, or an empty line, past the end of the line.
  private mutating func skipLine() {
    while position < end {
      let byte = bytes[position]
      // Quotes matter only at the start of a cell; elsewhere they are ordinary characters, as in `12" bar`.
      if byte == 0x22, bytes[position - 1] == layout.delimiter {
        skipQuoted()
        continue
      }
      position += 1
      if byte == 10 {
        line += 1
        return
      }
      if byte == 13 {
        if position < end, bytes[position] == 10 { position += 1 }
        line += 1
        return
      }
    }
  }

  /// Returns the values of a slot; empty if no column has it.
  func column(_ slot: UInt8) -> [Double] {
    guard let column = layout.slots.firstIndex(of: slot) else { return [] }
    var index = layout.slots[..<column].count { $0 != CSVLayout.ignored }
    return Array(unsafeUninitializedCapacity: rowCount) { buffer, initialized in
      values.withUnsafeBufferPointer { values in
        for row in 0..<rowCount {
          buffer.initializeElement(at: row, to: values[index])
          index += stride
        }
      }
      initialized = rowCount
    }
  }
}
