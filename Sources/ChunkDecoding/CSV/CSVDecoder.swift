import Motion

/// Decodes a CSV file of any dialect into one chunk.
struct CSVDecoder {
  let options: DecodingOptions
  let fileName: String

  func decode(_ buffer: UnsafeRawBufferPointer) throws(DecodingFailure) -> DecodedFile {
    let start = Self.skipping(
      lines: options.skippedLines, in: buffer, from: try textStart(of: buffer))
    guard let address = buffer.baseAddress, start < buffer.count else {
      throw DecodingFailure(.empty, "the file is empty")
    }
    let bytes = address.assumingMemoryBound(to: UInt8.self)
    var layout = try layout(bytes, start: start, end: buffer.count)
    layout.firstLine += max(0, options.skippedLines)
    if !layout.hasTime {
      guard let rate = options.rateHz else {
        throw DecodingFailure(
          .invalidColumnDescription,
          "the column description names no time; --rate gives samples without times a rate")
      }
      guard rate.isFinite, rate > 0 else {
        throw DecodingFailure(
          .invalidColumnDescription, "samples without times need a rate above 0 Hz, not \(rate)")
      }
    }
    var reader = CSVReader(bytes, end: buffer.count, layout: layout, limits: options.limits)
    try reader.readAll()
    guard reader.rowCount > 0 else {
      throw DecodingFailure(
        .noUsableSample,
        reader.issues.first.map { "no usable row; \($0)" }
          ?? "no row with a time and a measurement",
        line: layout.firstLine)
    }
    var issues = reader.issues
    let chunk = chunk(of: reader, layout: &layout, issues: &issues)
    return DecodedFile(format: .csv, messages: [.chunk(chunk)], issues: issues)
  }

  /// Returns the offset after `lines` lines; `start` if the number is not positive.
  static func skipping(lines: Int, in buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
    var start = start
    var left = lines
    while left > 0, start < buffer.count {
      left -= 1
      while start < buffer.count, buffer[start] != 10, buffer[start] != 13 { start += 1 }
      if start + 1 < buffer.count, buffer[start] == 13, buffer[start + 1] == 10 { start += 1 }
      start = min(start + 1, buffer.count)
    }
    return start
  }

  private func layout(
    _ bytes: UnsafePointer<UInt8>, start: Int, end: Int
  ) throws(DecodingFailure) -> CSVLayout {
    let delimiter = options.columns?.delimiter ?? Self.delimiter(bytes, start: start, end: end)
    if let description = options.columns, !description.hasHeader {
      return try CSVLayout(
        description, header: nil, delimiter: delimiter, dataStart: start, firstLine: 1,
        limits: options.limits)
    }
    let limit = options.limits.columns
    func readHeader(from start: Int, line: Int) throws(DecodingFailure) -> CSVHeader {
      let header = CSVHeader(
        bytes, start: start, end: end, delimiter: delimiter, columnsAtMost: limit)
      guard header.names.count <= limit else {
        throw DecodingFailure(.limitExceeded, "more than \(limit) columns", line: line)
      }
      return header
    }
    var header = try readHeader(from: start, line: 1)
    if let description = options.columns {
      return try CSVLayout(
        description, header: header.names, delimiter: delimiter, dataStart: header.end,
        firstLine: header.nextLine, limits: options.limits)
    }
    // Some exporters put a line such as "sep=;" before the header.
    if header.names.count <= 2, header.names.first?.hasPrefix("sep=") == true {
      let line = header.nextLine
      header = try readHeader(from: header.end, line: line)
      header.nextLine += line - 1
    }
    if let layout = CSVLayout(
      header: header.names, fileName: fileName, delimiter: delimiter, dataStart: header.end,
      firstLine: header.nextLine, needsTime: options.rateHz == nil)
    {
      return layout
    }
    let shown = header.names.prefix(6).map { $0.prefix(40) }.joined(separator: ", ")
    throw DecodingFailure(
      .unknownColumns,
      "CSV: a header with a time and motion columns of a known name was expected, found: \(shown)"
        + "; a column description tells what the columns are", byteOffset: start, line: 1)
  }

