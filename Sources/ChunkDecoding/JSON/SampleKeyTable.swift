/// The text before a number in a sample, such as `,"roll":`, and the number's slot.
struct MemberText {
  /// Number of bytes that must be readable where a text is expected.
  static let reach = 24

  /// The text, little-endian and zero-padded, and a mask of its bytes.
  private var words: (UInt64, UInt64, UInt64) = (1, 0, 0)
  private var masks: (UInt64, UInt64, UInt64) = (0, 0, 0)
  private(set) var length = 0
  let field: SampleField

  /// A text that never matches.
  static let none = MemberText()

  private init() { field = .unknown }

  /// - Precondition: The text has at most ``reach`` bytes, and ``reach`` bytes are readable.
  init(_ start: UnsafePointer<UInt8>, length: Int, field: SampleField) {
    self.length = length
    self.field = field
    func mask(_ offset: Int) -> UInt64 { .max >> (64 - 8 * min(max(length - offset, 0), 8)) }
    masks = (mask(0), mask(8), mask(16))
    words = (
      Self.word(start, 0) & masks.0, Self.word(start, 8) & masks.1, Self.word(start, 16) & masks.2
    )
  }

  /// Returns whether this text is at `start`.
  ///
  /// - Precondition: ``reach`` bytes are readable.
  @inline(__always)
  func isNext(_ start: UnsafePointer<UInt8>) -> Bool {
    Self.word(start, 0) & masks.0 == words.0 && Self.word(start, 8) & masks.1 == words.1
      && Self.word(start, 16) & masks.2 == words.2
  }

  @inline(__always)
  private static func word(_ start: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
    UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }
}

/// Finds the field of a sample's key in one step: a perfect hash of its bytes and one comparison.
struct SampleKeyTable: @unchecked Sendable {
  static let keyLengths = 3...18
  static let shared = SampleKeyTable()

  /// 128 keys with quotes and colon, written once and never freed.
  private let keys: UnsafePointer<MemberText>

  private init() {
    let table = UnsafeMutablePointer<MemberText>.allocate(capacity: 128)
    table.initialize(repeating: .none, count: 128)
    for (name, field) in SampleField.keys {
      let text = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      Self.withColon(text) { start in
        let (place, length) = Self.place(start)
        table[place] = MemberText(start, length: length, field: field)
      }
    }
    keys = UnsafePointer(table)
  }

  /// Returns the field of the known key whose quote is at `start`, and the length up to its colon; nil for
  /// another key or without a colon directly after it.
  ///
  /// - Precondition: ``MemberText/reach`` bytes are readable.
  @inline(__always)
  func key(at start: UnsafePointer<UInt8>) -> (field: SampleField, length: Int)? {
    // The loaded key has the same length, but this one is known earlier.
    let (place, length) = Self.place(start)
    let key = keys + place
    return key.pointee.isNext(start) ? (key.pointee.field, length) : nil
  }

  /// Returns the field of a key without quotes.
  func field(_ key: UnsafeBufferPointer<UInt8>) -> SampleField {
    guard Self.keyLengths.contains(key.count) else { return .unknown }
    return Self.withColon(key) { self.key(at: $0)?.field ?? .unknown }
  }

  /// Calls `body` with a copy of a key of at most 18 bytes, with quotes and colon.
  private static func withColon<Result>(
    _ key: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: MemberText.reach) { copy in
      copy.initialize(repeating: 0)
      copy[0] = UInt8(ascii: "\"")
      for index in key.indices { copy[index + 1] = key[index] }
      copy[key.count + 1] = UInt8(ascii: "\"")
      copy[key.count + 2] = UInt8(ascii: ":")
      return body(UnsafePointer(copy.baseAddress.unsafelyUnwrapped))
    }
  }

  /// Returns the table index of the key whose quote is at `start`, a hash of its last four bytes and its
  /// length, and that length with quotes and colon. No known key has a quote in its first three bytes. The
  /// factor was found by search so that no keys collide; a test checks it.
  ///
  /// Branch-free, since key lengths are unpredictable if the order of members varies.
  @inline(__always)
  private static func place(_ start: UnsafePointer<UInt8>) -> (place: Int, length: Int) {
    let text = UnsafeRawPointer(start)
    /// Sets the top bit of each byte, from the offset on, that is a quote. Only the lowest bit set is reliable.
    func quotes(_ offset: Int) -> UInt64 {
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let difference = word ^ 0x2222_2222_2222_2222
      return (difference &- 0x0101_0101_0101_0101) & ~difference & topBits
    }
    let (first, second) = (quotes(4), quotes(12))
    let quote = first == 0 ? second : first
    let length =
      (first == 0 ? 14 : 6)
      &+ Int(truncatingIfNeeded: UInt64(truncatingIfNeeded: quote.trailingZeroBitCount) >> 3)
    let end = text.loadUnaligned(fromByteOffset: length &- 6, as: UInt32.self).littleEndian
    let hash = (UInt64(end) &+ UInt64(truncatingIfNeeded: length)) &* 0xDE55_B877_CC95_AFF9
    return (Int(truncatingIfNeeded: hash >> 57), length)
  }
}
