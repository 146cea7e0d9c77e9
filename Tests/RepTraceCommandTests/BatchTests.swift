import Foundation
import Testing

/// `process --out`: tables, resumption, labels.
@Suite struct BatchTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for (name, reps) in [("a_curl_W10_R5", 5), ("b_press_W20_R7", 7), ("c_curl_W12_5_R6", 6)] {
      try folder.writeCurls(reps: reps, to: "in/\(name).csv")
    }
    try folder.write("timestamp,accelerationX\nNaN,1\n", to: "in/broken.csv")
    try folder.write("words", to: "in/notes.txt")
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path(name))), as: UTF8.self)
  }

  /// Returns the tables of a folder, without the processing time, which varies.
  private func tables(_ out: String) throws -> [String] {
    let recordings = try text("\(out)/recordings.csv").split(separator: "\n").map { line in
      var cells = line.split(separator: ",", omittingEmptySubsequences: false)
      if cells.count > 11 { cells.remove(at: 11) }
      return cells.joined(separator: ",")
    }
    return [
      try text("\(out)/sets.csv"), try text("\(out)/reps.csv"),
      recordings.joined(separator: "\n"), try text("\(out)/manifest.json"),
    ]
  }

  @Test func writesTablesIntoAFolder() throws {
    let run = try ReptraceRun(
      [
        "process", folder.path("in"), "--out", folder.path("out"), "--name-pattern",
        "{any}_{exercise}_W{weight}_R{reps}", "--user", "anna",
      ])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("broken.csv"))
    let sets = try text("out/sets.csv").split(separator: "\n")
    #expect(sets.count == 4)
    #expect(sets[3].contains(",curl,anna,") && sets[3].contains("12.5"))
    let reps = try text("out/reps.csv").split(separator: "\n")
    #expect(reps.count == 1 + 5 + 7 + 6)
    #expect(reps[0].hasSuffix(",similarity,restAfter,rotationRange,meanConcentricSpeed"))
    let cells = reps[1].split(separator: ",", omittingEmptySubsequences: false).suffix(3)
    #expect(cells.allSatisfy { Double($0) != nil }, "\(reps[1])")
    let recordings = try text("out/recordings.csv").split(separator: "\n")
    #expect(recordings.count == 5)
    #expect(recordings.contains { $0.contains("broken.csv,failed") })
    #expect(recordings.contains { $0.contains(",ok,") && $0.contains(",50.00,") })
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: Data(text("out/manifest.json").utf8))
        as? [String: Any])
    #expect((manifest["inputs"] as? [[String: Any]])?.count == 5)
    #expect(manifest["version"] as? String != nil && manifest["commit"] as? String != nil)
  }

  /// Sensor files that do not fit together are separate recordings, each with its own facts.
  @Test func eachRecordingHasItsOwnFacts() throws {
    for (sensor, count, rate, start) in [
      ("TotalAcceleration", 500, 50.0, 0.0), ("Gyroscope", 100, 25, 5000),
    ] {
      let rows = (0..<count).map { "\(start + Double($0) / rate),0.1,0.2,9.8" }
      try folder.write(
        "seconds_elapsed,x,y,z\n" + rows.joined(separator: "\n") + "\n", to: "two/\(sensor).csv")
    }
    let run = try ReptraceRun(["process", folder.path("two"), "--out", folder.path("facts")])
    #expect(run.status == 0)
    let rows = try text("facts/recordings.csv")
    #expect(rows.contains("Gyroscope.csv,ok,100,25.00,3.96,"), "\(rows)")
    #expect(rows.contains("TotalAcceleration.csv,ok,500,50.00,9.98,"))
  }

  /// If the store was deleted or replaced by an empty one, its contents are saved again.
  @Test func recordingsMissingFromTheHistoryAreRecounted() throws {
    let arguments = [
      "process", folder.path("in"), "--out", folder.path("out"), "--store",
      folder.path("h.sqlite"), "--resume",
    ]
    _ = try ReptraceRun(arguments)
    #expect(try ReptraceRun(arguments).errors.contains("3 of an earlier run"))
    try FileManager.default.removeItem(atPath: folder.path("h.sqlite"))
    let again = try ReptraceRun(arguments)
    #expect(again.errors.contains("h.sqlite is new"))
    #expect(!again.errors.contains("of an earlier run"))
    #expect(try ReptraceRun(["history", "list", folder.path("h.sqlite")]).lines.count == 3)
  }

  /// Labels name recordings in the same way everywhere, and unused ones are listed.
  @Test func labelsMatchNamesWithoutExtensions() throws {
    for name in ["x.csv", "y.csv", "z.txt"] {
      try folder.writeCurls(reps: 6, to: "ends/\(name)")
    }
    let rows = "x,curl,6\ny.csv,curl,6\nz,curl,6\ntypo,curl,6\n"
    let table = try folder.write("recording,exercise,reps\n" + rows, to: "ends.csv")
    let zip = #"gzip "$2/y.csv"; cat "$4" | "$0" "$1" "$2" "$3" /dev/stdin --output ndjson"#
    let processed = try ReptraceRun(
      ["process", folder.path("ends"), "--labels", table], shell: zip)
    #expect(
      try processed.objects().compactMap { $0["exercise"] as? String } == ["curl", "curl", "curl"],
      "\(processed.errors)")
    #expect(processed.errors.contains("labels without a recording: typo\n"))
    let evaluated = try ReptraceRun(
      ["evaluate", table, "--recordings", folder.path("ends"), "--output", "json"])
    #expect(evaluated.status == 1 && evaluated.errors.contains("no recording named typo"))
    #expect((try evaluated.objects().first?["total"] as? [String: Any])?["sets"] as? Int == 3)
    let wrong = try folder.write("recording,reps\nx,9\ny,9\nz,9\n", to: "wrong.csv")
    let page = [
      "report", "--recordings", folder.path("ends"), "--labels", wrong, "-o", folder.path("e.html"),
    ]
    #expect(try ReptraceRun(page).status == 0)
    let pictures = try text("e.html")
    for name in ["x", "y", "z"] { #expect(pictures.contains("aria-label=\"\(name)\"")) }

    // Two files have the same name.
    try folder.writeCurls(reps: 5, to: "ends/other/x.csv")
    try folder.write("no recording", to: "ends/y.txt")
    let ambiguous = try ReptraceRun(
      ["evaluate", wrong, "--recordings", folder.path("ends"), "--output", "json"])
    #expect(ambiguous.status == 1)
    #expect(ambiguous.errors.contains("x may be ") && !ambiguous.errors.contains("y may be "))
  }

  /// Its sampling interval cannot be determined.
  @Test func unusableRecordingsDoNotAffectOthers() throws {
    try folder.write(
      "timestamp,accelerationX,accelerationY,accelerationZ\n-1e308,0,0,1\n1e308,0,0,1\n",
      to: "in/a_absurd.csv")
    let command = ["process", folder.path("in"), "--out", folder.path("absurd")]
    #expect(try ReptraceRun(command).status == 1, "broken.csv")
    #expect(try text("absurd/sets.csv").split(separator: "\n").count == 4)
    #expect(try text("absurd/recordings.csv").contains("a_absurd.csv,ok,2,"))
    let tables = try self.tables("absurd")
    let again = try ReptraceRun(command + ["--resume"])
    #expect(again.errors.contains("4 of an earlier run"), "\(again.errors)")
    #expect(try self.tables("absurd") == tables)
  }

  /// A limit on the file size acts like a full disk: status 74, the file's name, and no partial file.
  @Test func unwritableTablesAreReported() throws {
    let run = try ReptraceRun(
      ["process", "in", "--out", "limited", "--jobs", "1"], in: folder.url,
      shell: #"ulimit -f 2; exec "$0" "$@""#)
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.errors.contains("limited/") && run.errors.contains("File too large"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("limited"))
    #expect(left == ["progress.ndjson"])
  }

  @Test func killedRunsAreResumed() throws {
    // The last recording takes long enough to be killed while it is processed.
    try folder.writeCurls(reps: 150, to: "in/z_long.csv")
    let undisturbed = ["process", folder.path("in"), "--out", folder.path("whole")]
    #expect(try ReptraceRun(undisturbed).status == 1)
    let binary = try ReptraceRun.executable()
    func lines() -> Int {
      (try? text("killed/progress.ndjson").split(separator: "\n").count) ?? 0
    }
    for _ in 0..<2 {
      let before = max(1, lines())
      let process = Process()
      process.executableURL = binary
      process.arguments = [
        "process", folder.path("in"), "--out", folder.path("killed"), "--resume", "--jobs", "1",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      while process.isRunning, lines() <= before { Thread.sleep(forTimeInterval: 0.001) }
      try #require(process.isRunning)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
    }
    let run = try ReptraceRun(
      ["process", folder.path("in"), "--out", folder.path("killed"), "--resume"])
    #expect(run.status == 1)
    #expect(try tables("killed") == tables("whole"))
    let again = try ReptraceRun(
      ["process", folder.path("in"), "--out", folder.path("killed"), "--resume"])
    #expect(again.errors.contains("4 of an earlier run"))
    #expect(try tables("killed") == tables("whole"))
    // Other options make another run.
    let other = try ReptraceRun(
      ["process", folder.path("in"), "--out", folder.path("killed"), "--resume", "--one-set"])
    #expect(!other.errors.contains("of an earlier run"))
  }

  /// Results are reused only if content, label and column description are equal.
  @Test func changedRecordingsAreRecounted() throws {
    func run() throws -> String {
      try ReptraceRun([
        "process", folder.path("in"), "--labels", folder.path("labels.csv"), "--out",
        folder.path("out"), "--resume",
      ]).errors
    }
    try folder.write("recording,reps\na_curl_W10_R5,5\n", to: "labels.csv")
    _ = try run()
    #expect(try run().contains("3 of an earlier run"))
    try folder.writeCurls(reps: 8, to: "in/b_press_W20_R7.csv")
    #expect(try run().contains("2 of an earlier run"))
    try folder.write("recording,reps\na_curl_W10_R5,6\n", to: "labels.csv")
    #expect(try run().contains("2 of an earlier run"))
    try folder.write("{}", to: "in/c_curl_W12_5_R6.columns.json")
    #expect(try run().contains("2 of an earlier run"))
  }

  @Test func concurrentRunsInOneFolderAreRefused() throws {
    let journal = try folder.write("", to: "out/progress.ndjson")
    let descriptor = open(journal, O_RDWR)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let run = try ReptraceRun(["process", folder.path("in"), "--out", folder.path("out")])
    #expect(run.status == 73)
    #expect(run.errors.contains("another run is writing there"))
  }

  @Test func labelsAreStoredInTheHistory() throws {
    let store = folder.path("h.sqlite")
    let run = try ReptraceRun([
      "process", folder.path("in/a_curl_W10_R5.csv"), folder.path("in/c_curl_W12_5_R6.csv"),
      "--store", store, "--name-pattern", "{any}_{exercise}_W{weight}_R{reps}", "--date",
      "2026-11-22", "--output", "ndjson",
    ])
    #expect(try run.objects().map { $0["exercise"] as? String } == ["curl", "curl"])
    #expect(try run.objects().map { $0["labelledReps"] as? Int } == [5, 6])
    let output = try ReptraceRun(["history", "statistics", store, "curl", "--output", "json"])
      .output
    let statistics = try #require(
      JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
    #expect(statistics.first?["sets"] as? Int == 2)
    // 5 · 10 + 6 · 12.5
    #expect(statistics.first?["volume"] as? Double == 125)
    let evaluation = try ReptraceRun([
      "evaluate", "--recordings", folder.path("in"), "--name-pattern",
      "{any}_{exercise}_W{weight}_R{reps}", "--output", "json",
    ]).objects()
    let total = evaluation.first?["total"] as? [String: Any]
    #expect(total?["sets"] as? Int == 3 && total?["exact"] as? Int == 3)
  }

  @Test func labelsAppearInReports() throws {
    let page = folder.path("report.html")
    let table = try folder.write("recording,user\nb_press_W20_R7,anna\n", to: "people.csv")
    let run = try ReptraceRun([
      "report", folder.path("in/b_press_W20_R7.csv"), folder.path("in/c_curl_W12_5_R6.csv"),
      "--name-pattern", "{any}_{exercise}_W{weight}_R{reps}", "--labels", table, "--date",
      "2026-11-22", "-o", page,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let text = try text("report.html")
    let cells = text.matches(of: /<td[^>]*>([^<]*)/).map { String($0.1) }
    for cell in ["press", "curl", "anna", "22 Nov 2026", "7 × 20 kg", "6 × 12.5 kg"] {
      #expect(cells.contains { $0.trimmingCharacters(in: .whitespaces) == cell }, "\(cell)")
    }
    let folderAlone = ["report", "--recordings", folder.path("in"), "-o", page]
    #expect(try ReptraceRun(folderAlone).status == 64)
  }

  @Test func readsStandardInputWithRateAndSkippedLines() throws {
    let lines = ProcessCommandTests.curls(reps: 5).split(separator: "\n")
    let timeless = lines.map { $0.split(separator: ",").dropFirst().joined(separator: ",") }
    let text = "made by a tool\nversion 2\n" + timeless.joined(separator: "\n") + "\n"
    let options = ["--rate", "50", "--skip-lines", "2", "--output", "ndjson"]
    let path = try folder.write(text, to: "timeless.csv")
    #expect(try ReptraceRun(["process", path] + options).objects().first?["reps"] as? Int == 5)
    #expect(try ReptraceRun(["process", path]).status == 65)
    let piped = try ReptraceRun(["process", "-"] + options, input: Data(text.utf8))
    #expect(try piped.objects().first?["reps"] as? Int == 5)
    #expect(try piped.objects().first?["recording"] as? String == "-")
  }

  @Test func unsupportedFormatsAreNamed() throws {
    let inputs: [(String, [UInt8], String)] = [
      ("a.parquet", Array("PAR1".utf8) + [0x15, 0, 0x15, 1], "Parquet"),
      ("a.fit", [14, 16, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8) + [0, 0], "FIT"),
      ("a.cwa", Array("MD".utf8) + [0xFC, 3, 0, 0, 0, 0], "cwa-convert"),
      ("export.xml", Array("<?xml version=\"1.0\"?>\n<HealthData locale=\"de\">".utf8), "Apple"),
    ]
    for (name, bytes, word) in inputs {
      let path = try folder.write(Data(bytes), to: "foreign/" + name)
      let run = try ReptraceRun(["process", path])
      #expect(run.status == 65)
      #expect(run.errors.contains(path + ": ") && run.errors.contains(word), "\(run.errors)")
    }
  }
}
