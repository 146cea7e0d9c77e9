import Digests

/// Keys of tombstones of deleted persons, which tell other copies of the history to delete them too. A random
/// id is stored as it is, a name only as its SHA-256.
enum DeletedUser {
  private static let prefix = "sha256:"

  /// Returns the key of a person's tombstone.
  static func key(of uuid: HistoryUser.Key) -> HistoryUser.Key {
    let text = uuid.rawValue
    return isRandom(text) || text.hasPrefix(prefix)
      ? uuid : "\(prefix)\(SHA256.hash(text.utf8).hexadecimalDigits)"
  }

  /// Returns whether an id has the form of a UUID, and therefore does not identify anyone by itself.
  private static func isRandom(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == UInt8(ascii: "-")
        : (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
          || (0x61...0x66).contains(byte)
    }
  }
}
