import Foundation
import Testing

/// `plot`, `report` and `explain` as used by scripts.
@Suite struct PictureCommandsTests {
  private let folder: ScratchFolder
  private let recording: String

  init() throws {
    folder = try ScratchFolder()
    recording = try folder.writeCurls(reps: 6, to: "<b>&'curls.csv")
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func plotsAFileAndAStoredSet() throws {
    let store = folder.path("history.sqlite")
    try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    for (input, output) in [
      (recording, "a.svg"), (recording, "a.html"), (store + "#1", "b.svg"), (store, "b.html"),
    ] {
      let run = try ReptraceRun(["plot", input, "-o", folder.path(output)])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.isEmpty)
      let picture = try text(folder.path(output))
      #expect(picture.contains("set 1: 6 reps"))
      let leaks = picture.contains("<b>")
      #expect(!leaks)
    }
  }

  /// Pictures show a person's body, so nobody else may read them, even if they replace a readable page.
  @Test func pagesArePrivate() throws {
    let page = folder.path("page.html")
    try Data("old".utf8).write(to: URL(fileURLWithPath: page))
    for path in [page, folder.path("new.svg")] {
      try #require(try ReptraceRun(["plot", recording, "-o", path]).status == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasPrefix(".reptrace-") })
  }

  @Test func exitStatusesDistinguishFailures() throws {
    let output = folder.path("x.svg")
    #expect(try ReptraceRun(["plot", recording, "-o", folder.path("x.png")]).status == 64)
    #expect(try ReptraceRun(["plot", folder.path("none.csv"), "-o", output]).status == 66)
    #expect(try ReptraceRun(["plot", folder.path("none.sqlite#1"), "-o", output]).status == 66)
    let broken = try folder.write("no recording", to: "broken.csv")
    #expect(try ReptraceRun(["plot", broken, "-o", output]).status == 65)
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(try ReptraceRun(["report", "-o", folder.path("r.html")]).status == 64)
  }

  @Test func reportsFilesAndAnEvaluation() throws {
    let page = folder.path("report.html")
    #expect(try ReptraceRun(["report", recording, recording, "-o", page]).status == 0)
    #expect(try text(page).contains("What the words mean"))
    let labels = try folder.write(
      "recording,reps,exercise\n<b>&'curls,7,<b>curl\n", to: "labels.csv")
    let run = try ReptraceRun(
      ["report", "--labels", labels, "--recordings", folder.url.path, "-o", page])
    #expect(run.status == 0, "\(run.errors)")
    let evaluation = try text(page)
    let leaks = evaluation.contains("<b>")
    #expect(!leaks)
    #expect(evaluation.contains("The worst sets"))
  }

  /// Regression: a page of one person's progress held somebody else's sets, without a name.
  @Test func reportsOfAHistorySeparatePeople() throws {
    let store = folder.path("history.sqlite")
    let other = try folder.writeCurls(reps: 8, to: "other.csv")
    for arguments in [[recording], [other, "--user", "bob"]] {
      let run = try ReptraceRun(["process", "--store", store, "--exercise", "curl"] + arguments)
      try #require(run.status == 0, "\(run.errors)")
    }
    let page = folder.path("report.html")
    try #require(try ReptraceRun(["report", store, "-o", page]).status == 0)
    let all = try text(page)
    for count in [
      ">curl</td><td data-title=\"Most reps\" class=\"n\" data-v=\"6.0\">6 reps</td>",
      ">curl <small>bob</small></td><td data-title=\"Most reps\" class=\"n\" data-v=\"8.0\">8 reps</td>",
    ] {
      let isThere = all.contains(count)
      #expect(isThere, "\(count)")
    }
    try #require(try ReptraceRun(["report", store, "--user", "bob", "-o", page]).status == 0)
    let bobs = try text(page)
    let isBobs = bobs.contains("<p>bob</p>") && !bobs.contains("6 reps")
    #expect(isBobs)
    #expect(try ReptraceRun(["report", store, "--user", "eve", "-o", page]).status == 66)
  }

  @Test func reportsUseCorrectedCounts() throws {
    let store = folder.path("history.sqlite")
    try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    try #require(try ReptraceRun(["history", "correct", store, "1", "--reps", "25"]).status == 0)
    let page = folder.path("report.html")
    try #require(try ReptraceRun(["report", store, "-o", page]).status == 0)
    let report = try text(page)
    let isCounted =
      report.contains("<dt>reps</dt><dd>25</dd>") && report.contains(">25 <small>watch 6</small>")
    #expect(isCounted)
  }

  /// Regression: a recording without a set was missing from the report.
  @Test func reportsListRecordingsWithoutASet() throws {
    let still = (0..<1500).map { "\(Double($0) / 50),0,0,0,0,0,0,0,0,-1,0,0,0" }
    let header = try #require(ProcessCommandTests.curls(reps: 1).split(separator: "\n").first)
    let text = ([String(header)] + still).joined(separator: "\n") + "\n"
    let quiet = try folder.write(text, to: "days/quiet.csv")
    let broken = try folder.write("no recording", to: "broken.csv")
    let (store, page) = (folder.path("history.sqlite"), folder.path("report.html"))
    try #require(try ReptraceRun(["process", quiet, recording, "--store", store]).status == 0)
    for (inputs, status) in [([store], 0), ([quiet, recording], 0), ([recording, broken], 1)] {
      #expect(try ReptraceRun(["report", "-o", page] + inputs).status == Int32(status))
      let report = try self.text(page)
      let reason = status == 0 ? "the wrist hardly moves" : "cannot be read: "
      let isNamed =
        report.contains("Recordings without a set")
        && report.contains(status == 0 ? "quiet.csv" : "broken.csv") && report.contains(reason)
      #expect(isNamed, "\(inputs)")
    }
  }

  @Test func recordingsWithEqualNamesStaySeparate() throws {
    for (day, reps) in [("mon", 6), ("tue", 8)] {
      try folder.writeCurls(reps: reps, to: "days/\(day)/set1.csv")
    }
    let (days, store) = (folder.path("days"), folder.path("history.sqlite"))
    try #require(try ReptraceRun(["process", days, "--store", store]).status == 0)
    let page = folder.path("report.html")
    for input in [days, store] {
      try #require(try ReptraceRun(["report", input, "-o", page]).status == 0)
      let areTwo = try text(page).contains("<dt>recordings</dt><dd>2</dd>")
      #expect(areTwo, "\(input)")
    }
  }

  @Test func explainsEveryRep() throws {
    let run = try ReptraceRun(["explain", recording, "--output", "ndjson"])
    #expect(run.status == 0)
    let counted = try run.objects().filter { $0["counted"] as? Bool == true }
    #expect(counted.count == 6)
    #expect(counted.allSatisfy { ($0["reason"] as? String)?.contains("counted") == true })
    let second = try #require(counted[1]["start"] as? Double) + 0.5
    let at = try ReptraceRun(
      ["explain", recording, "--at", "\(second)", "--output", "ndjson"]).objects()
    #expect(at.contains { $0["rep"] as? Int == 2 })
    #expect(at.count < 6)
  }

  @Test func exportsTheMovementCurve() throws {
    let store = folder.path("history.sqlite")
    try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    let run = try ReptraceRun(["history", "export", store, "1", "--movement"])
    let points = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    #expect(points.compactMap { $0["repIndex"] as? Int } == [1, 2, 3, 4, 5, 6])
    #expect(points.allSatisfy { abs($0["movement"] as? Double ?? 9) <= 1 })
    #expect(points.first?["timestamp"] as? Double == 0)
  }
}
