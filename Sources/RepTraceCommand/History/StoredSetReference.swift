import Foundation
import RepTrace

/// Stored sets as INPUT names them: `STORE.sqlite` for all, `STORE.sqlite#SET` for one.
enum StoredSetReference {
  /// The history and the sets that an input names; nil where the input is no history.
  ///
  /// Says on standard error, and with the exit status, where the history cannot be read or holds
  /// no such set.
  static func resolve(
    _ input: String
  ) throws -> (store: String, history: HistoryStore, sets: [HistorySetRow])? {
    let files = FileManager.default
    if files.fileExists(atPath: input) {
      guard isDatabase(input) else { return nil }
      let history = try HistoryOpening.existing(input, mode: .readOnly)
      return (input, history, try HistoryOpening.reporting(opening: true) { try history.sets() })
    }
    guard let hash = input.lastIndex(of: "#") else { return nil }
    let path = String(input[..<hash])
    guard files.fileExists(atPath: path), isDatabase(path) else { return nil }
    let history = try HistoryOpening.existing(path, mode: .readOnly)
    let reference = String(input[input.index(after: hash)...])
    guard let row = try HistoryOpening.reporting(opening: true, { try history.set(reference) })
    else {
      StandardStreams.note("\(path): no set named or numbered \"\(reference)\"")
      throw ExitStatus.noInputExists
    }
    return (path, history, [row])
  }

  private static func isDatabase(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 15)) == Data("SQLite format 3".utf8)
  }
}
