#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension HistoryStore {
  /// Claims the journal for one stream: two at once would each take up, and settle, what is under
  /// way in the other. The claim ends with its last reference, and with the process in any case.
  ///
  /// - Throws: ``HistoryError/claimed(path:)`` where another process has it, and keeps it for two
  ///   seconds more.
  public func claimJournal() throws -> JournalClaim { try JournalClaim(path: path) }
}

/// The right to write a history's journal: a lock on a file beside the history, which goes with it.
///
/// The history's own file will not do: whoever closes it takes away the locks that SQLite has on it.
public final class JournalClaim: Sendable {
  private static let attempts = 40
  private static let microsecondsBetweenAttempts: UInt32 = 50_000

  private let path: String
  private let descriptor: Int32

  fileprivate init(path: String) throws {
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let lock = (resolved.map { String(cString: $0) } ?? path) + "-stream"
    for _ in 0..<Self.attempts {
      let descriptor = systemOpen(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw HistoryStore.cannotOpen(lock) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // Whoever had it before has removed the file between the two calls: that one is no longer it.
        var (own, named) = (stat(), stat())
        if fstat(descriptor, &own) == 0, stat(lock, &named) == 0, own.st_ino == named.st_ino {
          self.path = lock
          self.descriptor = descriptor
          return
        }
        _ = close(descriptor)
        continue
      }
      let code = errno
      _ = close(descriptor)
      guard code == EWOULDBLOCK || code == EINTR else {
        throw HistoryError.cannotOpen(path: lock, reason: String(cString: strerror(code)))
      }
      usleep(Self.microsecondsBetweenAttempts)
    }
    throw HistoryError.claimed(path: path)
  }

  deinit {
    // While it is still locked, so that nobody who has just locked it is left without a file.
    _ = unlink(path)
    _ = close(descriptor)
  }
}

/// The name of the system's call is that of a method, too.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}
