/// Decodes files of JSON: one value, or one after the other (NDJSON).
struct JSONFileDecoder {
  let options: DecodingOptions
  let sidecar: ChunkFields?

  func decode(
    _ buffer: UnsafeRawBufferPointer, format: RecordingFormat
  ) throws(DecodingFailure) -> DecodedFile {
    let start = try textStart(of: buffer)
    var scanner = JSONScanner(buffer, range: start..<buffer.count, limits: options.limits)
    var parser = ChunkParser(options: options, sidecar: sidecar, salvagesDamage: true)
    var file = DecodedFile(format: format, messages: [])
    var lines = LineCounter(scanner.bytes)
    var firstFailure: DecodingFailure?
    scanner.skipWhitespace()
    var values = 0
    while scanner.position < scanner.end {
      let valueStart = scanner.position
      values += 1
      let isSequence = format == .ndjson || values > 1 || startsSequence(scanner)
      parser.salvagesDamage = !isSequence || isLastLine(scanner)
      do {
        let outcome = try parser.parse(&scanner)
        switch outcome {
        case .messages(let messages): file.messages += messages
        case .notAChunk(let what):
          let line = lines.line(at: valueStart)
          firstFailure =
            firstFailure
            ?? DecodingFailure(
              .notAChunk, "JSON, but no chunk or message: \(what)", byteOffset: valueStart,
              line: isSequence ? line : nil)
          if isSequence {
            file.issues.append(
              DecodingIssue(
                .unknownMessage, "ignored: \(what)", byteOffset: valueStart, line: line))
          }
        }
      } catch {
        guard error.kind != .limitExceeded else { throw error }
        if firstFailure == nil {
          firstFailure = error
          if isSequence { firstFailure?.line = lines.line(at: error.byteOffset ?? valueStart) }
        }
        guard isSequence else {
          // Damage behind a complete value leaves that value.
          break
        }
        file.issues.append(
          DecodingIssue(
            .invalidLine, error.message, byteOffset: error.byteOffset ?? valueStart,
            line: lines.line(at: valueStart)))
        scanner.position = valueStart
        skipLine(&scanner)
      }
      scanner.skipWhitespace()
    }
    file.issues += parser.takeIssues()
    if values > 1 { file.format = .ndjson }
    if file.messages.isEmpty {
      throw firstFailure ?? DecodingFailure(.empty, "the input is empty", byteOffset: 0)
    }
    return file
  }

  /// Whether the value that begins here ends on its line and another follows: lines of values,
  /// even if this one is damaged.
  private func startsSequence(_ scanner: JSONScanner) -> Bool {
    var index = scanner.position
    while index < scanner.end, scanner.bytes[index] != 10 { index += 1 }
    var last = index
    while last > scanner.position, scanner.bytes[last - 1] <= 0x20 { last -= 1 }
    while index < scanner.end, scanner.bytes[index] <= 0x20 { index += 1 }
    guard index < scanner.end, last > scanner.position else { return false }
    let closing = scanner.bytes[last - 1]
    return (closing == UInt8(ascii: "}") || closing == UInt8(ascii: "]"))
      && scanner.bytes[index] == scanner.bytes[scanner.position]
  }

  private func isLastLine(_ scanner: JSONScanner) -> Bool {
    var index = scanner.position
    while index < scanner.end, scanner.bytes[index] != 10 { index += 1 }
    while index < scanner.end, scanner.bytes[index] <= 0x20 { index += 1 }
    return index >= scanner.end
  }

  private func skipLine(_ scanner: inout JSONScanner) {
    while scanner.position < scanner.end, scanner.bytes[scanner.position] != 10 {
      scanner.position += 1
    }
  }
}

/// Counts lines up to growing offsets, each byte once.
struct LineCounter {
  private let bytes: UnsafePointer<UInt8>
  private var offset = 0
  private var current = 1

  init(_ bytes: UnsafePointer<UInt8>) { self.bytes = bytes }

  mutating func line(at target: Int) -> Int {
    while offset < target {
      if bytes[offset] == 10 { current += 1 }
      offset += 1
    }
    return current
  }
}
