import Foundation
import MotionSynthesis
import RepTrace
import Testing

/// The snippets of the pages, compiled and run.
@Suite struct ReadmeSnippetTests {
  // snippet: README.md
  func countAndKeep(_ samples: MotionBatch, in store: GymStore) throws -> Int {
    let counted = RepDetector.countSet(in: samples)
    var set = GymSet(counted, samples: samples, person: "ana", date: .now)
    set.exercise = "Curl"
    try store.save(set)
    return try store.sets(for: "ana").count
  }
  // end

  // snippet: docs/data-model.md
  func firstTimeline(inStoreAt path: String) throws -> Timeline? {
    let store = try HistoryStore(path: path, mode: .readOnly)
    guard let set = try store.sets(limit: 1).first else { return nil }
    let timeline = try store.timeline(ofSet: set.id)
    print("\(set.reps) reps in \(timeline.samples.count) samples")
    return timeline
  }
  // end

  private func recording() throws -> SyntheticRecording {
    let options = SynthesisOptions(
      seed: 3, exercise: .curl, sets: 1, reps: 6, restSeconds: 6, rate: .constant(50))
    return try RecordingSynthesizer(options).make()
  }

  @Test func keepsACountedSet() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "snippet-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: url) }
    let store = try GymStore(at: url)
    #expect(try countAndKeep(try recording().recording.samples, in: store) == 1)
    #expect(try store.sets(for: "ana").map(\.reps) == [6])
  }

  @Test func readsAStoredTimeline() throws {
    let made = try recording()
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = try HistoryStore(path: path, mode: .create)
    try store.save(
      made.recording, sets: [RepDetector.countSet(in: made.recording.samples)])
    let timeline = try #require(try firstTimeline(inStoreAt: path))
    #expect(timeline.samples.count == made.recording.samples.count)
    #expect(timeline.samples.times == made.recording.samples.times)
  }

  @Test func pagesContainTheSnippets() throws {
    let file = URL(fileURLWithPath: #filePath)
    let package = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let source = try String(contentsOf: file, encoding: .utf8)
    var snippets: [(page: String, lines: [Substring])] = []
    var isInside = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  // snippet: ") {
        snippets.append((String(line.dropFirst("  // snippet: ".count)), []))
        isInside = true
      } else if line == "  // end" {
        isInside = false
      } else if isInside {
        snippets[snippets.count - 1].lines.append(line.dropFirst(2))
      }
    }
    #expect(snippets.map(\.page) == ["README.md", "docs/data-model.md"])
    for (page, lines) in snippets {
      let text = try String(contentsOf: package.appendingPathComponent(page), encoding: .utf8)
      #expect(text.contains(lines.joined(separator: "\n")), "\(page): \(lines.first ?? "")")
    }
  }
}
