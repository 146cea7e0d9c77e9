import Foundation
import Synchronization

/// Counts how often this process has a history open, under any path.
///
/// The system drops a process's locks on a file as soon as the process closes any descriptor of it, including
/// SQLite's. So a file is read without SQLite only if nothing in the process has it open
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
final class OpenHistory: Sendable {
  private struct File: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private static let counts = Mutex<[File: Int]>([:])

  private let file: File
  private let isReleased = Atomic(false)

  /// - Parameter examine: Opens and closes the file; not called if the process already has it open. No other
  ///   history of the process is opened meanwhile.
  /// - Throws: ``HistoryError/cannotOpen(path:reason:)`` if there is no file; rethrows errors of `examine`.
  init(_ path: String, examine: () throws -> Void) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw HistoryFile(path: path).cannotOpen() }
    let file = File(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
    self.file = file
    try Self.counts.withLock { counts in
      if counts[file] == nil { try examine() }
      counts[file, default: 0] += 1
    }
  }

  /// Decrements the count. Later calls do nothing.
  func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    Self.counts.withLock { counts in
      let count = counts[file] ?? 0
      counts[file] = count > 1 ? count - 1 : nil
    }
  }

  deinit { release() }
}
