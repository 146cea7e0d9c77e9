import Foundation
import RecordingPipeline
import Testing

@Suite struct ProcessingPipelineTests {
  /// Outcomes are delivered on the caller's actor, so that the closure may change state isolated to it.
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

  /// A history would truncate such an id. Its samples are counted and stored all the same.
  @Test func anIdWithNULIsLeftOut() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let samples = (0..<200).map { "{\"timestamp\":\(Double($0) / 50),\"gravityZ\":-1}" }
    try "{\"setId\":\"a\\u0000b\",\"samples\":[\(samples.joined(separator: ","))]}"
      .write(to: file, atomically: true, encoding: .utf8)
    var options = ProcessingOptions()
    options.storage = StorageOptions()
    var recordings: [ProcessedRecording] = []
    try await ProcessingPipeline(options: options).run(paths: [file.path]) { outcome in
      if case .recording(let recording) = outcome { recordings.append(recording) }
    }
    let part = try #require(recordings.first?.parts.first)
    #expect(part.recording.identity.setId == nil && part.recording.samples.count == 200)
    #expect(recordings[0].warnings.contains { $0.contains("U+0000") })
    #expect(throws: Never.self) { try part.prepared?.get() }
  }
}
