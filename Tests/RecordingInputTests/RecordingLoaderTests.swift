import Foundation
import TestSupport
import Testing

@testable import RecordingInput

@Suite struct RecordingLoaderTests {
  /// Loads a folder of files with the given names and texts, with and without memory for the plan's samples.
  private func load(files: [(name: String, text: String)]) throws -> LoadedInputs {
    let folder = try TemporaryFolder()
    for file in files { try folder.write(file.text, to: file.name) }
    var loaded = LoadedInputs([folder.path], options: LoadingOptions())
    for room in [0, 15] {
      var options = LoadingOptions()
      options.samplesInMemory = room
      let again = LoadedInputs([folder.path], options: options)
      #expect(again.recordings.map(\.name) == loaded.recordings.map(\.name))
      #expect(again.recordings.map(\.sampleCount) == loaded.recordings.map(\.sampleCount))
      #expect(again.recordings.map(\.warnings) == loaded.recordings.map(\.warnings))
      #expect(again.failures == loaded.failures && again.skipped == loaded.skipped)
    }
    for index in loaded.recordings.indices {
      let name = loaded.recordings[index].name
      loaded.recordings[index].name = String(name.dropFirst(folder.path.count))
    }
    return loaded
  }

  /// Returns a chunk of ten samples, with times derived from its number.
  private func chunk(_ number: Int, session: String? = nil, set: String? = nil) -> String {
    let samples = (0..<10).map { "{\"timestamp\":\(number * 10 + $0),\"roll\":0.5}" }
    let ids = [("sessionId", session), ("setId", set)].compactMap { key, id in
      id.map { "\"\(key)\":\"\($0)\"," }
    }
    return "{\(ids.joined())\"samples\":[\(samples.joined(separator: ","))]}"
  }

  /// Loads a folder of chunk files for the given sessions and sets.
  private func load(_ chunks: [(session: String?, set: String)]) throws -> [LoadedRecording] {
    try load(
      files: chunks.enumerated().map { index, ids in
        ("\(index).json", chunk(index, session: ids.session, set: ids.set))
      }
    ).recordings
  }

  @Test func setIdsAreUniqueWithinASession() throws {
    let recordings = try load([("A", "1"), ("B", "1"), ("a", "1"), ("B", "2")])
    #expect(recordings.map(\.name) == ["/A/1", "/B/1", "/2"])
    #expect(recordings.map(\.sampleCount) == [20, 10, 10])
  }

  @Test func setIdWithoutSessionMustBeUnique() throws {
    let one = try load([(nil, "1"), ("A", "1"), (nil, "1")])
    #expect(one.map(\.name) == [""])
    #expect(one.map(\.sampleCount) == [30])
    let two = try load([(nil, "1"), ("A", "1"), ("B", "1")])
    #expect(two.map(\.name) == ["/1", "/A/1", "/B/1"])
  }

  @Test(arguments: ["b.ndjson", "b.json"]) func linesOfOneSetAreGrouped(other: String) throws {
    let lines = [1, 2].map { chunk($0, session: "A", set: "1") }
    let loaded = try load(files: [
      ("a.ndjson", lines.joined(separator: "\n")), (other, chunk(3, set: "1")),
      ("c.ndjson", [4, 5].map { chunk($0, session: "A", set: "2") }.joined(separator: "\n")),
    ])
    #expect(loaded.recordings.map(\.name) == ["", "/c.ndjson"])
    #expect(loaded.recordings.map(\.sampleCount) == [30, 20])
  }

  /// A set without a session stays separate if several sessions have its id, in any order of lines.
  @Test func orderOfLinesDoesNotMatter() throws {
    let chunks = [
      chunk(1, set: "1"), chunk(2, session: "A", set: "1"), chunk(3, session: "B", set: "1"),
    ]
    for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1], [2, 1, 0]] {
      let text = order.map { chunks[$0] }.joined(separator: "\n")
      let loaded = try load(files: [("a.ndjson", text)])
      let parts = loaded.recordings.flatMap(\.parts)
      #expect(parts.map(\.recording.identity.sessionId) == [nil, "A", "B"], "\(order)")
    }
    let two = try load(files: [("a.ndjson", chunks[..<2].joined(separator: "\n"))])
    #expect(two.recordings.map(\.parts.count) == [1])
  }

  /// The messages are recognized by content, whatever the name.
  @Test(arguments: ["a.json", "a.ndjson"]) func readsMessagesWithoutSamples(name: String) throws {
    let declared = try load(files: [(name, "{\"type\":\"startSet\"}")]).recordings
    #expect(declared.flatMap(\.parts).map(\.isDeclaredSet) == [true])
    let ended = try load(files: [(name, "{\"type\":\"endSet\"}")])
    #expect(ended.recordings.isEmpty)
    #expect(ended.skipped.count == 1)
    let empty = try load(files: [(name, "[]\n[]\n")])
    #expect(empty.recordings.isEmpty)
    #expect(empty.failures.map(\.kind) == [.noRecording])
  }

  /// Control messages about a set apply to their own file only.
  @Test func unjoinableSetIsAWarning() throws {
    let start = "{\"type\":\"startSet\",\"sessionId\":\"A\",\"setId\":\"1\"}"
    let loaded = try load(files: [
      ("a.ndjson", start + "\n" + chunk(1)), ("b.ndjson", start + "\n" + chunk(2)),
      ("c.ndjson", [3, 4].map { chunk($0, session: "A", set: "2") }.joined(separator: "\n")),
    ])
    #expect(loaded.recordings.map(\.name) == ["/a.ndjson", "/b.ndjson", "/c.ndjson"])
    #expect(loaded.recordings.map(\.warnings.count) == [1, 1, 0])
    #expect(loaded.recordings[0].warnings[0].contains("b.ndjson, too"))
  }

  /// A chunk file that was not kept in memory and has changed since is an error; the others are counted.
  @Test func changedChunkFileIsReported() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loader-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for number in 1...3 {
      try Data(chunk(number, session: "A", set: "1").utf8)
        .write(to: folder.appendingPathComponent("\(number).json"))
    }
    var options = LoadingOptions()
    options.samplesInMemory = 0
    let planned = PlannedInputs([folder.path], options: options)
    try Data("{\"samples\":[]}".utf8).write(to: folder.appendingPathComponent("2.json"))
    let loaded = planned.load(0)
    #expect(loaded.recordings.map(\.sampleCount) == [20])
    #expect(loaded.failures.map(\.kind) == [.unreadable])
    #expect(loaded.failures.map(\.message) == ["changed while it was read"])
  }
}
