import Foundation
import TestSupport
import Testing

@testable import RecordingPipeline

/// Compares the transcript in `docs/stream-protocol.md` with the real output. If `REPTRACE_UPDATE_DOCS` is
/// set, the transcript is rewritten.
@Suite struct StreamTranscriptTests {
  private static let page = packageRoot.appendingPathComponent("docs/stream-protocol.md")

  @Test func transcriptMatchesTheOutput() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let transcript = try #require(page.components(separatedBy: "## Transcript").last)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("> ") || $0.hasPrefix("< ") }
    let recording = fixtureRecordings.appendingPathComponent("deadlift-ndjson.ndjson")
    let lines = try String(contentsOf: recording, encoding: .utf8)
      .split(separator: "\n").map(String.init)

    let trial = try StreamTrial()
    let engine = trial.engine()
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
      try note(try engine.process([StreamMessages.input(number, Array(message.utf8))]))
    }
    while let batch = try engine.finish() { try note(batch) }
    #expect(number > 10)
    if ProcessInfo.processInfo.environment["REPTRACE_UPDATE_DOCS"] != nil {
      let parts = page.components(separatedBy: "## Transcript")
      let intro = parts[1].components(separatedBy: "    >")[0]
      try (parts[0] + "## Transcript" + intro + actual.map { "    \($0)\n" }.joined())
        .write(to: Self.page, atomically: true, encoding: .utf8)
    }
    // A better detector may announce the same events a moment sooner, or with higher confidence.
    #expect(actual.map(Self.withoutDecimals) == transcript.map(Self.withoutDecimals))
    for kind in ["setStarted", "phase", "rep", "setEnded", "setRevised", "gap", "ack", "error"] {
      #expect(actual.contains { $0.hasPrefix("< {\"event\":\"\(kind)\"") })
    }
  }

  private static func withoutDecimals(_ line: String) -> String {
    line.hasPrefix("> ") ? line : line.replacing(/-?\d+\.\d+/, with: "#")
  }

  /// Returns the only line that has the parts around `…` in this order, or the text itself if it has no `…`.
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
