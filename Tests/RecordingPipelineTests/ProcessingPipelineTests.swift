import RecordingPipeline
import TestSupport
import Testing

@Suite struct ProcessingPipelineTests {
  /// Outcomes are delivered on the caller's actor, so that the closure may change state isolated to it.
  @MainActor
  @Test func deliversOnTheCallersActor() async throws {
    let folder = try TemporaryFolder()
    var text = "timestamp,gravityX,gravityY,gravityZ\n"
    for index in 0..<200 { text += "\(Double(index) / 50),0,0,-1\n" }
    for name in ["a.csv", "b.csv", "c.csv"] { try folder.write(text, to: name) }
    var names: [String] = []
    let note = { (name: String) in names.append(name) }
    try await ProcessingPipeline().run(paths: [folder.path]) { outcome in
      MainActor.preconditionIsolated()
      if case .recording(let recording) = outcome { note(recording.name) }
    }
    #expect(names.count == 3 && names == names.sorted())
  }

  /// A history would truncate such an id. Its samples are counted and stored nevertheless.
  @Test func idsWithNULAreOmitted() async throws {
    let folder = try TemporaryFolder()
    let samples = (0..<200).map { "{\"timestamp\":\(Double($0) / 50),\"gravityZ\":-1}" }
    let file = try folder.write(
      "{\"setId\":\"a\\u0000b\",\"samples\":[\(samples.joined(separator: ","))]}", to: "a.json")
    var options = ProcessingOptions()
    options.storage = StorageOptions()
    var recordings: [ProcessedRecording] = []
    try await ProcessingPipeline(options: options).run(paths: [file]) { outcome in
      if case .recording(let recording) = outcome { recordings.append(recording) }
    }
    let part = try #require(recordings.first?.parts.first)
    #expect(part.recording.identity.setId == nil && part.recording.samples.count == 200)
    #expect(recordings[0].warnings.contains { $0.contains("U+0000") })
    #expect(throws: Never.self) { try part.prepared?.get() }
  }
}
