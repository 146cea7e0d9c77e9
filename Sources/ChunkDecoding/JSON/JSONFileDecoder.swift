import Motion

/// Decodes JSON files: a single value, lines of values (NDJSON), or values of several lines each.
struct JSONFileDecoder {
  private let buffer: UnsafeRawBufferPointer
  private let options: DecodingOptions
  private var parser: ChunkParser
  private var file: DecodedFile
  private var lines: LineCounter
  /// The first value that is not a chunk, and the first damaged one.
  private var firstOther: DecodingFailure?
  private var firstInvalid: DecodingFailure?

  init(
    _ buffer: UnsafeRawBufferPointer, format: InputFormat, options: DecodingOptions,
    sidecar: ChunkFields?
  ) {
    self.buffer = buffer
    self.options = options
    parser = ChunkParser(options: options, sidecar: sidecar, isOfFile: true)
    file = DecodedFile(format: format, messages: [])
    lines = LineCounter(buffer)
  }

  mutating func decode() throws(DecodingFailure) -> DecodedFile {
    let start = try textStart(of: buffer)
    if file.format == .ndjson || holdsLines(from: start) {
      file.format = .ndjson
      try readLines(from: start)
    } else {
      try readValues(from: start)
    }
    file.issues += parser.takeIssues()
    if file.messages.isEmpty {
      throw firstInvalid ?? firstOther
        ?? DecodingFailure(.empty, "the input is empty", byteOffset: 0)
    }
    if file.messages.allSatisfy({ $0.isEmptyChunk }) {
      if let firstInvalid { throw firstInvalid }
      // A declared set is valid even without samples.
      if parser.emptySamples > 0, file.chunks.allSatisfy({ $0.identity.setId == nil }) {
        throw DecodingFailure(
          .noUsableSample, "none of \(parser.emptySamples) samples has a measurement",
          byteOffset: start)
      }
    }
    return file
  }

  /// Reads one value per line. A damaged line does not affect the others; if the last line is cut off, the
  /// readable part of its chunk is kept.
  private mutating func readLines(from start: Int) throws(DecodingFailure) {
    var lineStart = start
    while lineStart < buffer.count {
      let lineEnd = buffer.firstNewline(from: lineStart)
      var scanner = JSONScanner(buffer, range: lineStart..<lineEnd, limits: options.limits)
      scanner.skipWhitespace()
      let valueStart = scanner.position
      lineStart = lineEnd + 1
      guard valueStart < lineEnd else { continue }
      parser.recoversDamage = lineStart >= buffer.count
      let outcome: ChunkParser.Outcome
      do throws(DecodingFailure) {
        guard lineEnd - valueStart <= options.limits.messageBytes else {
          throw DecodingFailure(
            .limitExceeded, "a line of more than \(options.limits.messageBytes) bytes",
            byteOffset: valueStart)
        }
        outcome = try parser.parse(&scanner)
        scanner.skipWhitespace()
        if scanner.position < lineEnd {
          throw scanner.failure(.trailingContent).failure(limits: options.limits)
        }
      } catch {
        var failure = error
        failure.line = lines.line(at: valueStart)
        note(failure)
        file.issues.note(
          DecodingIssue(
            .invalidLine, error.message, byteOffset: error.byteOffset ?? valueStart,
            line: failure.line))
        continue
      }
      try take(outcome, at: valueStart, isLine: true)
    }
  }

  /// Reads a single value, or several that each begin on a new line. If one is damaged and a message begins
  /// on a later line, reads the rest as lines.
  private mutating func readValues(from start: Int) throws(DecodingFailure) {
    var scanner = JSONScanner(buffer, range: start..<buffer.count, limits: options.limits)
    scanner.skipWhitespace()
    while scanner.position < scanner.end {
      let valueStart = scanner.position
      let parserBefore = parser
      do throws(DecodingFailure) {
        let outcome = try parser.parse(&scanner)
        if parser.isSalvaged, isMessage(onLineAfter: valueStart) {
          parser = parserBefore
          file.format = .ndjson
          return try readLines(from: valueStart)
        }
        try take(outcome, at: valueStart, isLine: false)
      } catch {
        guard error.kind != .limitExceeded else { throw error }
        let isWhole = error.kind == .noUsableSample || error.kind == .notAChunk
        // A complete but unusable value does not affect later ones.
        if !isWhole || scanner.position == scanner.end {
          if isMessage(onLineAfter: valueStart) {
            file.format = .ndjson
            return try readLines(from: valueStart)
          }
          note(error)
          if file.sampleCount > 0 {
            noteDamage(error.message, at: error.byteOffset ?? valueStart)
          }
          return
        }
        note(error)
        file.issues.note(.chunkSkipped(error, at: valueStart))
      }
      guard endsLine(&scanner) else {
        let failure = scanner.failure(.trailingContent)
        guard file.sampleCount > 0 else { throw failure.failure(limits: options.limits) }
        return noteDamage(failure.message(limits: options.limits), at: failure.offset)
      }
      scanner.skipWhitespace()
      if scanner.position < scanner.end { file.format = .ndjson }
    }
  }

