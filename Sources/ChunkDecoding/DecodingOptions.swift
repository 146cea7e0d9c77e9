/// How dates are written in chunks and messages.
public enum DateEncoding: String, CaseIterable, Sendable, Hashable {
  /// Seconds since 1970-01-01 00:00 UTC.
  case secondsSince1970
  /// Milliseconds since 1970-01-01 00:00 UTC.
  case millisecondsSince1970
  /// Seconds since 2001-01-01 00:00 UTC: what Swift's `JSONEncoder` does when not told otherwise.
  case secondsSince2001
  /// ISO 8601 text. Text is recognised under every setting.
  case iso8601

  /// Seconds from 1970 to 2001, without leap seconds.
  package static let secondsFrom1970To2001 = 978_307_200.0

  /// The encoding of a number by its size, nil if it is too small for a date of our time.
  ///
  /// Below 10⁸: no date. Up to 10⁹: seconds since 2001 (2004 to 2032). Up to 10¹¹: seconds since
  /// 1970 (from 2001). From there: milliseconds since 1970 (from 1973).
  package static func recognize(_ value: Double) -> DateEncoding? {
    switch value {
    case 1e8..<1e9: .secondsSince2001
    case 1e9..<1e11: .secondsSince1970
    case 1e11..<1e14: .millisecondsSince1970
    default: nil
    }
  }

  /// Seconds since 1970 of a number in this encoding.
  package func unixTime(_ value: Double) -> Double {
    switch self {
    case .secondsSince1970, .iso8601: value
    case .millisecondsSince1970: value / 1000
    case .secondsSince2001: value + Self.secondsFrom1970To2001
    }
  }
}

/// What a decoder accepts at most. Inputs beyond a limit fail with
/// ``DecodingFailure/Kind/limitExceeded``; of a file of lines only the line is left out.
public struct DecodingLimits: Sendable, Hashable {
  /// Bytes of an input as a whole.
  public var inputBytes: Int
  /// Bytes of one line of NDJSON, or of one binary frame.
  public var messageBytes: Int
  /// Arrays and objects within each other; at most 1000.
  public var depth: Int { didSet { depth = min(depth, Self.deepest) } }
  /// Samples of one chunk, array or CSV file.
  public var samples: Int
  /// Chunks and other messages of one file.
  public var messages: Int
  /// UTF-8 bytes of an id or another text that is kept.
  public var textBytes: Int
  /// Columns of a CSV file.
  public var columns: Int

  /// Each level takes a part of the thread's stack.
  private static let deepest = 1000

  public init(
    inputBytes: Int = Int(clamping: Int64(2) << 30), messageBytes: Int = 64 << 20, depth: Int = 128,
    samples: Int = 50_000_000, messages: Int = 1_000_000, textBytes: Int = 256, columns: Int = 4096
  ) {
    self.inputBytes = inputBytes
    self.messageBytes = messageBytes
    self.depth = min(depth, Self.deepest)
    self.samples = samples
    self.messages = messages
    self.textBytes = textBytes
    self.columns = columns
  }

  public static let standard = DecodingLimits()
}

/// How to decode what does not say it itself.
public struct DecodingOptions: Sendable {
  /// The format, or nil to recognise it from the content.
  public var format: InputFormat?
  /// The encoding of dates that are numbers, or nil to recognise it by size.
  public var dateEncoding: DateEncoding?
  /// What the columns of CSV files are, where the header does not tell.
  public var columns: ColumnDescription?
  /// Samples per second of CSV files without times; nil where a time is needed.
  public var rateHz: Double?
  /// Lines before the header of CSV files, or before their first row.
  public var skippedLines = 0
  public var limits: DecodingLimits

  public init(
    format: InputFormat? = nil, dateEncoding: DateEncoding? = nil,
    columns: ColumnDescription? = nil, limits: DecodingLimits = .standard
  ) {
    self.format = format
    self.dateEncoding = dateEncoding
    self.columns = columns
    self.limits = limits
  }
}
