import Foundation
import RecordingPipeline
import Testing

@Suite struct ProcessingPipelineTests {
  /// What is delivered comes on the caller's actor, and may change what belongs to it.
  @MainActor
  @Test func deliversOnTheActorOfItsCaller() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pipeline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var text = "timestamp,gravityX,gravityY,gravityZ\n"
    for index in 0..<200 { text += "\(Double(index) / 50),0,0,-1\n" }
    for name in ["a.csv", "b.csv", "c.csv"] {
      try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    var names: [String] = []
    let note = { (name: String) in names.append(name) }
    try await ProcessingPipeline().run(paths: [folder.path]) { outcome in
      MainActor.preconditionIsolated()
      if case .recording(let recording) = outcome { note(recording.name) }
    }
    #expect(names.count == 3 && names == names.sorted())
  }
}
