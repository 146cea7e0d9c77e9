import GRDB

extension Optional {
  package func orNotFound(_ reference: @autoclosure () -> String) throws(HistoryError) -> Wrapped {
    guard let self else { throw HistoryError.notFound(reference: reference()) }
    return self
  }
}

extension HistoryError {
  package init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? "SQLite error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self = .cannotOpen(path: path, reason: reason)
    case .SQLITE_NOTADB: self = .notADatabase(path: path)
    case .SQLITE_FULL: self = .diskFull
    case .SQLITE_IOERR: self = .cannotWrite(reason: reason)
    case .SQLITE_READONLY: self = .readOnly
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    case .SQLITE_CONSTRAINT:
      self = .invalidValue(reason: "the history's rules forbid it: \(reason)")
    case .SQLITE_CORRUPT: self = .damaged(path: path, reason: reason)
    case .SQLITE_INTERRUPT:
      self = .damaged(path: path, reason: "it took too long to read; what it holds has no end")
    case .SQLITE_TOOBIG:
      self = .damaged(
        path: path, reason: "a value in it is longer than any that is stored: \(reason)")
    default: self = .failed(code: Int(error.extendedResultCode.rawValue), reason: reason)
    }
  }

  /// Runs a closure and converts SQLite's errors to ``HistoryError``.
  package static func translating<T>(path: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError {
      throw HistoryError(error, path: path)
    } catch let error as RowDecodingError {
      throw HistoryError.damaged(path: path, reason: "a row holds what it cannot hold: \(error)")
    } catch HistoryError.damaged(nil, let reason) {
      throw HistoryError.damaged(path: path, reason: reason)
    }
  }
}
