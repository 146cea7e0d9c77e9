import Foundation
import Testing

@Suite struct SyntheticEvaluationTests {
  @Test(arguments: ["given", "found"])
  func saysHowWellItCountsAndTimes(mode: String) throws {
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

  @Test func theSameSeedGivesTheSame() throws {
    let arguments = ["evaluate", "--synthetic", "6", "--seed", "5", "--output", "csv"]
    #expect(try ReptraceRun(arguments).output == (try ReptraceRun(arguments).output))
  }

  @Test func writesWhatCountsRestOn() throws {
    let folder = try ScratchFolder()
    let run = try ReptraceRun([
      "evaluate", "--synthetic", "6", "--mode", "given", "--output", "json",
      "--evidence", folder.path("sets.csv"), "--rep-evidence", folder.path("reps.csv"),
    ])
    #expect(run.status == 0)
    let sets = try lines(folder.path("sets.csv"))
    let header = try #require(sets.first)
    #expect(header.contains("agreement"))
    let total = (try run.objects().first?["total"] as? [String: Any])?["sets"] as? Int
    #expect(sets.count - 1 == total)
    for line in sets { #expect(line.count == header.count) }
    let reps = try lines(folder.path("reps.csv"))
    #expect(reps.count > 6 * 3)
    for line in reps { #expect(line.count == reps.first?.count) }
  }

  private func lines(_ path: String) throws -> [[Substring]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  @Test(arguments: [["attitude"], ["attitude", "gyroscope"]])
  func doesWithoutSensors(sensors: [String]) throws {
    let run = try ReptraceRun(
      ["evaluate", "--synthetic", "6", "--mode", "given", "--output", "json", "--without"]
        + sensors)
    #expect(run.status == 0)
    let total = try #require(try run.objects().first?["total"] as? [String: Any])
    #expect(try #require(total["withinOneRate"] as? Double) > 0.5)
  }

  @Test func needsLabelsOrACount() throws {
    #expect(try ReptraceRun(["evaluate"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "a.csv"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "a.csv", "--synthetic", "3"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "--synthetic", "0"]).status == 64)
    #expect(try ReptraceRun(["evaluate", "--synthetic", "3", "--where", "a=b"]).status == 64)
  }
}