  /// Returns the most frequent of comma, semicolon and tab in the first line.
  private static func delimiter(_ bytes: UnsafePointer<UInt8>, start: Int, end: Int) -> UInt8 {
    var counts = [0, 0, 0]
    let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 9]
    var index = start
    var quoted = false
    var isCellStart = true
    while index < end, quoted || (bytes[index] != 10 && bytes[index] != 13) {
      let byte = bytes[index]
      index += 1
      if quoted, byte == 0x22, index < end, bytes[index] == 0x22 {
        index += 1
        continue
      }
      if byte == 0x22, quoted || isCellStart { quoted.toggle() }
      let candidate = quoted ? nil : candidates.firstIndex(of: byte)
      if let candidate { counts[candidate] += 1 }
      isCellStart = candidate != nil || (isCellStart && byte == 0x20)
    }
    if counts[1] > counts[0], counts[1] >= counts[2] { return candidates[1] }
    return counts[2] > counts[0] ? candidates[2] : candidates[0]
  }

  private func chunk(
    of reader: CSVReader, layout: inout CSVLayout, issues: inout [DecodingIssue]
  ) -> DecodedChunk {
    let times: [Double]
    var units = layout.units
    if let rate = options.rateHz, !layout.hasTime {
      times = (0..<reader.rowCount).map { Double($0) / rate }
      units.time = .seconds
      layout.timeUnitIsKnown = true
      layout.clock = .device
    } else {
      times = reader.column(CSVLayout.timeSlot)
    }
    var clock = layout.clock ?? .device
    if reader.hasTextTimes {
      units.time = .seconds
      clock = .unix
    } else if !layout.timeUnitIsKnown {
      let recognized = UnitRecognition.recognizeTime(times)
      units.time = recognized.unit
      clock = layout.clock ?? recognized.clock
    } else if layout.clock == nil, let first = times.first {
      // After 2001 in the given unit: a date.
      if (1e9..<1e11).contains(first / units.time.unitsPerSecond) { clock = .unix }
    }
    var batch = MotionBatch([.time: times], units: units, clock: clock)
    for channel in MotionChannel.allCases where channel != .time {
      let column = reader.column(CSVLayout.slot(of: channel))
      if !column.isEmpty { batch[channel] = column }
    }
    recognizeUnits(&batch, layout: layout)

    var chunk = DecodedChunk(samples: batch)
    if let first = times.first {
      if clock == .unix {
        chunk.unixTimeOfFirstSample = first / units.time.unitsPerSecond
      } else if let date = reader.column(CSVLayout.dateSlot).first, !date.isNaN {
        chunk.unixTimeOfFirstSample = Self.unixTime(date)
      } else if DateEncoding.recognize(first) == .secondsSince2001, units.time == .seconds {
        chunk.unixTimeOfFirstSample = DateEncoding.secondsSince2001.unixTime(first)
      }
    }
    rebuildWholeSeconds(&chunk, issues: &issues)
    return chunk
  }

  /// Rebuilds the times of samples if the file's times are whole seconds.
  ///
  /// Only the decoder knows that the rows are in the order of measurement, and that equal rows of a second
  /// are separate samples of a coarse sensor.
  private func rebuildWholeSeconds(_ chunk: inout DecodedChunk, issues: inout [DecodingIssue]) {
    let scale = chunk.samples.units.time.unitsPerSecond
    let seconds = chunk.samples.times.map { $0 / scale }
    guard WholeSecondTimes.areCut(seconds) else { return }
    let date = chunk.unixTimeOfFirstSample.map { $0 - seconds[0] }
    chunk.samples[.time] = seconds
    chunk.samples.units.time = .seconds
    chunk.timeResolution = .wholeSeconds
    chunk = chunk.withRebuiltTimes()
    chunk.unixTimeOfFirstSample = date.flatMap { offset in
      chunk.samples.times.first.map { $0 + offset }
    }
    issues.append(
      DecodingIssue(
        .assumption, "times in whole seconds; rebuilt from the order of the rows",
        count: seconds.count))
  }

  /// Infers the units that neither the names nor the description state.
  private func recognizeUnits(_ batch: inout MotionBatch, layout: CSVLayout) {
    if options.columns == nil, batch.has(.gravity) {
      let stated = batch.units
      UnitRecognition.recognizeFromGravity(&batch)
      if layout.accelerationUnitIsKnown {
        batch.units.userAcceleration = stated.userAcceleration
        batch.units.totalAcceleration = stated.totalAcceleration
      }
    } else {
      recognizeAcceleration(&batch, layout: layout)
    }
    if !layout.rotationUnitIsKnown,
      MotionQuantity.rotationRate.channels.contains(where: {
        UnitRecognition.isInDegrees(rotationRate: batch[$0])
      })
    {
      batch.units.rotationRate = .degrees
    }
    if !layout.angleUnitIsKnown,
      MotionQuantity.attitude.channels.contains(where: {
        UnitRecognition.isInDegrees(angles: batch[$0])
      })
    {
      batch.units.attitude = .degrees
    }
  }

  /// Infers the unit and kind of acceleration, as far as not stated, in a file without gravity.
  private func recognizeAcceleration(_ batch: inout MotionBatch, layout: CSVLayout) {
    guard !layout.accelerationUnitIsKnown || !layout.gravityIsKnown else { return }
    let quantity: MotionQuantity =
      batch.has(.totalAcceleration) ? .totalAcceleration : .userAcceleration
    let axes = quantity.channels
    guard batch.has(quantity),
      let found = UnitRecognition.recognizeAcceleration(
        x: batch[axes[0]], y: batch[axes[1]], z: batch[axes[2]])
    else { return }
    if !layout.accelerationUnitIsKnown {
      let isRemoved = layout.gravityIsKnown && quantity == .userAcceleration
      let unit = isRemoved && found.unit == .g ? layout.defaultAccelerationUnit : found.unit
      batch.units.userAcceleration = unit
      batch.units.totalAcceleration = unit
    }
    if !layout.gravityIsKnown, found.includesGravity, quantity == .userAcceleration {
      batch.moveUserAccelerationToTotal()
    }
  }

  /// Converts a date in any unit to seconds since 1970, recognizing the unit by size.
  private static func unixTime(_ value: Double) -> Double? {
    switch value {
    case 1e17...: value / 1e9
    case 1e14..<1e17: value / 1e6
    default: DateEncoding.recognize(value)?.unixTime(value)
    }
  }
}

