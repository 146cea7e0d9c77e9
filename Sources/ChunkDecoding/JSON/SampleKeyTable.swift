/// Finds what a sample's key stands for in one step: a perfect hash of its bytes and one comparison.
///
/// A key is taken as three little-endian words, zero behind its end. No known key is longer.
struct SampleKeyTable: @unchecked Sendable {
  struct Entry {
    var words: (UInt64, UInt64, UInt64)
    /// Tells a key from one with NUL bytes behind it.
    var length: Int
    var field: SampleField
  }

  static let longestKey = 24
  static let shared = SampleKeyTable()

  /// 128 entries, written once and never freed.
  private let entries: UnsafePointer<Entry>

  private init() {
    let table = UnsafeMutablePointer<Entry>.allocate(capacity: 128)
    table.initialize(
      repeating: Entry(words: (0, 0, 0), length: -1, field: .unknown), count: 128)
    for (name, field) in SampleField.keys {
      let words = Self.words(name.utf8Start, count: name.utf8CodeUnitCount)
      table[Self.place(words)] = Entry(
        words: words, length: name.utf8CodeUnitCount, field: field)
    }
    entries = UnsafePointer(table)
  }

  /// The factor was searched for so that no two keys meet; a test checks it.
  @inline(__always)
  private static func place(_ words: (UInt64, UInt64, UInt64)) -> Int {
    let mixed = words.0 ^ (words.1 &* 3) ^ (words.2 &* 5)
    return Int(truncatingIfNeeded: (mixed &* 0x0563_9FF0_E283_A4B7) >> 57)
  }

  @inline(__always)
  func field(_ words: (UInt64, UInt64, UInt64), length: Int) -> SampleField {
    let entry = entries[Self.place(words)]
    let isSame =
      (entry.words.0 ^ words.0) | (entry.words.1 ^ words.1) | (entry.words.2 ^ words.2) == 0
    return isSame && entry.length == length ? entry.field : .unknown
  }

  func field(_ key: UnsafeBufferPointer<UInt8>) -> SampleField {
    guard let start = key.baseAddress, key.count <= Self.longestKey else { return .unknown }
    return field(Self.words(start, count: key.count), length: key.count)
  }

  private static func words(
    _ start: UnsafePointer<UInt8>, count: Int
  ) -> (UInt64, UInt64, UInt64) {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    for index in 0..<count {
      let bits = UInt64(start[index]) << UInt64(8 * (index % 8))
      switch index / 8 {
      case 0: words.0 |= bits
      case 1: words.1 |= bits
      default: words.2 |= bits
      }
    }
    return words
  }
}
