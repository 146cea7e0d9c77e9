import Foundation
import TestSupport
import Testing

/// The fixtures, processed like by a new user.
@Suite struct FixtureTests {
  private let labels = PackageFolder.path("fixtures/labels.csv")
  private let recordings = fixtureRecordings.path

  @Test func everyFormatIsReadAndCountedCorrectly() throws {
    let run = try ReptraceRun([
      "evaluate", labels, "--recordings", recordings, "--mode",
      "given", "--output", "json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let total = try #require(try run.objects().first?["total"] as? [String: Any])
    #expect(total["sets"] as? Int == 19)
    let exact = try #require(total["exact"] as? Int)
    // All but the recording with lost chunks.
    #expect(exact >= 18)
  }

  @Test func declaredSetsGiveOneLineEach() throws {
    let sets = try ReptraceRun(["process", recordings, "--output", "ndjson"]).objects()
    let declared = sets.filter { $0["cause"] as? String == "declared" }
    #expect(declared.count == 9)
    #expect(declared.allSatisfy { $0["setId"] is String && $0["set"] as? Int == 1 })
    let names = Set(sets.compactMap { $0["recording"] as? String })
    #expect(names.contains(recordings + "/curl-watch-seconds1970"))
  }

  @Test func equalSeedsGiveEqualBytes() throws {
    let scratch = try ScratchFolder()
    for name in ["a", "b"] {
      let run = try ReptraceRun([
        "generate", "-o", scratch.path(name), "--count", "2", "--seed", "9", "--sets", "1",
        "--reps", "3", "--format", "watch-app", "--transport", "late,duplicated",
      ])
      #expect(run.status == 0, "\(run.errors)")
    }
    let first = try FileManager.default.subpathsOfDirectory(atPath: scratch.path("a")).sorted()
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: scratch.path("b")).sorted() == first)
    for path in first where path.hasSuffix(".json") || path.hasSuffix(".csv") {
      let a = try Data(contentsOf: URL(fileURLWithPath: scratch.path("a/" + path)))
      #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("b/" + path))) == a)
    }
  }
}
