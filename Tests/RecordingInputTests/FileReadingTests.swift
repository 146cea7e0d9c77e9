import Foundation
import TestSupport
import Testing

@testable import RecordingInput

@Suite struct FileReadingTests {
  @Test func readsWholeFilesAndShortHeads() throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    let path = try folder.write(Data(bytes), to: "a")
    #expect(try FileReading.bytes(ofFile: path) == bytes)
    #expect(try FileReading.head(ofFile: path) == Array(bytes.prefix(4096)))
    #expect(try FileReading.bytes(ofFile: folder.write("", to: "empty")) == [])
    #expect(FileReading.exists(path))
    #expect(!FileReading.exists(folder.path("b")))
  }

  @Test func unreadableFileHasAReason() throws {
    let folder = try TemporaryFolder()
    // Reading must not wait for a pipe without a writer.
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    try folder.write(Data(count: 101), to: "large")
    for (path, reason) in [
      (folder.path("missing"), "No such file or directory"), (folder.path, "not a regular file"),
      (folder.path("pipe"), "not a regular file"), (folder.path("large"), "larger than 100 bytes"),
    ] {
      let failure = #expect(throws: FileReading.Failure.self) {
        try FileReading.bytes(ofFile: path, limit: 100)
      }
      #expect(failure?.description == reason, "\(path)")
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
