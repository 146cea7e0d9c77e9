import Foundation
import Testing

/// Commands never write through a link that another user may have planted.
@Suite struct PlantedLinksTests {
  private let folder: ScratchFolder
  private let victim: String

  init() throws {
    folder = try ScratchFolder()
    victim = try folder.write("precious", to: "victim")
    try folder.writeCurls(reps: 5, to: "in/a.csv")
  }

  private func plant(_ name: String) throws {
    let link = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: (link as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim)
  }

  private func expectUntouched(_ name: String) throws {
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious", "\(name)")
  }

  @Test(arguments: ["page.html", "figure.svg"]) func plotDoesNotFollowLinks(name: String) throws {
    try plant(name)
    let run = try ReptraceRun(["plot", folder.path("in/a.csv"), "-o", folder.path(name)])
    #expect(run.status == 0)
    try expectUntouched(name)
    #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8).contains("<svg"))
  }

  @Test(arguments: ["manifest.json", ".manifest.json.part", ".sets.csv.part", "progress.ndjson"])
  func batchDoesNotFollowLinks(name: String) throws {
    try plant("out/\(name)")
    let run = try ReptraceRun(["process", folder.path("in"), "--out", folder.path("out")])
    #expect(run.status == (name == "progress.ndjson" ? 73 : 0), "\(run.errors)")
    try expectUntouched(name)
  }
}
