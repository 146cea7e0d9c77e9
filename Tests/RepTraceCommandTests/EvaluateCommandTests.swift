import Foundation
import Testing

@Suite struct EvaluateCommandTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.writeCurls(reps: 8, to: "in/a.csv")
    try folder.writeCurls(reps: 5, to: "in/b.csv")
    try folder.write(
      """
      recording,exercise,start,end,reps,sure
      a,curl,4,24,8,yes
      b,curl,4,16.5,6,no

      """, to: "labels.csv")
  }

  private func evaluate(_ arguments: String...) throws -> ReptraceRun {
    try ReptraceRun(
      ["evaluate", folder.path("labels.csv"), "--recordings", folder.path("in")] + arguments)
  }

  @Test(arguments: ["given", "found"])
  func totals(mode: String) throws {
    let run = try evaluate("--mode", mode, "--output", "json")
    #expect(run.status == 0)
    let report = try #require(try run.objects().first)
    let total = try #require(report["total"] as? [String: Any])
    #expect(total["sets"] as? Int == 2)
    #expect(total["exact"] as? Int == 1)
    #expect(total["withinOne"] as? Int == 2)
    #expect(total["meanAbsoluteError"] as? Double == 0.5)
    #expect((report["exercises"] as? [String: Any])?.keys.sorted() == ["curl"])
    #expect((report["ghostReps"] as? Int) == (mode == "found" ? 0 : nil))
    #expect(report["calibration"] != nil)
  }

  /// Counts from 2 s before the set to 2 s after it, like `process --one-set` of that part.
  @Test func givenSetsAreCountedWithAMargin() throws {
    let rows = ProcessCommandTests.curls(reps: 8).split(separator: "\n")
    let part = rows.filter { row in
      Double(row.split(separator: ",")[0]).map { (2...26).contains($0) } ?? true
    }
    let path = try folder.write(part.joined(separator: "\n") + "\n", to: "part.csv")
    let whole = try #require(
      try ReptraceRun(["process", path, "--one-set", "--output", "ndjson"]).objects().first)
    let given = try #require(try evaluate("--mode", "given", "--output", "ndjson").objects().first)
    #expect(given["counted"] as? Int == whole["reps"] as? Int && whole["reps"] as? Int == 8)
    let confidence = try #require(whole["confidence"] as? Double)
    #expect(given["confidence"] as? Double == confidence)
  }

  @Test func csvSupportsDecimalCommasAndSeparators() throws {
    let plain = try evaluate("--output", "csv").output.split(separator: "\n").map(String.init)
    #expect(plain.count == 3 && plain[1].hasPrefix("a,curl,8,8,yes,0."))
    let german = try evaluate("--output", "csv", "--decimal-comma").output
    #expect(german.hasPrefix("\u{FEFF}recording;exercise;reps;counted;exact;confidence;"))
    #expect(german.contains("\na;curl;8;8;yes;0,"))
    let live = try evaluate("--output", "csv", "--live", "--csv-separator", "tab").output
    #expect(live.hasPrefix("recording\tcause\treps\t"))
    #expect(try evaluate("--output", "json", "--decimal-comma").status == 64)
  }

  @Test(arguments: [
    nil, "{\"a\": 1}", "[1, 2", "{\"score\": {\"turn\": 1}}", "{\"gate\": {\"turn\": 1}}",
  ]) func invalidWeightFilesAreRejected(content: String?) throws {
    if let content { try folder.write(content, to: "weights.json") }
    let run = try evaluate("--weights", folder.path("weights.json"))
    #expect(run.status == 65)
    #expect(run.errors.contains("weights.json: no "))
  }

  @Test func filters() throws {
    let run = try evaluate("--mode", "given", "--where", "sure=yes", "--output", "json")
    let total = try run.objects().first?["total"] as? [String: Any]
    #expect(total?["sets"] as? Int == 1)
    #expect(try evaluate("--where", "sure").status == 64)
    #expect(try evaluate("--where", "absent=yes").status == 64)
    #expect(try evaluate("--where", "sure=maybe").status == 65)
  }

  /// Each labeled set is streamed as declared, and whole recordings are searched.
  @Test func measuresLiveLatency() throws {
    let run = try evaluate("--live", "--output", "json")
    #expect(run.status == 0)
    let report = try #require(try run.objects().first)
    for kind in ["declared", "found"] {
      let figures = try #require(report[kind] as? [String: Any])
      #expect(figures["sets"] as? Int == 2)
      #expect(figures["reps"] as? Int == 13)
      #expect(try #require(figures["countRight"] as? Double) > 0.5)
      #expect(figures["firstRepMedianSeconds"] != nil)
    }
    #expect(report["falseSets"] as? Int == 0)
    #expect((report["sets"] as? [Any])?.count == 4)
    #expect(try evaluate("--live", "--output", "table").output.contains("count right"))
    #expect(try evaluate("--live", "--errors").status == 64)
  }

  @Test func resamples() throws {
    let run = try evaluate("--mode", "found", "--rate", "20", "--output", "json")
    #expect((try run.objects().first?["total"] as? [String: Any])?["exact"] as? Int == 1)
    #expect(try evaluate("--rate", "0").status == 64)
  }

  @Test func missingRecordingsAreReported() throws {
    try folder.write("recording,reps\na,8\nzzz,1\n", to: "labels.csv")
    let run = try evaluate("--mode", "found", "--output", "json")
    #expect(run.status == 1)
    #expect(run.errors.contains("zzz"))
    #expect((try run.objects().first?["total"] as? [String: Any])?["exact"] as? Int == 1)
    #expect(
      try ReptraceRun(["evaluate", folder.path("no.csv"), "--recordings", folder.path("in")]).status
        == 66)
  }
}
