import Foundation
import Testing

@testable import RecordingInput

@Suite struct InputScannerTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("scanner-\(UUID().uuidString)")
    for name in [
      "b/2.csv", "b/1.json", "b/1.metadata.json", "a.csv", ".hidden.csv", "columns.json",
      "a.columns.json", ".git/x.csv",
    ] {
      let url = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: url)
    }
  }

  @Test func walksInOrderAndLeavesOutWhatIsNoInput() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
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

  @Test func linksToFoldersAreNotFollowed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("loop"), withDestinationURL: folder)
    let scanned = InputScanner.scan([folder.path])
    #expect(scanned[0].files.count == 3)
  }
}
