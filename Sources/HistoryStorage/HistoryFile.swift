import Foundation
import Synchronization

/// The file of a history, with all file system operations outside SQLite.
struct HistoryFile {
  var path: String

  /// Returns the path in a form that SQLite takes neither for a URI (`file:…`) nor for `:memory:`.
  static func plain(_ path: String) -> String {
    path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
  }

  /// Creates the file if it is missing and the mode allows it, and sets its permissions, which SQLite copies
  /// to its journals. Returns whether the file had any content.
  @discardableResult
  func prepare(mode: HistoryStore.Mode) throws -> Bool {
    if mode == .create {
      do {
        try make()
        return false
      } catch {
        guard errno == EEXIST else { throw error }
      }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw cannotOpen() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HistoryError.cannotOpen(path: path, reason: "it is not a file")
    }
    if status.st_size == 0 {
      if mode != .readOnly {
        guard chmod(path, 0o600) == 0 else { throw cannotOpen() }
      }
      return false
    }
    return true
  }

  func requireCommits() throws {
    guard HistoryLog(path: path).hasLostCommits else { return }
    throw HistoryError.damaged(
      path: path,
      reason: """
        commits in its log \(path)-wal cannot be read any more; what was there before them can, \
        without the file \(path)-shm
        """)
  }

  /// Creates a file that only its owner can read.
  func make() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw cannotOpen() }
    defer { close(descriptor) }
    // Restore the permissions that the process's umask removed.
    guard fchmod(descriptor, 0o600) == 0 else { throw cannotOpen() }
  }

  var hasRollbackJournal: Bool { hasBytes("-journal") }

  /// True if a write-ahead log exists, which may contain commits that are not yet in the file.
  var hasLog: Bool { hasBytes("-wal") }

  var isWritable: Bool { access(path, W_OK) == 0 }

  var isInWritableFolder: Bool { access(url.deletingLastPathComponent().path, W_OK) == 0 }

  var url: URL { URL(fileURLWithPath: path) }

  func cannotOpen() -> HistoryError {
    .cannotOpen(path: path, reason: String(cString: strerror(errno)))
  }

  private func hasBytes(_ suffix: String) -> Bool {
    var status = stat()
    return stat(path + suffix, &status) == 0 && status.st_size > 0
  }
}

/// Counts how often this process has a history open, under any path.
///
/// When a process closes any descriptor of a file, the system drops all its locks on the file, including
/// SQLite's. So the file is read without SQLite only if nothing in the process has it open
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
final class OpenHistory: Sendable {
  private static let counts = Mutex<[String: Int]>([:])

  /// Device and inode of the file.
  private let file: String
  private let isReleased = Atomic(false)

  /// - Parameter examine: Opens and closes the file; not called if the process already has it open.
  init(_ path: String, examine: () throws -> Void) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw HistoryFile(path: path).cannotOpen() }
    let file = "\(status.st_dev) \(status.st_ino)"
    self.file = file
    try Self.counts.withLock { counts in
      if counts[file] == nil { try examine() }
      counts[file, default: 0] += 1
    }
  }

  func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    Self.counts.withLock { counts in
      let count = counts[file] ?? 0
      counts[file] = count > 1 ? count - 1 : nil
    }
  }

  deinit { release() }
}
