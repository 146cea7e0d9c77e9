import Foundation
import Testing

@testable import RecordingInput

@Suite struct FileReadingTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/reptrace-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func readsWholeFilesAndShortHeads() throws {
    try withFolder { folder in
      let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/a"))
      #expect(try FileReading.bytes(ofFile: folder + "/a") == bytes)
      #expect(try FileReading.head(ofFile: folder + "/a") == Array(bytes.prefix(4096)))
      try Data().write(to: URL(fileURLWithPath: folder + "/empty"))
      #expect(try FileReading.bytes(ofFile: folder + "/empty") == [])
      #expect(FileReading.exists(folder + "/a"))
      #expect(!FileReading.exists(folder + "/b"))
    }
  }

  @Test func unreadableFileHasAReason() throws {
    try withFolder { folder in
      func reason(_ path: String, limit: Int = 100) -> String {
        do {
          _ = try FileReading.bytes(ofFile: path, limit: limit)
          return ""
        } catch {
          return "\(error)"
        }
      }
      #expect(reason(folder + "/missing") == "No such file or directory")
      #expect(reason(folder) == "not a regular file")
      // A pipe without a writer must not be waited for.
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(reason(folder + "/pipe") == "not a regular file")
      try Data(count: 101).write(to: URL(fileURLWithPath: folder + "/large"))
      #expect(reason(folder + "/large") == "larger than 100 bytes")
    }
  }

  @Test(arguments: [
    ("a/b.c", "a", "b.c", "a/b"), ("b", "", "b", "b"), ("/b.csv", "/", "b.csv", "/b"),
    ("a.d/b", "a.d", "b", "a.d/b"), ("a/.hidden", "a", ".hidden", "a/.hidden"),
    ("a/b.metadata.json", "a", "b.metadata.json", "a/b.metadata"), ("", "", "", ""),
    ("ä/ü.csv", "ä", "ü.csv", "ä/ü"),
  ])
  func partsOfAPath(_ path: String, folder: String, name: String, stem: String) {
    let parts = PathParts(path)
    #expect(parts.folder == folder)
    #expect(parts.name == name)
    #expect(parts.stem == stem)
  }
}
