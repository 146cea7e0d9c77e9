import ArgumentParser
import Foundation
import RepTrace

/// References to stored sets in INPUT: `STORE.sqlite` for all sets, `STORE.sqlite#SET` for one.
enum StoredSetReference {
  /// Returns the history and the sets that an input names; nil if the input is not a history.
  ///
  /// Writes a message and throws an exit status if the history cannot be read or has no such set.
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
  /// The id that lists show. It depends only on the set's key, so it is permanent and equal in all copies.
  ///
  /// Digests and UUIDs are shortened to eight digits. Other keys are counters, which need their session.
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

/// Splits a key that consists of a recording's digest and a position in the recording; nil for other keys.
private func digestParts(of key: String) -> (digest: Substring, position: Substring)? {
  guard let dash = key.lastIndex(of: "-"), key[..<dash].utf8.count == 64,
    key[..<dash].allSatisfy(\.isHexDigit)
  else { return nil }
  return (key[..<dash], key[key.index(after: dash)...])
}

enum SetReferenceText {
  /// Escapes a session for use in `SESSION/KEY`.
  static func escaped(session: String) -> String {
    session.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}

/// A reference to a stored object, as a person types it.
///
/// It is a short id or a whole key; a number; a prefix of a key, if it is unique; or a shortened key, with
/// `…` or `...` for the omitted part.
struct StoredReference {
  /// Minimum length of a prefix, so that a number that is too large does not match a key by chance.
  static let shortestPrefix = 4

  let text: String

  init(_ text: String) {
    // CSV output guards cells against formulas with an apostrophe.
    self.text = text.hasPrefix("'") ? String(text.dropFirst()) : text
  }

  /// Returns whether the reference may abbreviate the key of a set.
  func couldAbbreviate(_ row: HistorySetRow) -> Bool {
    row.shortID.lowercased() == text.lowercased() || couldAbbreviate(row.key.rawValue)
  }

  /// Returns whether the reference may abbreviate a key.
  func couldAbbreviate(_ key: String) -> Bool {
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
    // A lone ellipsis matches nothing.
    guard parts.contains(where: { !$0.isEmpty }), key.hasPrefix(first) else { return false }
    var rest = key.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  /// Returns the referenced set. Writes a message and throws an exit status unless there is exactly one.
  ///
  /// - Parameters:
  ///   - user: The person whose set it must be; nil for any person.
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
        // The key of a damaged row is unreliable, so its prefixes are not compared.
        let page = try history.sets(after: last, limit: 1000) { _ in }
        found += page.filter { (user == nil || $0.user == user) && couldAbbreviate($0) }
        last = page.last
      } while last != nil
      return found
    }
    return try single(found, of: "set", in: store, name: \.key.rawValue)
  }

  /// Returns the referenced set, which will be changed.
  ///
  /// Numbers are rejected once they have shifted, because an earlier set was deleted.
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

  /// Returns the only row found. Otherwise writes a message and throws an exit status.
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
