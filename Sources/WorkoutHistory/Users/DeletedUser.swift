import Digests
import Foundation

/// Keys of tombstones of deleted persons, which tell other copies of the history to delete them too. A random
/// id is stored as it is, a name only as its SHA-256.
enum DeletedUser {
  private static let prefix = "sha256:"

  static func key(of uuid: HistoryUser.Key) -> HistoryUser.Key {
    let text = uuid.rawValue
    return UUID(uuidString: text) != nil || text.hasPrefix(prefix)
      ? uuid : "\(prefix)\(SHA256.hash(text.utf8).hexadecimalDigits)"
  }
}
