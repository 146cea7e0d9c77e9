import Foundation
import RepTrace
import Testing

@testable import RepTraceCommand

/// The figures of a stored set, and the layout of its table on a narrow terminal.
@Suite struct AnalysisTextTests {
  @Test func longTextWrapsAtSpaces() {
    #expect(AnalysisText.wrapped("one two three", width: nil) == ["one two three"])
    #expect(AnalysisText.wrapped("one two three", width: 8) == ["one two", "three"])
    #expect(AnalysisText.wrapped("unbreakable", width: 4) == ["unbreakable"])
  }

  @Test func historyShowPrintsFiguresOfEveryRep() throws {
    let folder = try ScratchFolder()
    let path = try folder.writeCurls(reps: 6, to: "curls.csv")
    let store = folder.path("history.sqlite")
    try #require(try ReptraceRun(["process", path, "--store", store]).status == 0)
    let shown = try ReptraceRun(["history", "show", store, "1", "--output", "ndjson"]).objects()
    let analysis = try #require(shown.first?["analysis"] as? [String: Any])
    let reps = try #require(analysis["reps"] as? [[String: Any]])
    #expect(reps.compactMap { $0["number"] as? Int } == [1, 2, 3, 4, 5, 6])
    for rep in reps {
      // The arm turns by 1.8 radians.
      #expect(abs((rep["rangeOfMotion"] as? Double ?? 0) - 103) < 5)
    }
    let table = try ReptraceRun(["history", "show", store, "1", "--output", "table"])
    #expect(table.output.contains("lifting s"))
    // The output is not a terminal, so there is no picture.
    let hasPicture = table.output.contains("█")
    #expect(!hasPicture)
  }
}
