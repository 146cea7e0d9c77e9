import Foundation
import Synchronization

/// The right to write a history's journal: an advisory lock on the history's file, independent of its path.
///
/// Its descriptor is never closed, because closing any descriptor of the file would drop SQLite's locks.
package final class JournalClaim: Sendable {
  private static let attempts = 40
  private static let microsecondsBetweenAttempts: UInt32 = 50_000

  private let path: String
  private let descriptor: Int32
  private let device: dev_t
  private let inode: ino_t
  private let hasEnded = Atomic(false)

  package init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var file = stat()
    guard descriptor >= 0, fstat(descriptor, &file) == 0 else {
      throw HistoryFile(path: path).cannotOpen()
    }
    (device, inode) = (file.st_dev, file.st_ino)
    for _ in 0..<Self.attempts {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw HistoryFile(path: path).cannotOpen()
      }
      usleep(Self.microsecondsBetweenAttempts)
    }
    throw HistoryError.claimed(path: path)
  }

  /// Checks that the path still leads to the claimed file.
  package func check() throws {
    var file = stat()
    guard stat(path, &file) == 0, file.st_dev == device, file.st_ino == inode else {
      throw HistoryError.replaced(path: path)
    }
  }

  deinit { end() }

  package func end() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    _ = flock(descriptor, LOCK_UN)
  }
}
