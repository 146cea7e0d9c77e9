import Motion

/// A person's way of doing one exercise: the mean rep of each of their newest sets.
///
/// Every set is a separate example, so that grips and tempos remain distinct variants.
public struct KnownMovement: Sendable, Hashable {
  /// The mean rep of one set.
  public struct Example: Sendable, Hashable {
    /// Identifies the set and the way it was counted.
    public var stamp: UInt64
    /// Time of the set, in seconds since 1970; nil if unknown.
    public var unixTime: Double?
    /// The mean rep, in Core Motion's convention (``KnownMovements/pattern(of:in:)``).
    public var pattern: MovementPattern

    public init(stamp: UInt64, unixTime: Double?, pattern: MovementPattern) {
      self.stamp = stamp
      self.unixTime = unixTime
      self.pattern = pattern
    }
  }

  package static let capacity = 12

  /// The exercise's id, or else its name.
  public var exercise: String
  public var name: String
  /// The examples, newest first.
  public var examples: [Example]

  public init(exercise: String, name: String, examples: [Example]) {
    self.exercise = exercise
    self.name = name
    self.examples = examples
  }

  // MARK: Storage

  /// Version of the format of ``bytes`` and of how examples are computed.
  package static let formatVersion = 2

  /// The encoded movement: length of the name (2 bytes) and the name in UTF-8; then for each example the
  /// stamp (8 bytes), the time (Float64, NaN if unknown) and `MovementPattern.bytes`; little-endian.
  package var bytes: [UInt8] {
    let text = Array(name.utf8.prefix(Int(UInt16.max)))
    var bytes = [UInt8(truncatingIfNeeded: text.count), UInt8(truncatingIfNeeded: text.count >> 8)]
    bytes += text
    for example in examples {
      for word in [example.stamp, (example.unixTime ?? .nan).bitPattern] {
        withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
      }
      bytes += example.pattern.bytes
    }
    return bytes
  }

  /// Decodes a known movement; nil if the bytes are invalid.
  package init?(exercise: String, bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    let nameEnd = 2 + Int(bytes[0]) + Int(bytes[1]) << 8
    let exampleBytes = 16 + MovementPattern.byteCount
    guard nameEnd <= bytes.count, (bytes.count - nameEnd).isMultiple(of: exampleBytes) else {
      return nil
    }
    func word(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
    var examples: [Example] = []
    for start in stride(from: nameEnd, to: bytes.count, by: exampleBytes) {
      guard
        let pattern = MovementPattern(bytes: Array(bytes[(start + 16)..<(start + exampleBytes)]))
      else { return nil }
      let time = Double(bitPattern: word(start + 8))
      examples.append(
        Example(stamp: word(start), unixTime: time.isFinite ? time : nil, pattern: pattern))
    }
    self.init(
      exercise: exercise, name: String(decoding: bytes[2..<nameEnd], as: UTF8.self),
      examples: examples)
  }
}
