import Foundation
import Synchronization

/// Notes that this process has a history open, under whatever name.
///
/// The system drops a process's locks on a file as soon as the process closes any descriptor of it,
/// SQLite's among them. So a file's bytes are looked at past SQLite only where nobody in the process
/// has it open (https://www.sqlite.org/howtocorrupt.html, 2.2).
final class OpenHistory: Sendable {
  private struct File: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private static let counts = Mutex<[File: Int]>([:])

  private let file: File
  private let isReleased = Atomic(false)

  /// - Parameter examine: Opens and closes the file; not called where the process has it open. Nobody
  ///   else in the process begins to use a history meanwhile.
  /// - Throws: ``HistoryError/cannotOpen(path:reason:)`` where there is no file, and what `examine`
  ///   throws.
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

  /// The process has it open once less. Later calls do nothing.
  func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    Self.counts.withLock { counts in
      let count = counts[file] ?? 0
      counts[file] = count > 1 ? count - 1 : nil
    }
  }

  deinit { release() }
}
