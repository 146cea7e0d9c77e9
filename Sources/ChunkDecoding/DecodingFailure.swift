/// The reason why an input could not be decoded, with its position.
public struct DecodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, Hashable {
    /// The input is empty, or all white space.
    case empty
    /// The text is not JSON (RFC 8259).
    case invalidJSON
    /// The text is JSON, but not a chunk, a message or an array of samples.
    case notAChunk
    /// The input ends within a value, and no usable data precede it.
    case truncated
    /// The bytes match no known format.
    case unknownFormat
    /// UTF-16 or UTF-32 text.
    case unsupportedEncoding
    /// The columns of a CSV file are unknown, or do not match the column description.
    case unknownColumns
    /// A column description is invalid.
    case invalidColumnDescription
    /// The input is well-formed, but none of its samples is usable.
    case noUsableSample
    /// A recording in another tool's format; the message says how to convert it.
    case unsupportedFormat
    /// A limit of ``DecodingLimits`` is exceeded.
    case limitExceeded
    /// The header, version, length or checksum of a binary frame is wrong.
    case invalidFrame
  }

  public var kind: Kind
  /// A message that states what was found and what was expected.
  public var message: String
  /// Offset in bytes from the start of the input, if known.
  public var byteOffset: Int?
  /// Line of the input from 1, if known.
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
