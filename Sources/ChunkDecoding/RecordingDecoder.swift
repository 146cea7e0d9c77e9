import Motion

/// Decodes bytes in any supported format into messages and chunks. Does not access files.
public enum RecordingDecoder {
  /// Recognizes the format of an input by its first bytes; nil if unknown.
  ///
  /// - Parameters:
  ///   - head: The first bytes; a few hundred suffice, or one line for CSV.
  ///   - fileName: Distinguishes a chunk from lines of chunks.
  public static func recognize(
    _ head: UnsafeRawBufferPointer, fileName: String = ""
  ) -> InputFormat? {
    if BinaryFrame.isFrame(head) { return .frames }
    guard let start = try? textStart(of: head) else { return nil }
    var index = start
    while index < head.count, [0x20, 0x09, 0x0A, 0x0D].contains(head[index]) { index += 1 }
    guard index < head.count else { return nil }
    let lowercased = fileName.lowercased()
    switch head[index] {
    case UInt8(ascii: "{"):
      return lowercased.hasSuffix(".ndjson") || lowercased.hasSuffix(".jsonl")
        ? .ndjson : .chunkObject
    case UInt8(ascii: "["): return .chunkArray
    default: break
    }
    // CSV is text whose first line has a delimiter or whose extension is known.
    var hasDelimiter = false
    var isFirstLine = true
    for byte in head[index...].prefix(4096) {
      if byte < 0x20, byte != 9, byte != 10, byte != 13 { return nil }
      if byte == 10 || byte == 13 { isFirstLine = false }
      if isFirstLine, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 9 {
        hasDelimiter = true
      }
    }
    if lowercased.hasSuffix(".json") || lowercased.hasSuffix(".ndjson") { return nil }
    return hasDelimiter ? .csv : nil
  }

