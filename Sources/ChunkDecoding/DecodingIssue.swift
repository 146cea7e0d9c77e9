/// Something that a decoder noticed in an input that it could otherwise use.
public struct DecodingIssue: Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, Hashable {
    /// The input ends within a sample or row, which was dropped.
    case truncated
    /// Samples without usable numbers were dropped.
    case droppedSamples
    /// A line is no message; it was left out.
    case invalidLine
    /// The input is damaged; what came before the damage was kept.
    case damaged
    /// A value that is not among those known was ignored.
    case unknownValue
    /// A message is of a kind that is not known; it was ignored.
    case unknownMessage
    /// The count that the metadata states is not the number of samples.
    case wrongCount
    /// A set is in another file as well, with which this one could not be joined.
    case repeatedSet
    /// Something about units, clocks or dates had to be assumed or converted.
    case assumption
  }

  public var kind: Kind
  public var message: String
  /// How many samples, rows or lines it concerns.
  public var count: Int
  /// Bytes from the beginning of the input to the first occurrence, where known.
  public var byteOffset: Int?
  /// Line of the first occurrence from 1, where known.
  public var line: Int?
  /// Whether something was lost: a warning. The others are notes.
  public var isWarning: Bool { kind != .assumption }

  package init(
    _ kind: Kind, _ message: String, count: Int = 1, byteOffset: Int? = nil, line: Int? = nil
  ) {
    self.kind = kind
    self.message = message
    self.count = count
    self.byteOffset = byteOffset
    self.line = line
  }

  public var description: String {
    switch (line, byteOffset) {
    case (let line?, _): "line \(line): \(message)"
    case (nil, let offset?): "byte \(offset): \(message)"
    case (nil, nil): message
    }
  }
}

extension DecodingIssue {
  /// A chunk among others that has no usable sample.
  static func chunkSkipped(_ failure: DecodingFailure, at offset: Int) -> DecodingIssue {
    DecodingIssue(
      .droppedSamples, failure.message + "; this chunk was left out",
      byteOffset: failure.byteOffset ?? offset)
  }
}

extension [DecodingIssue] {
  /// Adds an issue. Behind the hundredth there is one more of each kind, the others are only counted: an
  /// input of nothing else must not fill the memory with them.
  mutating func note(_ issue: DecodingIssue) {
    guard count >= 100 else { return append(issue) }
    let same = self[100...].indices.filter { self[$0].kind == issue.kind }
    guard let counted = same.dropFirst().first else {
      var issue = issue
      if !same.isEmpty {
        issue.count = 1
        issue.message = "1 more like this"
      }
      return append(issue)
    }
    self[counted].count += 1
    self[counted].message = "\(self[counted].count) more like these"
  }
}
