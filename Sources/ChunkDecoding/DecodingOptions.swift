/// The encoding of dates in chunks and messages.
public enum DateEncoding: String, CaseIterable, Sendable, Hashable {
  /// Seconds since 1970-01-01 00:00 UTC.
  case secondsSince1970
  /// Milliseconds since 1970-01-01 00:00 UTC.
  case millisecondsSince1970
  /// Seconds since 2001-01-01 00:00 UTC: the default of Swift's `JSONEncoder`.
  case secondsSince2001
  /// ISO 8601 text. Text is recognized under every setting.
  case iso8601

  /// Seconds from 1970 to 2001, without leap seconds.
  package static let secondsFrom1970To2001 = 978_307_200.0

  /// Recognizes the encoding of a number by its size; nil if it is too small for a present-day date.
  ///
  /// Below 10⁸: no date. Up to 10⁹: seconds since 2001 (2004 to 2032). Up to 10¹¹: seconds since 1970 (from
  /// 2001). Above: milliseconds since 1970 (from 1973).
  package static func recognize(_ value: Double) -> DateEncoding? {
    switch value {
    case 1e8..<1e9: .secondsSince2001
    case 1e9..<1e11: .secondsSince1970
    case 1e11..<1e14: .millisecondsSince1970
    default: nil
    }
  }

  /// Converts a number in this encoding to seconds since 1970.
  package func unixTime(_ value: Double) -> Double {
    switch self {
    case .secondsSince1970, .iso8601: value
    case .millisecondsSince1970: value / 1000
    case .secondsSince2001: value + Self.secondsFrom1970To2001
    }
  }
}

/// Limits on the inputs that a decoder accepts. Inputs beyond a limit fail with
/// ``DecodingFailure/Kind/limitExceeded``; in a file of lines only the line concerned is dropped.
public struct DecodingLimits: Sendable, Hashable {
  /// Bytes of a whole input.
  public var inputBytes: Int
  /// Bytes of one line of NDJSON, or of one binary frame.
  public var messageBytes: Int
  /// Nesting depth of arrays and objects; at most 1000.
  public var depth: Int { didSet { depth = min(depth, Self.deepest) } }
  /// Samples of one chunk, array or CSV file.
  public var samples: Int
  /// Chunks and other messages of one file.
  public var messages: Int
  /// UTF-8 bytes of an id or another text field.
  public var textBytes: Int
  /// Columns of a CSV file.
  public var columns: Int

  /// Parsing recurses: each level takes stack space.
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

/// Settings for inputs that do not describe themselves.
public struct DecodingOptions: Sendable {
  /// The format; nil to recognize it from the content.
  public var format: InputFormat?
  /// The encoding of numeric dates; nil to recognize it by size.
  public var dateEncoding: DateEncoding?
  /// A description of the columns, for CSV files whose header does not identify them.
  public var columns: ColumnDescription?
  /// Sampling rate of CSV files without times, in hertz; nil if a time column is required.
  public var rateHz: Double?
  /// Number of lines to skip before the header of a CSV file, or before its first row if it has no header.
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
