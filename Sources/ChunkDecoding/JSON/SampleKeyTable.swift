/// Finds the field of a sample's key in one step: a perfect hash of its bytes and one comparison.
struct SampleKeyTable: @unchecked Sendable {
  /// A known key.
  struct Key {
    /// The key with its closing quote and colon: four bytes and twice eight, little-endian, zero
    /// behind the colon.
    var head: UInt32
    var middle: UInt64
    var tail: UInt64
    /// All bits of the bytes that the key has in `middle` and `tail`.
    var middleMask: UInt64
    var tailMask: UInt64
    /// Number of bytes with the quote and the colon.
    var length: Int
    var field: SampleField

    /// Whether this key, its closing quote and a colon are at `start`.
    ///
    /// - Precondition: ``SampleKeyTable/reach`` bytes are readable.
    @inline(__always)
    func isNext(_ start: UnsafePointer<UInt8>) -> Bool {
      let text = SampleKeyTable.words(start)
      return UInt64(text.head ^ head) | (text.middle ^ middle) & middleMask
        | (text.tail ^ tail) & tailMask == 0
    }
  }

  static let keyLengths = 3...18
  /// Number of bytes that must be readable from a key's beginning.
  static let reach = 20
  static let shared = SampleKeyTable()

  /// 128 keys, written once and never freed.
  private let keys: UnsafePointer<Key>

  private init() {
    let table = UnsafeMutablePointer<Key>.allocate(capacity: 128)
    table.initialize(
      repeating: Key(
        head: 0, middle: 0, tail: 0, middleMask: 0, tailMask: 0, length: 0, field: .unknown),
      count: 128)
    for (name, field) in SampleField.keys {
      let text = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      Self.withColon(text) { start in
        let (words, place) = (Self.words(start), Self.place(start).place)
        func mask(_ count: Int) -> UInt64 {
          count <= 0 ? 0 : .max >> UInt64(64 - 8 * min(count, 8))
        }
        let length = text.count + 2
        let masks = (middle: mask(length - 4), tail: mask(length - 12))
        table[place] = Key(
          head: words.head, middle: words.middle & masks.middle, tail: words.tail & masks.tail,
          middleMask: masks.middle, tailMask: masks.tail, length: length, field: field)
      }
    }
    keys = UnsafePointer(table)
  }

  /// Returns the known key at `start`, behind its quote, and its length; nil if there is another, or no colon directly
  /// behind it.
  ///
  /// - Precondition: ``reach`` bytes are readable.
  @inline(__always)
  func key(at start: UnsafePointer<UInt8>) -> (key: UnsafePointer<Key>, length: Int)? {
    let (place, length) = Self.place(start)
    let key = keys + place
    // The key's own length is equal, but only known once the key is loaded.
    return key.pointee.isNext(start) && key.pointee.length > 0 ? (key, length) : nil
  }

  /// Returns the field of a key without quotes.
  func field(_ key: UnsafeBufferPointer<UInt8>) -> SampleField {
    guard Self.keyLengths.contains(key.count) else { return .unknown }
    return Self.withColon(key) { self.key(at: $0)?.key.pointee.field ?? .unknown }
  }

  /// Calls `body` with a copy of a key, of at most 18 bytes, that has its closing quote and a colon.
  private static func withColon<Result>(
    _ key: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: reach) { copy in
      copy.initialize(repeating: 0)
      _ = copy.update(fromContentsOf: key)
      copy[key.count] = UInt8(ascii: "\"")
      copy[key.count + 1] = UInt8(ascii: ":")
      return body(UnsafePointer(copy.baseAddress.unsafelyUnwrapped))
    }
  }

  /// Returns the place in the table of the key at `start`, a hash of its bytes from the fourth to the closing quote,
  /// and its length with quote and colon. No known key has a quote in its first three bytes. The factor was searched
  /// for so that no two keys meet; a test checks it.
  ///
  /// Free of branches: where each sample has an order of its own, nothing predicts how long the next key is.
  @inline(__always)
  private static func place(_ start: UnsafePointer<UInt8>) -> (place: Int, length: Int) {
    let text = UnsafeRawPointer(start)
    let first = text.loadUnaligned(fromByteOffset: 3, as: UInt64.self).littleEndian
    let second = text.loadUnaligned(fromByteOffset: 11, as: UInt64.self).littleEndian
    let quotes = quoteBits(first)
    // All bits if there is no quote in the first word.
    let isLong = ((quotes | (0 &- quotes)) >> 63) &- 1
    let secondQuotes = quoteBits(second)
    let hash = first & upToLowest(quotes) ^ (second & upToLowest(secondQuotes) & isLong) &* 3
    let bits =
      quotes.trailingZeroBitCount
      &+ secondQuotes.trailingZeroBitCount & Int(truncatingIfNeeded: isLong)
    return (
      Int(truncatingIfNeeded: (hash &* 0x055E_731D_3F56_1039) >> 57), 5 &+ bits >> 3
    )
  }

  @inline(__always)
  private static func words(
    _ start: UnsafePointer<UInt8>
  ) -> (head: UInt32, middle: UInt64, tail: UInt64) {
    let text = UnsafeRawPointer(start)
    return (
      text.loadUnaligned(as: UInt32.self).littleEndian,
      text.loadUnaligned(fromByteOffset: 4, as: UInt64.self).littleEndian,
      text.loadUnaligned(fromByteOffset: 12, as: UInt64.self).littleEndian
    )
  }
}

/// Sets the top bit of each byte that is a quote. Only the lowest bit set is reliable.
@inline(__always)
private func quoteBits(_ word: UInt64) -> UInt64 {
  let difference = word ^ 0x2222_2222_2222_2222
  return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
}

/// Sets all bits below the lowest one set, or all if there is none. Below a top bit, that keeps the whole byte
/// if it is ASCII.
@inline(__always)
private func upToLowest(_ bits: UInt64) -> UInt64 { (bits & (0 &- bits)) &- 1 }
