/// An error of a history database.
public enum HistoryError: Error, Sendable, Hashable {
  /// The file is missing, or the system denies access.
  case cannotOpen(path: String, reason: String)
  /// The file is not an SQLite database. It was not changed.
  case notADatabase(path: String)
  /// The file is an SQLite database of another application. It was not changed.
  case notAHistory(path: String)
  /// A newer program applied migrations that are unknown to this one. The database was not changed.
  case newerSchema(path: String, migrations: [String])
  case diskFull
  case cannotWrite(reason: String)
  case readOnly
  case busy
  case claimed(path: String)
  /// The file was deleted or replaced while it was open.
  case replaced(path: String)
  /// SQLite reports damage, or the database contains impossible data.
  case damaged(path: String? = nil, reason: String)
  case notFound(reference: String)
  /// Several sets have that key; each candidate identifies exactly one.
  case ambiguous(reference: String, candidates: [String])
  case invalidValue(reason: String)
  case failed(code: Int, reason: String)
}

extension HistoryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "cannot open the history \(path): \(reason)"
    case .notADatabase(let path): "\(path) is not an SQLite database"
    case .notAHistory(let path): "\(path) is an SQLite database, but not a history of RepTrace"
    case .newerSchema(let path, let migrations):
      "\(path) was written by a newer version of this program "
        + "(it has \(migrations.joined(separator: ", "))); it was not touched"
    case .diskFull: "the disk is full: the history was not changed"
    case .cannotWrite(let reason):
      "the history could not be written, and was not changed; the disk may be full, the file "
        + "limited in size, or the disk broken: \(reason)"
    case .readOnly: "the history can only be read"
    case .busy: "the history is in use by another process"
    case .claimed(let path):
      "another stream writes into \(path): two at once would finalize each other's sets"
    case .replaced(let path):
      "\(path) was deleted or replaced: what was written since is lost, and was not acknowledged"
    case .damaged(let path, let reason):
      "the history \(path.map { "\($0) " } ?? "")is damaged: \(reason)"
    case .notFound(let reference): "the history holds nothing named \(reference)"
    case .ambiguous(let reference, let candidates):
      "several sets are named \(reference): say which, as \(candidates.joined(separator: " or "))"
    case .invalidValue(let reason): reason
    case .failed(let code, let reason): "the history failed with SQLite error \(code): \(reason)"
    }
  }
}
