import Foundation

/// A separate folder for each test, removed afterwards.
package final class TemporaryFolder: Sendable {
  package let url: URL

  /// - Parameter inMemory: True for tests that write much, to use a file system in memory if there is one.
  package init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let base =
      inMemory && FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    url = base.appendingPathComponent("history-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, in folders that are made for it, and returns its path.
  @discardableResult
  package func write(_ data: Data, to path: String) throws -> String {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }

  @discardableResult
  package func write(_ text: String, to path: String) throws -> String {
    try write(Data(text.utf8), to: path)
  }
}