  /// Decodes a whole file.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - fileName: The file's name, which identifies the sensor in formats with one file per sensor.
  ///   - sidecar: The content of its `.metadata.json`, if there is one.
  /// - Returns: At least one message, and the issues found. An empty array is a chunk without samples.
  /// - Throws: If nothing in it is usable.
  /// - Complexity: O(bytes).
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, fileName: String = "",
    sidecar: UnsafeRawBufferPointer? = nil, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> DecodedFile {
    guard bytes.count <= options.limits.inputBytes else {
      throw DecodingFailure(
        .limitExceeded, "more than \(options.limits.inputBytes) bytes", byteOffset: nil)
    }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }) {
      throw DecodingFailure(.empty, "the input is empty; a recording was expected", byteOffset: 0)
    }
    if let refusal = ForeignFormat.refusal(bytes, fileName: fileName) { throw refusal }
    // Named as JSON: the JSON parser then explains what is wrong with other content.
    let named: InputFormat? = fileName.lowercased().hasSuffix("json") ? .chunkObject : nil
    let start = CSVDecoder.skipping(lines: options.skippedLines, in: bytes, from: 0)
    let recognized = recognize(
      UnsafeRawBufferPointer(rebasing: bytes[start...]), fileName: fileName)
    guard let format = options.format ?? recognized ?? named else {
      _ = try textStart(of: bytes)
      throw DecodingFailure(
        .unknownFormat,
        "no known format; JSON ('{' or '['), CSV with a header, or binary frames were expected",
        byteOffset: 0)
    }
    switch format {
    case .csv:
      return try CSVDecoder(options: options, fileName: fileName).decode(bytes)
    case .frames:
      return try BinaryFrame.decodeFile(bytes, options: options)
    case .chunkObject, .chunkArray, .ndjson:
      let read = sidecar.map { ChunkFields.sidecar($0, limits: options.limits) }
      var decoder = JSONFileDecoder(bytes, format: format, options: options, sidecar: read?.fields)
      var file = try decoder.decode()
      if let failure = read?.failure {
        // The offsets are those in the sidecar, not in the file named.
        file.issues.append(
          DecodingIssue(.damaged, "its sidecar, \(failure); what it says before was kept"))
      }
      return file
    }
  }

  /// Decodes a whole file from an array of bytes.
  public static func decode(
    _ bytes: [UInt8], fileName: String = "", sidecar: [UInt8]? = nil,
    options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> DecodedFile {
    try bytes.withBytes { bytes throws(DecodingFailure) in
      guard let sidecar else { return try decode(bytes, fileName: fileName, options: options) }
      return try sidecar.withBytes { sidecar throws(DecodingFailure) in
        try decode(bytes, fileName: fileName, sidecar: sidecar, options: options)
      }
    }
  }

  /// Decodes one line of a stream: a chunk or another message.
  ///
  /// - Parameter sidecar: A JSON object with omitted fields. Messages without samples use only its session.
  /// - Returns: The line's messages and issues.
  /// - Throws: If the line is not a message, or is damaged even in part: its sender can send it again.
  public static func decodeLine(
    _ line: UnsafeRawBufferPointer, sidecar: UnsafeRawBufferPointer? = nil,
    options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> DecodedLine {
    guard line.count <= options.limits.messageBytes else {
      throw DecodingFailure(
        .limitExceeded, "a line of more than \(options.limits.messageBytes) bytes")
    }
    var scanner = JSONScanner(
      line, range: try textStart(of: line)..<line.count, limits: options.limits)
    scanner.skipWhitespace()
    guard scanner.position < scanner.end else { throw DecodingFailure(.empty, "an empty line") }
    let stated = try sidecar.map { bytes throws(DecodingFailure) in
      try ChunkFields.wholeSidecar(bytes, limits: options.limits)
    }
    var parser = ChunkParser(options: options, sidecar: stated, isOfFile: false)
    let start = scanner.position
    let outcome = try parser.parse(&scanner)
    scanner.skipWhitespace()
    guard scanner.position == scanner.end else {
      throw scanner.failure(.trailingContent).failure(limits: options.limits)
    }
    switch outcome {
    case .messages(let messages):
      return DecodedLine(
        messages: messages.map { $0.fillingSession(stated?.sessionId) }, issues: parser.takeIssues()
      )
    case .notAChunk(let what):
      throw DecodingFailure(.notAChunk, "no chunk or message: \(what)", byteOffset: start)
    }
  }

  /// Decodes one line of a stream from an array of bytes.
  public static func decodeLine(
    _ line: [UInt8], sidecar: [UInt8]? = nil, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> DecodedLine {
    try line.withBytes { line throws(DecodingFailure) in
      guard let sidecar else { return try decodeLine(line, options: options) }
      return try sidecar.withBytes { sidecar throws(DecodingFailure) in
        try decodeLine(line, sidecar: sidecar, options: options)
      }
    }
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes. Unlike `withUnsafeBytes`, keeps the type of its error.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

extension DecodedChunk {
  /// Fills the ids and phase that the chunk omits from a sidecar.
  package mutating func fill(
    fromSidecar bytes: [UInt8], limits: DecodingLimits
  ) throws(DecodingFailure) {
    let fields = try bytes.withBytes { bytes throws(DecodingFailure) in
      try ChunkFields.wholeSidecar(bytes, limits: limits)
    }
    identity = SetIdentity(
      sessionId: identity.sessionId ?? fields.sessionId,
      exerciseId: identity.exerciseId ?? fields.exerciseId, setId: identity.setId ?? fields.setId)
    chunkId = chunkId ?? fields.chunkId
    phase = phase ?? fields.phase.flatMap { WorkoutPhase(rawValue: $0) }
  }
}

extension ChunkFields {
  /// Parses a sidecar that must be intact.
  fileprivate static func wholeSidecar(
    _ bytes: UnsafeRawBufferPointer, limits: DecodingLimits
  ) throws(DecodingFailure) -> ChunkFields {
    let read = sidecar(bytes, limits: limits)
    if var failure = read.failure {
      failure.message = "the metadata: " + failure.message
      throw failure
    }
    return read.fields
  }
}

extension StreamMessage {
  /// Returns the message, with the session filled in if it has none.
  fileprivate func fillingSession(_ session: String?) -> StreamMessage {
    guard let session else { return self }
    switch self {
    case .chunk: return self
    case .control(var control):
      control.identity.sessionId = control.identity.sessionId ?? session
      return .control(control)
    case .health(var health):
      health.identity.sessionId = health.identity.sessionId ?? session
      return .health(health)
    }
  }
}