  private mutating func take(
    _ outcome: ChunkParser.Outcome, at offset: Int, isLine: Bool
  ) throws(DecodingFailure) {
    switch outcome {
    case .messages(let messages):
      file.messages += messages
      guard file.messages.count <= options.limits.messages else {
        throw ScanFailure(reason: .tooManyMessages, offset: offset).failure(limits: options.limits)
      }
    case .notAChunk(let what):
      let line = isLine ? lines.line(at: offset) : nil
      note(
        DecodingFailure(
          .notAChunk, "JSON, but no chunk or message: \(what)", byteOffset: offset, line: line))
      if isLine {
        file.issues.note(
          DecodingIssue(.unknownMessage, "ignored: \(what)", byteOffset: offset, line: line))
      }
    }
  }

  private mutating func note(_ failure: DecodingFailure) {
    if failure.kind == .notAChunk {
      firstOther = firstOther ?? failure
    } else {
      firstInvalid = firstInvalid ?? failure
    }
  }

  private mutating func noteDamage(_ message: String, at offset: Int) {
    file.issues.append(
      DecodingIssue(.damaged, message + "; what came before was kept", byteOffset: offset))
  }

  /// Returns whether the first non-empty line ends, and the next one begins, like a value: then the file is
  /// lines of values, even if this one is damaged.
  private func holdsLines(from start: Int) -> Bool {
    var first = start
    while first < buffer.count, buffer[first] <= 0x20 { first += 1 }
    let lineEnd = buffer.firstNewline(from: first)
    var last = lineEnd
    while last > first, buffer[last - 1] <= 0x20 { last -= 1 }
    var next = lineEnd
    while next < buffer.count, buffer[next] <= 0x20 { next += 1 }
    guard next < buffer.count, last > first else { return false }
    let closing = buffer[last - 1]
    return (closing == UInt8(ascii: "}") || closing == UInt8(ascii: "]"))
      && buffer[next] == buffer[first]
  }

  /// Returns whether one of the next lines begins like the value at the offset and contains a message.
  private func isMessage(onLineAfter offset: Int) -> Bool {
    var start = buffer.firstNewline(from: offset) + 1
    for _ in 0..<16 where start < buffer.count {
      let end = buffer.firstNewline(from: start)
      if buffer[start] == buffer[offset] {
        let line = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
        if (try? RecordingDecoder.decodeLine(line, options: options)) != nil { return true }
      }
      start = end + 1
    }
    return false
  }

  /// Skips white space up to the next line; returns whether the rest of this line was blank.
  private func endsLine(_ scanner: inout JSONScanner) -> Bool {
    while scanner.position < scanner.end, scanner.bytes[scanner.position] != 10 {
      guard [0x20, 0x09, 0x0D].contains(scanner.bytes[scanner.position]) else { return false }
      scanner.position += 1
    }
    return true
  }
}

extension StreamMessage {
  fileprivate var isEmptyChunk: Bool {
    if case .chunk(let chunk) = self { chunk.samples.isEmpty } else { false }
  }
}

/// Counts lines up to increasing offsets, reading each byte once.
struct LineCounter {
  private let buffer: UnsafeRawBufferPointer
  private var offset = 0
  private var current = 1

  init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  mutating func line(at target: Int) -> Int {
    while true {
      let newline = buffer.firstNewline(from: offset)
      guard newline < min(target, buffer.count) else { return current }
      current += 1
      offset = newline + 1
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the offset of the first line feed from `start` on, or the end.
  func firstNewline(from start: Int) -> Int {
    var index = start
    // Skip 32 bytes at a time in long lines.
    while count - index >= 32 {
      let first = loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      let second = loadUnaligned(fromByteOffset: index + 16, as: SIMD16<UInt8>.self)
      let newlines = unsafeBitCast(
        (first .== SIMD16<UInt8>(repeating: 10)) .| (second .== SIMD16<UInt8>(repeating: 10)),
        to: SIMD2<UInt64>.self)
      guard newlines[0] | newlines[1] == 0 else { break }
      index += 32
    }
    while index < count, self[index] != 10 { index += 1 }
    return index
  }
}
