import ArgumentParser
import Foundation
import RepTrace

/// Stored sets as INPUT names them: `STORE.sqlite` for all, `STORE.sqlite#SET` for one.
enum StoredSetReference {
  /// The history and the sets that an input names; nil where the input is no history.
  ///
  /// Says on standard error, and with the exit status, where the history cannot be read or holds no such set.
  static func resolve(
    _ input: String
  ) throws -> (store: String, history: HistoryStore, sets: [HistorySetRow])? {
    let files = FileManager.default
    if files.fileExists(atPath: input) {
      guard isDatabase(input) else { return nil }
      let history = try HistoryOpening.existing(input, mode: .readOnly)
      return (input, history, try HistoryOpening.reading { try history.sets() })
    }
    guard let hash = input.lastIndex(of: "#") else { return nil }
    let path = String(input[..<hash])
    guard files.fileExists(atPath: path), isDatabase(path) else { return nil }
    let history = try HistoryOpening.existing(path, mode: .readOnly)
    let reference = String(input[input.index(after: hash)...])
    return (path, history, [try StoredReference(reference).set(in: history, store: path)])
  }

  private static func isDatabase(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 15)) == Data("SQLite format 3".utf8)
  }
}

extension HistorySetRow {
  /// The id that lists show. It follows from the set's key alone, so that it stays as long as the set does and is the
  /// same in every copy of the history.
  ///
  /// A digest and a UUID are known by their first eight digits; other keys are counters, which need their session.
  var shortID: String {
    let key = key.rawValue
    if let (digest, position) = digestParts(of: key) {
      return digest.prefix(8) + "-" + position
    }
    if UUID(uuidString: key) != nil { return String(key.prefix(8)) }
    guard let sessionId else { return key }
    return SetReferenceText.escaped(session: sessionId.rawValue) + "/" + key
  }
}

/// A recording's digest and a position in it, where a key is made of these.
private func digestParts(of key: String) -> (digest: Substring, position: Substring)? {
  guard let dash = key.lastIndex(of: "-"), key[..<dash].utf8.count == 64,
    key[..<dash].allSatisfy(\.isHexDigit)
  else { return nil }
  return (key[..<dash], key[key.index(after: dash)...])
}

enum SetReferenceText {
  /// A session as it stands in `SESSION/KEY`.
  static func escaped(session: String) -> String {
    session.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}

/// A reference to something stored, as a person types it: whatever the program printed for it.
///
/// That is its short id or whole key; its number; the beginning of its key, if no other begins so; or a key that was
/// shortened, with `…` or `...` where something was left out.
struct StoredReference {
  /// Minimum length of a beginning: a number that is too large names nothing by chance.
  static let shortestPrefix = 4

  let text: String

  init(_ text: String) {
    // As CSV guards a cell against formulas.
    self.text = text.hasPrefix("'") ? String(text.dropFirst()) : text
  }

  /// Whether a set may be meant whose key is not `text` itself.
  func mayMean(_ row: HistorySetRow) -> Bool {
    row.shortID.lowercased() == text.lowercased() || mayMean(row.key.rawValue)
  }

  /// Whether a key may be meant that is not `text` itself.
  func mayMean(_ key: String) -> Bool {
    if let (digest, position) = digestParts(of: key), let dash = text.lastIndex(of: "-"),
      text[..<dash].count >= Self.shortestPrefix, text[text.index(after: dash)...] == position,
      digest.lowercased().hasPrefix(text[..<dash].lowercased())
    {
      return true
    }
    let parts = text.lowercased().replacing("...", with: "…")
      .split(separator: "…", omittingEmptySubsequences: false)
    let key = key.lowercased()
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      let isNumber = text.allSatisfy(\.isNumber)
      return text.count >= (isNumber ? 8 : Self.shortestPrefix)
        && key.hasPrefix(text.lowercased())
    }
    // Nothing but an ellipsis names nothing.
    guard parts.contains(where: { !$0.isEmpty }), key.hasPrefix(first) else { return false }
    var rest = key.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  /// The stored set that is meant. Says on standard error, and with the exit status, where there is
  /// none, or more than one.
  ///
  /// - Parameters:
  ///   - user: The person whose set it must be; nil: of everybody.
  ///   - checksRow: As ``HistoryStore/set(_:user:checksRow:)``.
  /// - Complexity: O(log sets) for a number or whole key, else O(sets).
  func set(
    in history: HistoryStore, store: String, user: HistoryUser.ID? = nil, checksRow: Bool = true
  ) throws -> HistorySetRow {
    let found = try HistoryOpening.reading { () -> [HistorySetRow] in
      if let row = try history.set(HistorySetRow.Key(text), user: user, checksRow: checksRow) {
        return [row]
      }
      var found: [HistorySetRow] = []
      var last: HistorySetRow?
      repeat {
        // A damaged row has no beginning of a key that could be believed.
        let page = try history.sets(after: last, limit: 1000) { _ in }
        found += page.filter { (user == nil || $0.user == user) && mayMean($0) }
        last = page.last
      } while last != nil
      return found
    }
    return try single(found, of: "set", in: store, name: \.key.rawValue)
  }

  /// The stored set that is meant and is going to change.
  ///
  /// A number is taken only where it is still the one that was listed: it shifts as soon as a set before is deleted.
  func setToChange(
    in history: HistoryStore, store: String, user: HistoryUser.ID? = nil, checksRow: Bool = true
  ) throws -> HistorySetRow {
    let row = try set(in: history, store: store, user: user, checksRow: checksRow)
    if text != row.key.rawValue, Int(text) == row.number, row.id.rawValue != Int64(row.number) {
      throw ExitCode.validationFailure.noting(
        """
        \(store): numbers have shifted since sets were deleted; \(text) is now \(row.shortID). \
        Use the id that `reptrace history list` shows
        """)
    }
    return row
  }

  /// The one that was found.
  func single<Row>(
    _ found: [Row], of kind: String, in store: String, name: (Row) -> String
  ) throws -> Row {
    if found.count == 1 { return found[0] }
    guard !found.isEmpty else {
      throw ExitStatus.noInputExists.noting("\(store): no \(kind) named or numbered \"\(text)\"")
    }
    let names = found.prefix(4).map(name).joined(separator: ", ")
    throw ExitCode.validationFailure.noting(
      "\(store): \"\(text)\" may be \(found.count) \(kind)s: \(names)"
        + (found.count > 4 ? ", …" : ""))
  }
}
