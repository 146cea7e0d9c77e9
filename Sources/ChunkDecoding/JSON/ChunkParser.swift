/// Parses JSON values that are chunks, arrays of samples, arrays of chunks, or messages.
struct ChunkParser {
  let options: DecodingOptions
  /// Fields from a sidecar, used where the value itself has none.
  var sidecar: ChunkFields?
  /// True to keep the readable part of a damaged or cut value if it has a usable sample.
  var recoversDamage: Bool
  /// True if the value is from a file: a bad chunk in an array then does not affect the others. A line of a
  /// stream is rejected as a whole.
  private let isOfFile: Bool
  private(set) var issues: [DecodingIssue] = []

  /// Number of samples without a measurement.
  private(set) var emptySamples = 0

  /// True if the last value parsed is damaged and was kept in part.
  private(set) var isSalvaged = false

  private var samples = SampleParser()
  /// The samples of the current chunk; its own fields, and those of its `metadata`.
  private var rows = SampleRows()
  private var fields = ChunkFields()
  private var nested: ChunkFields?
  /// Chunks before the current one in an array.
  private var finished: [StreamMessage] = []

  init(options: DecodingOptions, sidecar: ChunkFields? = nil, isOfFile: Bool) {
    self.options = options
    self.sidecar = sidecar
    self.isOfFile = isOfFile
    recoversDamage = isOfFile
  }

  enum Outcome {
    case messages([StreamMessage])
    /// Valid JSON of another kind.
    case notAChunk(String)
  }

  /// An outcome, or the reason for rejecting a well-formed value.
  private typealias ParsedValue = Result<Outcome, DecodingFailure>

  /// Parses the value at the scanner's position and moves past it.
  mutating func parse(_ scanner: inout JSONScanner) throws(DecodingFailure) -> Outcome {
    scanner.skipWhitespace()
    let start = scanner.position
    beginChunk()
    finished = []
    isSalvaged = false
    let value: ParsedValue
    do throws(ScanFailure) {
      value = try parseValue(&scanner, start: start)
    } catch {
      let failure = error
      // Stop here: bytes after the damage cannot be assigned to this value.
      scanner.position = scanner.end
      guard recoversDamage, failure.kind != .limitExceeded,
        let messages = try recover(start: start)
      else { throw failure.failure(limits: options.limits) }
      let isCut = failure.reason == .endOfInput
      let count = messages.reduce(0) { $0 + $1.sampleCount }
      issues.note(
        DecodingIssue(
          isCut ? .truncated : .damaged,
          failure.message(limits: options.limits) + "; \(count) samples before were kept"
            + (isCut ? "" : ", what follows was not read"),
          byteOffset: failure.offset))
      isSalvaged = true
      return .messages(messages)
    }
    return try value.get()
  }

  private mutating func parseValue(
    _ scanner: inout JSONScanner, start: Int
  ) throws(ScanFailure) -> ParsedValue {
    switch scanner.byte {
    case UInt8(ascii: "{"): return try parseObject(&scanner, start: start)
    case UInt8(ascii: "["): return try parseArray(&scanner, start: start)
    default:
      try scanner.skipValue(depth: 0)
      return .success(.notAChunk("a JSON value that is neither object nor array"))
    }
  }

  private mutating func beginChunk() {
    rows.removeAll()
    fields = ChunkFields()
    nested = nil
  }

  /// Returns the complete chunks of a cut value, then the partial last one; nil if it has no samples.
  private mutating func recover(start: Int) throws(DecodingFailure) -> [StreamMessage]? {
    let hasSamples = finished.contains { $0.sampleCount > 0 }
    guard rows.count > 0 else { return hasSamples ? finished : nil }
    do throws(DecodingFailure) {
      return finished + [.chunk(try finishChunk(start: start))]
    } catch {
      guard hasSamples else { throw error }
      return finished
    }
  }

  mutating func takeIssues() -> [DecodingIssue] {
    defer { issues = [] }
    return issues
  }

