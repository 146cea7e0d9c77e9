import Foundation
import TestSupport
import Testing

@testable import RecordingPipeline

/// `docs/stream-protocol.md` shows what really happens. With `REPTRACE_UPDATE_DOCS` set, its
/// transcript is written anew.
@Suite struct StreamTranscriptTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func theTranscriptIsWhatHappens() throws {
    let page = try Self.text("docs/stream-protocol.md")
    let transcript = try #require(page.components(separatedBy: "## Transcript").last)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("> ") || $0.hasPrefix("< ") }
    let recording = fixtureRecordings.appendingPathComponent("deadlift-ndjson.ndjson")
    let lines = try String(contentsOf: recording, encoding: .utf8)
      .split(separator: "\n").map(String.init)

    let trial = try StreamTrial()
    defer { trial.remove() }
    let engine = StreamEngine(options: StreamTrial.options, journal: trial.store.journal)
    var actual: [String] = []
    var number = 0
    func note(_ batch: StreamBatch) throws {
      try trial.store.journal.commit(batch.journal)
      actual += batch.events.map { "< " + $0.jsonLine }
    }
    for line in transcript where line.hasPrefix("> ") {
      actual.append(line)
      let message = try Self.expanded(String(line.dropFirst(2)), from: lines)
      number += 1
      try note(
        try engine.process([StreamInput(number: number, content: .line(Array(message.utf8)))]))
    }
    while let batch = try engine.finish() { try note(batch) }
    #expect(number > 10)
    if ProcessInfo.processInfo.environment["REPTRACE_UPDATE_DOCS"] != nil {
      let head = page.components(separatedBy: "## Transcript")[0]
      let intro = page.components(separatedBy: "## Transcript")[1].components(separatedBy: "    >")[
        0]
      try (head + "## Transcript" + intro + actual.map { "    \($0)\n" }.joined())
        .write(
          to: Self.package.appendingPathComponent("docs/stream-protocol.md"), atomically: true,
          encoding: .utf8)
    }
    // A better detector may say the same a moment sooner, or be surer of it.
    #expect(actual.map(Self.withoutDecimals) == transcript.map(Self.withoutDecimals))
    for kind in ["setStarted", "phase", "rep", "setEnded", "setRevised", "gap", "ack", "error"] {
      #expect(actual.contains { $0.hasPrefix("< {\"event\":\"\(kind)\"") })
    }
  }

  private static func withoutDecimals(_ line: String) -> String {
    line.hasPrefix("> ") ? line : line.replacing(/-?\d+\.\d+/, with: "#")
  }

  /// The only line that has the parts around `…` in this order; the text itself where nothing is
  /// left out.
  private static func expanded(_ text: String, from lines: [String]) throws -> String {
    let parts = text.components(separatedBy: "…")
    guard parts.count > 1 else { return text }
    let fitting = lines.filter { line in
      var rest = line[...]
      for part in parts {
        guard let range = rest.range(of: part) else { return false }
        rest = rest[range.upperBound...]
      }
      return line.hasPrefix(parts[0])
    }
    return try #require(fitting.count == 1 ? fitting.first : nil, "\(fitting.count) lines fit")
  }
}
