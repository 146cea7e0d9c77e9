import Motion

/// What a file or buffer holds.
public struct DecodedFile: Sendable {
  public var format: InputFormat
  /// In the order of the file. A CSV file is one chunk without ids.
  public var messages: [StreamMessage]
  public var issues: [DecodingIssue]

  package init(format: InputFormat, messages: [StreamMessage], issues: [DecodingIssue] = []) {
    self.format = format
    self.messages = messages
    self.issues = issues
  }

  public var chunks: [DecodedChunk] {
    messages.compactMap { if case .chunk(let chunk) = $0 { chunk } else { nil } }
  }

  public var sampleCount: Int { messages.reduce(0) { $0 + $1.sampleCount } }
}

extension StreamMessage {
  var sampleCount: Int { if case .chunk(let chunk) = self { chunk.samples.count } else { 0 } }
}

/// What a line of a stream holds.
public struct DecodedLine: Sendable {
  /// Usually one; a line may hold an array of chunks.
  public var messages: [StreamMessage]
  public var issues: [DecodingIssue]

  package init(messages: [StreamMessage], issues: [DecodingIssue] = []) {
    self.messages = messages
    self.issues = issues
  }
}