extension MotionBatch {
  /// Moves the columns of user acceleration to total acceleration.
  mutating func moveUserAccelerationToTotal() {
    let sources = MotionQuantity.userAcceleration.channels
    for (source, target) in zip(sources, MotionQuantity.totalAcceleration.channels) {
      self[target] = self[source]
      self[source] = []
    }
  }
}

/// The names in a CSV file's header, at most one more than the limit.
struct CSVHeader {
  private(set) var names: [String] = []
  /// The offset after the header.
  private(set) var end: Int
  var nextLine = 2

  init(
    _ bytes: UnsafePointer<UInt8>, start: Int, end limit: Int, delimiter: UInt8,
    columnsAtMost columns: Int
  ) {
    var index = start
    var cell: [UInt8] = []
    var quoted = false
    while index < limit, names.count <= columns {
      let byte = bytes[index]
      index += 1
      if quoted {
        if byte == 0x22 {
          if index < limit, bytes[index] == 0x22 {
            cell.append(byte)
            index += 1
          } else {
            quoted = false
          }
        } else {
          if byte == 10 { nextLine += 1 }
          cell.append(byte)
        }
      } else if byte == 0x22, cell.allSatisfy(Self.isPadding) {
        // Elsewhere a quote is an ordinary character, as in `12" bar`.
        quoted = true
      } else if byte == delimiter {
        names.append(Self.name(cell))
        cell.removeAll(keepingCapacity: true)
      } else if byte == 10 || byte == 13 {
        if byte == 13, index < limit, bytes[index] == 10 { index += 1 }
        break
      } else {
        cell.append(byte)
      }
    }
    if names.count <= columns { names.append(Self.name(cell)) }
    end = index
  }

  private static func name(_ cell: [UInt8]) -> String {
    let trimmed = cell.drop(while: isPadding)
    let stop = trimmed.lastIndex { !isPadding($0) }.map { $0 + 1 } ?? trimmed.startIndex
    return String(decoding: trimmed[trimmed.startIndex..<stop], as: UTF8.self)
  }

  private static func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 }
}
