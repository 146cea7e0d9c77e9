/// Why an input could not be decoded: where, and what was expected there.
public struct DecodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, Hashable {
    /// There is nothing, or nothing but white space.
    case empty
    /// The text is not JSON (RFC 8259).
    case invalidJSON
    /// The text is JSON, but not a chunk, a message or an array of samples.
    case notAChunk
    /// The input ends within a value, and nothing usable comes before.
    case truncated
    /// The bytes resemble none of the known formats.
    case unknownFormat
    /// UTF-16 or UTF-32 text.
    case unsupportedEncoding
    /// A CSV file's columns are not known, or a column description does not fit.
    case unknownColumns
    /// A column description is wrong.
    case invalidColumnDescription
    /// The input is well-formed, but none of its samples is usable.
    case noUsableSample
    /// A recording in another tool's format; the message says how to convert it.
    case unsupportedFormat
    /// A limit of ``DecodingLimits`` is exceeded.
    case limitExceeded
    /// A binary frame's header, version, length or checksum is wrong.
    case invalidFrame
  }

  public var kind: Kind
  /// What was found and what was expected.
  public var message: String
  /// Bytes from the beginning of the input, where known.
  public var byteOffset: Int?
  /// Line of the input from 1, where known.
  public var line: Int?

  package init(_ kind: Kind, _ message: String, byteOffset: Int? = nil, line: Int? = nil) {
    self.kind = kind
    self.message = message
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
