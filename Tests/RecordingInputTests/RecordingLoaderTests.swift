import Foundation
import Testing

@testable import RecordingInput

@Suite struct RecordingLoaderTests {
  /// Writes chunk files of ten samples each, named by session and set, and loads their folder.
  private func load(_ chunks: [(session: String?, set: String)]) throws -> [LoadedRecording] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loader-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (index, chunk) in chunks.enumerated() {
      let samples = (0..<10).map { "{\"timestamp\":\(index * 10 + $0),\"roll\":0.5}" }
      let session = chunk.session.map { "\"sessionId\":\"\($0)\"," } ?? ""
      let text =
        "{\(session)\"setId\":\"\(chunk.set)\",\"samples\":[\(samples.joined(separator: ","))]}"
      try Data(text.utf8).write(to: folder.appendingPathComponent("\(index).json"))
    }
    var loaded = LoadedInputs([folder.path], options: LoadingOptions()).recordings
    for index in loaded.indices {
      loaded[index].name = String(loaded[index].name.dropFirst(folder.path.count))
    }
    return loaded
  }

  @Test func anIdNamesASetWithinItsSession() throws {
    let recordings = try load([("A", "1"), ("B", "1"), ("a", "1"), ("B", "2")])
    #expect(recordings.map(\.name) == ["/A/1", "/B/1", "/2"])
    #expect(recordings.map(\.sampleCount) == [20, 10, 10])
  }

  @Test func aSetWithoutItsSessionIsTheOnlyOneOfThatId() throws {
    let one = try load([(nil, "1"), ("A", "1"), (nil, "1")])
    #expect(one.map(\.name) == [""])
    #expect(one.map(\.sampleCount) == [30])
    let two = try load([(nil, "1"), ("A", "1"), ("B", "1")])
    #expect(two.map(\.name) == ["/1", "/A/1", "/B/1"])
  }
}
