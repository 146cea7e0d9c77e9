import Motion

/// The content of a file or buffer.
public struct DecodedFile: Sendable {
  public var format: InputFormat
  /// Messages in the order of the file. A CSV file is one chunk without ids.
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

/// The content of a line of a stream.
public struct DecodedLine: Sendable {
  /// Usually a single message; a line may hold an array of chunks.
  public var messages: [StreamMessage]
  public var issues: [DecodingIssue]

  package init(messages: [StreamMessage], issues: [DecodingIssue] = []) {
    self.messages = messages
    self.issues = issues
  }
}
