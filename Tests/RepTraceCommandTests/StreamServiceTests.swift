import Foundation
import Testing

/// The interface of `stream` for operators: systemd unit, metrics, log.
@Suite struct StreamServiceTests {
  private static let analyzer = "/usr/bin/systemd-analyze"

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: analyzer), "needs systemd-analyze"))
  func systemdUnitIsValid() throws {
    let scratch = try ScratchFolder()
    let unit = try String(
      contentsOfFile: PackageFolder.path("packaging/reptrace-stream@.service"), encoding: .utf8
    ).replacingOccurrences(of: "/usr/bin/reptrace", with: try ReptraceRun.executable().path)
    let path = scratch.path("reptrace-stream@1.service")
    try unit.write(toFile: path, atomically: true, encoding: .utf8)
    for arguments in [
      ["verify", "--man=no", path], ["security", "--offline=true", "--threshold=15", path],
    ] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.analyzer)
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(arguments[0]): \(said)")
    }
    // The command accepts the arguments in the unit.
    let command = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    let options = command.split(separator: " ").filter { $0.hasPrefix("--") }
    let help = try ReptraceRun(["stream", "--help"]).output
    for option in options { #expect(help.contains(option)) }
  }

  @Test func metricsAreWrittenAtTheEndAndOnDemand() throws {
    let scratch = try ScratchFolder()
    let (store, metrics) = (scratch.path("history.sqlite"), scratch.path("stream.prom"))
    let run = try RunningReptrace(["stream", "--store", store, "--metrics", metrics])
    let fixture = try Data(
      contentsOf: URL(fileURLWithPath: PackageFolder.recording("deadlift-ndjson.ndjson")))
    try run.input.write(contentsOf: fixture)
    var received = try run.read(until: "setEnded")
    kill(run.process.processIdentifier, SIGUSR1)
    func text() -> String { (try? String(contentsOfFile: metrics, encoding: .utf8)) ?? "" }
    func isUpToDate() -> Bool {
      text().contains("reptrace_stream_events_total{event=\"setEnded\"} 1")
    }
    for _ in 0..<1_000 where !isUpToDate() { Thread.sleep(forTimeInterval: 0.02) }
    #expect(isUpToDate())
    // Memory use is known without another message.
    #expect(text().contains("reptrace_stream_sample_bytes "))
    #expect(!text().contains("reptrace_stream_sample_bytes 0\n"))
    received += run.finish()
    let acks = received.components(separatedBy: "\"event\":\"ack\"").count - 1
    let chunks = received.components(separatedBy: "\"sha256\"").count - 1
    #expect(text().contains("reptrace_stream_chunks_total \(chunks)\n"))
    #expect(text().contains("reptrace_stream_events_total{event=\"ack\"} \(acks)\n"))
    #expect(text().contains("reptrace_stream_journal_entries 0\n"))
    #expect(text().contains("reptrace_stream_open_sets 0\n"))
    #expect(!text().contains("reptrace_stream_sample_bytes 0\n"))
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
    #expect(left == ["history.sqlite", "stream.prom"])
  }

  @Test func logHasALineForEachImportantEvent() throws {
    let scratch = try ScratchFolder()
    var input = try Data(
      contentsOf: URL(fileURLWithPath: PackageFolder.recording("deadlift-ndjson.ndjson")))
    input += Data("nonsense\n".utf8)
    let run = try ReptraceRun(
      ["stream", "--store", scratch.path("s.sqlite"), "--log-level", "info"], input: input)
    let lines = try run.errors.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let messages = lines.compactMap { $0["message"] as? String }
    #expect(messages.first == "start" && messages.last == "end")
    for message in ["recovered", "set finished", "message refused"] {
      #expect(messages.contains(message))
    }
    #expect(lines.allSatisfy { $0["level"] is String && $0["time"] is Double })
    let quiet = try ReptraceRun(["stream", "--log-level", "error"], input: input)
    #expect(quiet.errors.isEmpty)
    let plain = try ReptraceRun(["stream"], input: input)
    #expect(!plain.errors.contains("{") && plain.errors.contains(" messages, "))
  }
}
