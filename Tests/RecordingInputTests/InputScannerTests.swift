import Foundation
import TestSupport
import Testing

@testable import RecordingInput

@Suite struct InputScannerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in [
      "b/2.csv", "b/1.json", "b/1.metadata.json", "a.csv", ".hidden.csv", "columns.json",
      "a.columns.json", ".git/x.csv",
    ] { try folder.write("x", to: name) }
  }

  @Test func walksInOrderAndSkipsOtherFiles() throws {
    let path = folder.path
    let scanned = InputScanner.scan([path, path + "/missing", path + "/a.csv"])
    #expect(scanned[0].files.map(\.path) == ["/a.csv", "/b/1.json", "/b/2.csv"].map { path + $0 })
    #expect(scanned[0].files.allSatisfy { !$0.isNamed })
    #expect(scanned[0].files[1].folder == path + "/b")
    guard case .missing = scanned[1].kind else {
      Issue.record("a path that does not exist is missing")
      return
    }
    #expect(scanned[2].files == [InputFile(path: path + "/a.csv", isNamed: true)])
  }

  @Test(.enabled(if: geteuid() != 0, "root may enter everything"))
  func inaccessibleFoldersAreReported() throws {
    let closed = folder.path("b")
    chmod(closed, 0)
    defer { chmod(closed, 0o700) }
    let files = InputScanner.scan([folder.path])[0].files
    #expect(files.map(\.path) == [folder.path + "/a.csv", closed])
    let refusal = #expect(throws: FileReading.Failure.self) { try files[1].bytes(limit: 100) }
    #expect(refusal?.description == "Permission denied")
    guard case .unreadable = InputScanner.scan([closed + "/1.json"])[0].kind else {
      Issue.record("what cannot be looked at may be there")
      return
    }
  }

  @Test func missingPathsAreReported() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("gone.csv"), withDestinationPath: "nowhere")
    let files = InputScanner.scan([folder.path])[0].files
    let gone = try #require(files.first { $0.path.hasSuffix("/gone.csv") })
    let refusal = #expect(throws: FileReading.Failure.self) { try gone.bytes(limit: 100) }
    #expect(refusal?.description == "No such file or directory")
  }

  #if os(Linux)
    /// Other systems do not allow such names.
    @Test func namesInOtherEncodingsAreReported() throws {
      let name =
        (folder.path + "/").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xDC)]
        + "bung.csv".utf8.map { CChar(bitPattern: $0) } + [0]
      fclose(fopen(name, "w"))
      defer { unlink(name) }
      let files = InputScanner.scan([folder.path])[0].files
      let strange = try #require(files.first { $0.path.hasSuffix("bung.csv") })
      let refusal = #expect(throws: FileReading.Failure.self) { try strange.bytes(limit: 100) }
      #expect(refusal?.description.contains("not UTF-8") == true)
    }
  #endif

  @Test func linksToFoldersAreNotFollowed() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop"), withDestinationPath: folder.path)
    let scanned = InputScanner.scan([folder.path])
    #expect(scanned[0].files.count == 3)
  }
}
