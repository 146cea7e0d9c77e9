/// A problem or assumption in an input that was decoded nevertheless.
public struct DecodingIssue: Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, Hashable {
    /// The input ends within a sample or row, which was dropped.
    case truncated
    /// Samples without usable numbers were dropped.
    case droppedSamples
    /// A line is not a message; it was dropped.
    case invalidLine
    /// The input is damaged; everything before the damage was kept.
    case damaged
    /// An unknown value was ignored.
    case unknownValue
    /// A message of an unknown kind was ignored.
    case unknownMessage
    /// The metadata states another number of samples than there are.
    case wrongCount
    /// The set is in another file too, and the two could not be joined.
    case repeatedSet
    /// A unit, clock or date was assumed or converted.
    case assumption
  }

  public var kind: Kind
  public var message: String
  /// Number of samples, rows or lines affected.
  public var count: Int
  /// Offset of the first occurrence in bytes, if known.
  public var byteOffset: Int?
  /// Line of the first occurrence from 1, if known.
  public var line: Int?
  /// True if data was lost. Other issues are notes.
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
  /// Returns the issue for a chunk without a usable sample among others.
  static func chunkSkipped(_ failure: DecodingFailure, at offset: Int) -> DecodingIssue {
    DecodingIssue(
      .droppedSamples, failure.message + "; this chunk was left out",
      byteOffset: failure.byteOffset ?? offset)
  }
}

extension [DecodingIssue] {
  /// Adds an issue. After the first 100, each kind is listed once more and then only counted, so that a
  /// hostile input cannot fill the memory with issues.
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
