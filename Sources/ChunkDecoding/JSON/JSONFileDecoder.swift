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
    var failures: [DecodingFailure] = []
    scanner.skipWhitespace()
    var values = 0
    while scanner.position < scanner.end {
      let valueStart = scanner.position
      values += 1
      let isSequence = format == .ndjson || values > 1 || startsSequence(scanner)
      parser.salvagesDamage = !isSequence || isLastLine(scanner)
      do throws(DecodingFailure) {
        let outcome = try parser.parse(&scanner)
        // Only a new line may begin another value.
        let trailing = endsLine(&scanner) ? nil : scanner.failure(.trailingContent)
        if let trailing, isSequence { throw trailing.failure(limits: options.limits) }
        switch outcome {
        case .messages(let messages): file.messages += messages
        case .notAChunk(let what):
          failures.append(
            DecodingFailure(
              .notAChunk, "JSON, but no chunk or message: \(what)", byteOffset: valueStart,
              line: isSequence ? lines.line(at: valueStart) : nil))
          if isSequence {
            file.issues.append(
              DecodingIssue(
                .unknownMessage, "ignored: \(what)", byteOffset: valueStart,
                line: lines.line(at: valueStart)))
          }
        }
        if let trailing {
          guard file.sampleCount > 0 else { throw trailing.failure(limits: options.limits) }
          file.issues.append(
            DecodingIssue(
              .damaged, trailing.message(limits: options.limits) + "; what came before was kept",
              byteOffset: trailing.offset))
          break
        }
      } catch {
        guard error.kind != .limitExceeded else { throw error }
        var failure = error
        if isSequence { failure.line = lines.line(at: valueStart) }
        failures.append(failure)
        guard isSequence else { break }
        file.issues.append(
          DecodingIssue(
            .invalidLine, error.message, byteOffset: error.byteOffset ?? valueStart,
            line: failure.line))
        scanner.position = valueStart
        skipLine(&scanner)
      }
      scanner.skipWhitespace()
    }
    file.issues += parser.takeIssues()
    if values > 1 { file.format = .ndjson }
    let invalid = failures.first { $0.kind != .notAChunk }
    if file.messages.isEmpty {
      throw invalid ?? failures.first
        ?? DecodingFailure(.empty, "the input is empty", byteOffset: 0)
    }
    if let invalid, file.messages.allSatisfy(\.isEmptyChunk) { throw invalid }
    return file
  }

  /// Skips white space up to the next line; whether nothing else was on this one.
  private func endsLine(_ scanner: inout JSONScanner) -> Bool {
    while scanner.position < scanner.end, scanner.bytes[scanner.position] != 10 {
      let start = scanner.position
      guard [0x20, 0x09, 0x0D].contains(scanner.bytes[start]) else { return false }
      scanner.position += 1
    }
    return true
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

extension StreamMessage {
  fileprivate var isEmptyChunk: Bool {
    if case .chunk(let chunk) = self { chunk.samples.isEmpty } else { false }
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
