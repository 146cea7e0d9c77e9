#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of a history: all file system operations outside SQLite.
struct HistoryFile {
  var path: String

  /// Returns the path in a form that SQLite does not take for a URI (`file:…`) or a memory database
  /// (`:memory:`).
  static func plain(_ path: String) -> String {
    path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
  }

  /// Creates the file if it is missing and the mode allows it.
  ///
  /// Sets the file's permissions before SQLite opens it: SQLite gives its journals the permissions of the
  /// database.
  ///
  /// - Returns: Whether the file had any content before SQLite opened it.
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

  /// Checks the bytes of the file and its log without SQLite.
  ///
  /// - Throws: ``HistoryError/notADatabase(path:)``; ``HistoryError/damaged(path:reason:)`` if the log has lost
  ///   commits.
  func requireDatabase() throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return }
    if HistoryLog(path: path).hasLostCommits {
      throw HistoryError.damaged(
        path: path,
        reason: """
          commits in its log \(path)-wal cannot be read any more; what was there before them can, \
          without the file \(path)-shm
          """)
    }
    if try starts(path, with: Array("SQLite format 3\0".utf8)) { return }
    // Power was lost while a transaction wrote the first page: the journal holds the page's previous content.
    let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    if hasRollbackJournal, try starts(path + "-journal", with: journalMagic),
      try starts(path, with: [UInt8](repeating: 0, count: 16))
    {
      return
    }
    throw HistoryError.notADatabase(path: path)
  }

  /// Creates a file that only its owner can read.
  func make() throws {
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw cannotOpen() }
    defer { systemClose(descriptor) }
    // Restores the permissions that the process's umask removed.
    guard fchmod(descriptor, 0o600) == 0 else { throw cannotOpen() }
  }

  /// True if a rollback journal exists: a transaction is running or was interrupted.
  var hasRollbackJournal: Bool { hasBytes("-journal") }

  /// True if a write-ahead log exists, which may hold commits that are not in the file yet.
  var hasLog: Bool { hasBytes("-wal") }

  var isWritable: Bool { access(path, W_OK) == 0 }

  var isInWritableFolder: Bool {
    let slash = path.lastIndex(of: "/")
    return access(slash.map { String(path[...$0]) } ?? ".", W_OK) == 0
  }

  /// The path as an SQLite URI.
  var uri: String {
    let escaped = path.utf8.map { byte -> String in
      let character = Character(UnicodeScalar(byte))
      let isPlain =
        byte < 0x80 && (character.isLetter || character.isNumber || "/._-".utf8.contains(byte))
      let hex = String(byte, radix: 16)
      return isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + hex
    }
    return "file:" + escaped.joined()
  }

  /// Returns an error for the last failed system call.
  func cannotOpen() -> HistoryError {
    .cannotOpen(path: path, reason: String(cString: strerror(errno)))
  }

  private func hasBytes(_ suffix: String) -> Bool {
    var status = stat()
    return stat(path + suffix, &status) == 0 && status.st_size > 0
  }

  private func starts(_ path: String, with bytes: [UInt8]) throws -> Bool {
    let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw cannotOpen() }
    defer { systemClose(descriptor) }
    var head = [UInt8](repeating: 0, count: bytes.count)
    let count = head.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
    return count == bytes.count && head == bytes
  }
}

// Wrappers, since methods here have the names of the system calls.
func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int)
  -> Int
{
  guard let buffer else { return -1 }
  return read(descriptor, buffer, count)
}
