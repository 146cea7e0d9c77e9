import Foundation
import Testing

@Suite struct SyntheticEvaluationTests {
  @Test(arguments: ["given", "found"])
  func printsAccuracyOfCountsAndTimes(mode: String) throws {
    let run = try ReptraceRun([
      "evaluate", "--synthetic", "24", "--seed", "3", "--mode", mode, "--output", "json",
    ])
    #expect(run.status == 0)
    let report = try #require(try run.objects().first)
    let total = try #require(report["total"] as? [String: Any])
    let sets = try #require(total["sets"] as? Int)
    #expect(sets >= 24)
    let difficulties = try #require(report["by:difficulty"] as? [String: [String: Any]])
    #expect(difficulties.values.compactMap { $0["sets"] as? Int }.reduce(0, +) == sets)
    #expect(Set(difficulties.keys) == ["hard", "ordinary"])
    #expect((report["exercises"] as? [String: Any])?.count == 12)
    let start = try #require((report["repStart"] as? [String: Any])?["medianAbsoluteSeconds"])
    #expect(try #require(start as? Double) < 0.15)
    #expect(report["repCalibration"] != nil)
  }

  @Test func equalSeedsGiveEqualResults() throws {
    let runs = try ["5", "5", "6"].map {
      try ReptraceRun(["evaluate", "--synthetic", "6", "--seed", $0, "--output", "csv"])
    }
    #expect(runs.allSatisfy { $0.status == 0 && $0.lines.count > 6 })
    #expect(runs[0].output == runs[1].output && runs[0].output != runs[2].output)
  }

  @Test func writesAllSegmentations() throws {
    let folder = try ScratchFolder()
    let run = try ReptraceRun([
      "evaluate", "--synthetic", "6", "--mode", "given", "--output", "json",
      "--segmentations", folder.path("segmentations.csv"),
    ])
    #expect(run.status == 0)
    let rows = try lines(folder.path("segmentations.csv"))
    let header = try #require(rows.first)
    #expect(header.contains("log_n"))
    let total = (try run.objects().first?["total"] as? [String: Any])?["sets"] as? Int
    #expect(rows.count > 2 * (try #require(total)))
    for row in rows { #expect(row.count == header.count) }
  }

  private func lines(_ path: String) throws -> [[Substring]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  @Test(arguments: [["attitude"], ["attitude", "gyroscope"]])
  func evaluatesWithoutSensors(sensors: [String]) throws {
    let run = try ReptraceRun(
      ["evaluate", "--synthetic", "6", "--mode", "given", "--output", "json", "--without"]
        + sensors)
    #expect(run.status == 0)
    let total = try #require(try run.objects().first?["total"] as? [String: Any])
    #expect(try #require(total["withinOneRate"] as? Double) > 0.5)
  }

  @Test func requiresLabelsOrACount() throws {
    #expect(try ReptraceRun(["evaluate"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "a.csv"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "a.csv", "--synthetic", "3"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "--synthetic", "0"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "--synthetic", "3", "--where", "a=b"]).status == 64)
  }
}
