import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The right to write a history's journal: an advisory lock on a sidecar file.
///
/// The lock cannot be on the history's own file alone: closing any descriptor of it would drop SQLite's locks.
package final class JournalClaim: Sendable {
  private static let attempts = 40
  private static let microsecondsBetweenAttempts: UInt32 = 50_000

  private struct StoreFile: Sendable {
    var path: String
    var descriptor: Int32
    var device: dev_t
    var inode: ino_t
  }

  private let path: String
  private let descriptor: Int32
  private let store: StoreFile
  private let hasEnded = Atomic(false)

  init(path: String) throws {
    store = try Self.claimFile(path)
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let lock = (resolved.map { String(cString: $0) } ?? path) + "-stream"
    for _ in 0..<Self.attempts {
      let descriptor = systemOpen(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw HistoryFile(path: lock).cannotOpen() }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        // The previous owner may have removed the file between the two calls: then the lock is on an unlinked
        // file.
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

  /// Locks the history's own file as well, since another path may lead to it. The descriptor is never closed,
  /// since closing would drop SQLite's locks on the file.
  private static func claimFile(_ path: String) throws -> StoreFile {
    let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC, 0)
    var file = stat()
    guard descriptor >= 0, fstat(descriptor, &file) == 0 else {
      throw HistoryFile(path: path).cannotOpen()
    }
    for attempt in 1...attempts {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw HistoryFile(path: path).cannotOpen()
      }
      if attempt == attempts { throw HistoryError.claimed(path: path) }
      usleep(microsecondsBetweenAttempts)
    }
    return StoreFile(
      path: path, descriptor: descriptor, device: file.st_dev, inode: file.st_ino)
  }

  /// Checks that the path still names the file of the claim.
  ///
  /// - Throws: ``HistoryError/replaced(path:)`` if the file was deleted or replaced: later writes would be
  ///   lost.
  package func check() throws {
    var file = stat()
    guard stat(store.path, &file) == 0, file.st_dev == store.device, file.st_ino == store.inode
    else { throw HistoryError.replaced(path: store.path) }
  }

  deinit { end() }

  /// Releases the claim; later calls do nothing.
  package func end() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    _ = flock(store.descriptor, LOCK_UN)
    // Removed while still locked: otherwise the next owner could lock the file just before it disappears.
    _ = unlink(path)
    _ = close(descriptor)
  }
}
