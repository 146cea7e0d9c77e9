import Foundation
import Testing

/// `explain` for movements that were not counted.
@Suite struct ExplainCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func quietRecordingsNameTheFailedTest() throws {
    let path = try folder.writeCurls(reps: 0, to: "still.csv")
    let lines = try ReptraceRun(["explain", path, "--output", "ndjson"]).objects()
    let quiet = try #require(lines.last { $0["kind"] as? String == "stretch" })
    #expect(quiet["counted"] as? Bool == false)
    #expect(quiet["test"] as? String == "quiet")
    let measured = try #require(quiet["measured"] as? Double)
    #expect(measured < (quiet["needed"] as? Double ?? 0))
    #expect((quiet["reason"] as? String)?.contains("too quiet") == true)
    let words = try ReptraceRun(["explain", path, "--at", "6", "--output", "table"])
    #expect(words.output.contains("nothing found: the wrist hardly moves"))
    let figures = try ReptraceRun(["explain", path, "--at", "6", "--output", "table", "--verbose"])
    #expect(figures.output.contains("nothing found: too quiet to be searched: activity 0."))
  }

  @Test func singleMovementsAreNotASet() throws {
    let path = try folder.writeCurls(reps: 1, to: "one.csv")
    let lines = try ReptraceRun(["explain", path, "--output", "ndjson"]).objects()
    #expect(!lines.contains { $0["counted"] as? Bool == true })
    let movement = try #require(lines.first { $0["kind"] as? String == "movement" })
    #expect((movement["reason"] as? String)?.hasPrefix("no set: ") == true)
    #expect(movement["test"] is String)
  }

  @Test func declaredSetsWithoutRepsAreExplained() throws {
    let path = try folder.writeCurls(reps: 0, to: "still.csv")
    let lines = try ReptraceRun(["explain", path, "--one-set", "--output", "ndjson"]).objects()
    #expect(lines.count == 1)
    #expect(["motionless", "noReading"].contains(lines.first?["test"] as? String))
  }
}