  private mutating func parseObject(
    _ scanner: inout JSONScanner, start: Int
  ) throws(ScanFailure) -> ParsedValue {
    if scanner.entersEmpty(UInt8(ascii: "}")) {
      return .success(.notAChunk("an object without a key"))
    }
    var hasSamples = false
    var others = 0
    repeat {
      let key = try scanner.skipKey()
      scanner.skipWhitespace()
      if SampleField.equal(key, "samples"), scanner.byte == UInt8(ascii: "[") {
        // The last array is used, as for every repeated key.
        rows.removeAll()
        others = try samples.parseArray(&scanner, into: &rows, depth: 1)
        hasSamples = true
      } else if SampleField.equal(key, "metadata"), scanner.byte == UInt8(ascii: "{") {
        var read = ChunkFields()
        try read.readObject(&scanner, depth: 1)
        nested = read
      } else if try !fields.read(&scanner, key: key, depth: 1) {
        try scanner.skipValue(depth: 1)
      }
    } while try !scanner.endsAfterElement(UInt8(ascii: "}"))
    if hasSamples { return chunk(besides: others, start: start) }
    return .success(try message(scanner, start: start))
  }

  private mutating func parseArray(
    _ scanner: inout JSONScanner, start: Int
  ) throws(ScanFailure) -> ParsedValue {
    if firstElementHasSamples(scanner) { return try parseChunkArray(&scanner) }
    let others = try samples.parseArray(&scanner, into: &rows, depth: 0)
    if others > 0, rows.count == 0 {
      return .success(.notAChunk("an array whose elements are no samples"))
    }
    return chunk(besides: others, start: start)
  }

  /// Finishes the chunk from the rows.
  ///
  /// - Parameter others: Number of elements that are not samples.
  private mutating func chunk(besides others: Int, start: Int) -> ParsedValue {
    if others > 0 {
      guard rows.count > 0 else {
        return .failure(
          DecodingFailure(
            .notAChunk, "no chunk: the elements of \"samples\" are no samples", byteOffset: start))
      }
      issues.note(
        DecodingIssue(
          .droppedSamples, "\(others) elements that are no samples were dropped", count: others,
          byteOffset: start))
    }
    do throws(DecodingFailure) {
      return .success(.messages([.chunk(try finishChunk(start: start))]))
    } catch {
      return .failure(error)
    }
  }

  /// Returns whether the array at the position contains chunks rather than samples.
  private func firstElementHasSamples(_ scanner: JSONScanner) -> Bool {
    var scanner = scanner
    do throws(ScanFailure) {
      scanner.position += 1
      try scanner.expect(UInt8(ascii: "{"), .expectedValue)
      repeat {
        if SampleField.equal(try scanner.skipKey(), "samples") { return true }
        try scanner.skipValue(depth: 2)
      } while try !scanner.endsAfterElement(UInt8(ascii: "}"))
    } catch {}
    return false
  }

  private mutating func parseChunkArray(
    _ scanner: inout JSONScanner
  ) throws(ScanFailure) -> ParsedValue {
    let issuesBefore = issues
    var firstFailure: DecodingFailure?
    scanner.position += 1
    repeat {
      scanner.skipWhitespace()
      let start = scanner.position
      guard scanner.byte == UInt8(ascii: "{") else { throw scanner.failure(.expectedValue) }
      guard finished.count < options.limits.messages else {
        throw scanner.failure(.tooManyMessages)
      }
      switch try parseObject(&scanner, start: start) {
      case .success(.messages(let found)): finished += found
      case .success(.notAChunk(let what)):
        issues.note(
          DecodingIssue(.unknownMessage, "ignored in an array: \(what)", byteOffset: start))
      case .failure(let failure):
        guard isOfFile else { return .failure(failure) }
        firstFailure = firstFailure ?? failure
        issues.note(.chunkSkipped(failure, at: start))
      }
      beginChunk()
    } while try !scanner.endsAfterElement(UInt8(ascii: "]"))
    if let firstFailure, !finished.contains(where: { $0.sampleCount > 0 }) {
      issues = issuesBefore
      return .failure(firstFailure)
    }
    return .success(.messages(finished))
  }

  private mutating func message(
    _ scanner: JSONScanner, start: Int
  ) throws(ScanFailure) -> Outcome {
    // Too long for a message; do not build a tree.
    guard scanner.position - start <= 1 << 16 else {
      return .notAChunk("an object without \"samples\" of more than 65536 bytes")
    }
    var again = scanner
    again.position = start
    let value = try JSONValue(&again, depth: 0)
    return MessageParser(options: options).parse(value)
  }

  private mutating func finishChunk(start: Int) throws(DecodingFailure) -> DecodedChunk {
    if let nested { fields.fill(from: nested) }
    if let sidecar { fields.fill(from: sidecar) }
    emptySamples += rows.empty
    rows.flushBlock()
    return try ChunkBuilder(options: options, fields: fields, start: start)
      .chunk(from: rows, issues: &issues)
  }
}
