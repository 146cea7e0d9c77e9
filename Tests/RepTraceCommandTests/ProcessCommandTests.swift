import Foundation
import Testing

/// `reptrace process` as used by scripts.
@Suite struct ProcessCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Returns curls as CSV of the recording app: 4 s of stillness, `reps` slow rotations, stillness.
  static func curls(reps: Int, rows extra: (Int) -> String? = { _ in nil }) -> String {
    var lines = [
      "timestamp,accelerationX,accelerationY,accelerationZ,rotationX,rotationY,rotationZ,"
        + "gravityX,gravityY,gravityZ,roll,pitch,yaw"
    ]
    let period = 2.5
    let duration = 8 + period * Double(reps)
    for row in 0..<Int(duration * 50) {
      let time = Double(row) / 50
      let phase = (time - 4) / period
      let isMoving = phase > 0 && phase < Double(reps)
      let angle = isMoving ? (1 - cos(2 * .pi * phase)) * 0.9 : 0
      let rate = isMoving ? sin(2 * .pi * phase) * 0.9 * 2 * .pi / period : 0
      let noise = 0.004 * sin(Double(row * row % 97))
      let values = [
        time, noise, -noise, noise / 2, noise, rate + noise, noise, -sin(angle), 0, -cos(angle),
        angle, 0, 0,
      ]
      lines.append(extra(row) ?? values.map { "\($0)" }.joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func countsAndPrintsTheDocumentedFields() throws {
    let path = try folder.writeCurls(reps: 8, to: "curls.csv")
    let run = try ReptraceRun(["process", path, "--output", "ndjson"])
    #expect(run.status == 0)
    let objects = try run.objects()
    try #require(objects.count == 1)
    let set = objects[0]
    #expect(set["recording"] as? String == path)
    #expect(set["set"] as? Int == 1)
    #expect(set["cause"] as? String == "detected")
    #expect(set["reps"] as? Int == 8)
    #expect(set["setId"] == nil)
    let confidence = try #require(set["confidence"] as? Double)
    #expect((0...1).contains(confidence))
    let start = try #require(set["start"] as? Double)
    let end = try #require(set["end"] as? Double)
    #expect(abs(start - 4) < 0.6 && abs(end - 24) < 0.6)
    let events = try #require(set["repEvents"] as? [[String: Any]])
    #expect(events.count == 8)
    #expect(events.allSatisfy { $0["start"] != nil && $0["end"] != nil && $0["confidence"] != nil })
  }

  @Test func oneSetOptionDeclaresASet() throws {
    let path = try folder.writeCurls(reps: 5, to: "curls.csv")
    let objects = try ReptraceRun(["process", path, "--one-set", "--output", "ndjson"]).objects()
    #expect(objects.count == 1)
    #expect(objects.first?["cause"] as? String == "declared")
    #expect(objects.first?["reps"] as? Int == 5)
    let still = try folder.writeCurls(reps: 0, to: "still.csv")
    let none = try ReptraceRun(["process", still, "--one-set", "--output", "ndjson"]).objects()
    #expect(none.first?["reps"] as? Int == 0)
    #expect(try ReptraceRun(["process", still, "--output", "ndjson"]).lines.isEmpty)
  }

  @Test func invalidInputsAreReportedAndOthersProcessed() throws {
    let good = try folder.writeCurls(reps: 6, to: "in/good.csv")
    let empty = try folder.write("", to: "in/empty.csv")
    let truncated = try folder.write(#"{"setId":"A","samples":[{"times"#, to: "in/cut.json")
    let picture = try folder.write(
      Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]), to: "in/picture.png")
    let nan = try folder.write(
      Self.curls(reps: 6) { row in
        row % 100 == 7 ? "nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan,nan" : nil
      },
      to: "in/nan.csv")
    let missing = folder.path("in/missing.csv")

    let all = try ReptraceRun(
      ["process", good, empty, truncated, picture, nan, missing, "--output", "ndjson"])
    #expect(all.status == 1)
    #expect(try all.objects().map { $0["recording"] as? String } == [good, nan])
    #expect(try all.objects().map { $0["reps"] as? Int } == [6, 6])
    for path in [empty, truncated, picture, missing] {
      #expect(all.errors.contains(path + ": "), "\(path) is named")
    }
    #expect(all.errors.contains(nan + ": line "), "the first dropped row is named")
  }

  @Test func exitStatusesAreAsDocumented() throws {
    let nan = try folder.write(
      Self.curls(reps: 6) { row in row == 3 ? "x,y" : nil }, to: "warned.csv")
    #expect(try ReptraceRun(["process", nan]).status == 0)
    #expect(try ReptraceRun(["process", nan, "--strict"]).status == 1)
    let text = try folder.write("hello, world\n", to: "words/hello.txt")
    #expect(try ReptraceRun(["process", text]).status == 65)
    #expect(try ReptraceRun(["process", folder.path("words")]).status == 65)
    #expect(try ReptraceRun(["process", folder.path("absent")]).status == 66)
    #expect(try ReptraceRun(["process", folder.path("absent"), text]).status == 65)
    #expect(try ReptraceRun(["process"]).status == 64)
    #expect(try ReptraceRun(["process", nan, "--no-such-flag"]).status == 64)
    #expect(try ReptraceRun(["process", "-", "-"]).status == 64, "both would read the same")
    #expect(
      try ReptraceRun(["process", nan, "--format", "xml"]).errors.contains("use one of chunk"))
    #expect(
      try ReptraceRun(["process", nan, "--limit", "x=1"]).errors.contains("names inputBytes"))
    #expect(
      try ReptraceRun(["process", nan, "--store", "/nonexistent/folder/h.sqlite"]).status == 73)
    let empty = try folder.write("[]", to: "empty/chunk.json")
    let run = try ReptraceRun(["process", empty])
    #expect(run.status == 0 && run.lines.isEmpty)
  }

  @Test func foldersAreSearchedAndOtherFilesSkipped() throws {
    try folder.writeCurls(reps: 4, to: "tree/b/one.csv")
    try folder.writeCurls(reps: 7, to: "tree/a/two.csv")
    try folder.write("notes", to: "tree/README.txt")
    try folder.write("recording,reps\none,4\n", to: "tree/labels.csv")
    let run = try ReptraceRun(["process", folder.path("tree"), "--output", "ndjson"])
    #expect(run.status == 0)
    #expect(try run.objects().map { $0["reps"] as? Int } == [7, 4])
    #expect(
      try run.objects().map { $0["recording"] as? String }
        == [folder.path("tree/a/two.csv"), folder.path("tree/b/one.csv")])
    #expect(run.errors.contains("2 files skipped"))
  }

  @Test func tableAndCSVHaveTheSameFigures() throws {
    let path = try folder.writeCurls(reps: 9, to: "curls.csv")
    let set = try #require(
      try ReptraceRun(["process", path, "--output", "ndjson"]).objects().first)
    let csv = try ReptraceRun(["process", path, "--output", "csv"]).lines.map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let cells = Dictionary(uniqueKeysWithValues: zip(csv[0], csv[1]))
    for key in ["set", "reps", "start", "end", "confidence"] {
      #expect(Double(cells[Substring(key)] ?? "") == set[key] as? Double, "\(key)")
    }
    #expect(set["reps"] as? Int == 9)
    let table = try ReptraceRun(["process", path, "--output", "table"]).lines
    #expect(table.last?.split(separator: " ").contains("9") == true)
  }

  @Test func columnsAreFoundWithAndWithoutTheOption() throws {
    let description = """
      {"header":false,"delimiter":",","time":{"column":0,"unit":"s"},\
      "rotation":{"columns":[4,5,6],"unit":"rad/s"},"gravity":{"columns":[7,8,9],"unit":"g"}}
      """
    let rows = Self.curls(reps: 6).split(separator: "\n").dropFirst().joined(separator: "\n")
    let file = try folder.write(description, to: "d.json")
    for (name, beside) in [("a", nil), ("b", "x.columns.json"), ("c", "columns.json")] {
      try folder.write(rows + "\n", to: "\(name)/x.csv")
      if let beside { try folder.write(description, to: "\(name)/\(beside)") }
      let run = try ReptraceRun(
        ["process", folder.path(name + "/x.csv"), "--output", "ndjson"]
          + (beside == nil ? ["--columns", file] : []))
      #expect(try run.objects().map { $0["reps"] as? Int } == [6], "\(name)")
    }
    #expect(try ReptraceRun(["process", folder.path("a/x.csv")]).status == 65)
  }
}
