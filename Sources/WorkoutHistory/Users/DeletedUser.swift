import Digests

/// What is remembered of a person who was deleted, so that other copies of the history delete them
/// too: a random id as it is, a name only as its SHA-256.
enum DeletedUser {
  private static let prefix = "sha256:"

  /// The key under which a person's deletion is remembered.
  static func key(of uuid: HistoryUser.Key) -> HistoryUser.Key {
    let text = uuid.rawValue
    return isRandom(text) || text.hasPrefix(prefix)
      ? uuid : "\(prefix)\(SHA256.hash(text.utf8).hexadecimalDigits)"
  }

  /// Whether an id has the form of a UUID, and so says nothing of whom it names.
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
