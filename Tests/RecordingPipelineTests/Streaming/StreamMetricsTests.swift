import Foundation
import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import RecordingPipeline

@Suite struct StreamMetricsTests {
  @Test func everyMetricHasTypeAndHelp() {
    let metrics = StreamMetrics()
    var statistics = StreamStatistics()
    statistics.messages = 3
    statistics.chunks = 2
    statistics.samples = 200
    statistics.openSets = 4
    statistics.newestUnixTime = 1000
    metrics.noteReceived(bytes: 70)
    metrics.note(statistics, bytes: 50)
    metrics.noteDurable(messages: 3, after: 0.02)
    metrics.noteWritten(
      [
        StreamEvent(.rep(count: 1, CountedRep(start: 0, end: 1, confidence: 1))),
        StreamEvent(.error(kind: "invalidJSON", message: "", byteOffset: nil)),
        StreamEvent(.warning(kind: "limit", message: "")),
      ], after: 40)
    var gauges = StreamMetrics.Gauges()
    gauges.unixTime = 1002.5
    gauges.journalBytes = 12
    let text = metrics.text(gauges)
    for line in [
      "messages_total 3", "chunks_total 2", "samples_total 200", "reps_total 1", "open_sets 4",
      "events_total{event=\"rep\"} 1", "refused_total{reason=\"invalidJSON\"} 1",
      "warnings_total{reason=\"limit\"} 1", "queued_bytes 20", "lag_seconds 2.5",
      "journal_bytes 12", "received_to_durable_seconds_bucket{le=\"0.01\"} 0",
      "received_to_durable_seconds_bucket{le=\"0.025\"} 3", "received_to_durable_seconds_count 3",
      "received_to_event_seconds_bucket{le=\"30.0\"} 0",
      "received_to_event_seconds_bucket{le=\"+Inf\"} 3",
    ] {
      #expect(text.contains("\nreptrace_stream_\(line)\n"), "\(line)")
    }
    var types: Set<Substring> = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix("# TYPE") { types.insert(words[2]) }
      guard !line.hasPrefix("#") else { continue }
      let name = words[0].split(separator: "{")[0]
      let isPart = ["_bucket", "_sum", "_count"].contains {
        name.hasSuffix($0) && types.contains(name.dropLast($0.count))
      }
      #expect(types.contains(name) || isPart, "\(line)")
    }
    for type in types { #expect(text.contains("# HELP \(type) "), "\(type)") }
  }

  /// docs/service.md names every metric.
  @Test func theDocumentationNamesEveryMetric() throws {
    let page = try String(
      contentsOf: packageRoot.appendingPathComponent("docs/service.md"), encoding: .utf8)
    var gauges = StreamMetrics.Gauges()
    (gauges.journalEntries, gauges.journalBytes) = (0, 0)
    (gauges.storeBytes, gauges.logBytes) = (0, 0)
    let metrics = StreamMetrics()
    var statistics = StreamStatistics()
    statistics.newestUnixTime = 0
    metrics.note(statistics, bytes: 0)
    for line in metrics.text(gauges).split(separator: "\n") where line.hasPrefix("# TYPE") {
      let name = line.split(separator: " ")[2].dropFirst("reptrace_stream_".count)
      #expect(page.contains("`\(name)"), "\(name)")
    }
  }

  @Test func batchesAreCountedAndDated() throws {
    let recording = try StreamMessages.recording(seed: 5)
    let identity = SetIdentity(sessionId: "s", setId: "x")
    let engine = StreamEngine()
    let frame = try StreamMessages.frame(recording, rows: 0..<40, identity: identity)
    let batch = try engine.process([
      StreamInput(number: 1, content: .frame(frame)),
      StreamInput(number: 2, content: .line(Array("{".utf8))),
    ])
    #expect(batch.statistics.messages == 2)
    #expect(batch.statistics.chunks == 1)
    #expect(batch.statistics.samples == 40)
    #expect(batch.statistics.openSets == 1)
  }
}
