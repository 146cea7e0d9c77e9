import Foundation
import TestSupport
import Testing

@testable import RepTraceCommand

/// The command as used by a coach: files of a day, a spreadsheet, corrections.
@Suite struct CoachTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.path("gym.sqlite")
  }

  private func history(_ arguments: String...) throws -> ReptraceRun {
    try ReptraceRun(["history"] + arguments)
  }

  /// Processes files of two exercises on one day and one on the next.
  private func process(_ more: String...) throws -> ReptraceRun {
    for (name, reps) in [
      ("241124_CURL_W7_5_S1_R5", 5), ("241124_CURL_W7_5_S2_R6", 6), ("251124_PRESS_W20_S1_R7", 7),
    ] {
      try folder.writeCurls(reps: reps, to: "in/\(name).csv")
    }
    return try ReptraceRun(
      [
        "process", folder.path("in"), "--name-pattern",
        "{date:ddmmyy}_{exercise}_W{weight}_S{set}_R{reps}",
      ]
        + more)
  }

  private func sets() throws -> [[String: Any]] {
    try history("list", store, "--output", "ndjson").objects()
  }

  private func id(_ index: Int) throws -> String { try #require(sets()[index]["id"] as? String) }

  /// Runs the command with a terminal on all its streams.
  private func onTerminal(_ line: String, typed: String = "", columns: Int = 200) throws -> String {
    let run = try ReptraceRun(
      [line], in: folder.url, input: Data(typed.utf8),
      shell: """
        cat > typed; export REPTRACE="$0" COMMAND="stty cols \(columns); $1"; \
        (sleep 1; cat typed) | script -qec 'sh -c "$COMMAND"' /dev/null
        """)
    return run.output
  }

  // MARK: Names of files

  @Test func misnamedFilesAreListed() throws {
    try folder.writeCurls(reps: 5, to: "in/monday.csv")
    let run = try process("--output", "ndjson")
    #expect(run.status == 0 && run.errors.contains("does not fit"), "\(run.errors)")
    #expect(run.errors.contains("in/monday.csv"))
    let other = try ReptraceRun(["process", folder.path("in"), "--name-pattern", "{any}~{set}"])
    #expect(other.status == 64 && other.errors.contains("--name-pattern: no name fits"))
    #expect(other.errors.contains("Usage: reptrace process"), "\(other.errors)")
    #expect(other.output.isEmpty)
  }

  // MARK: Tables

  @Test func csvHasAllFacts() throws {
    let csv = try process("--output", "csv", "--decimal-comma", "--user", "Ana").lines
    #expect(
      csv[0].hasPrefix("\u{FEFF}recording;set;")
        && csv[0].hasSuffix(";exercise;user;date;weight;labelledSet;labelledReps"), "\(csv[0])")
    #expect(csv[1].hasSuffix(";CURL;Ana;2024-11-24T00:00:00Z;7,5;1;5"), "\(csv[1])")
    #expect(try process("--output", "ndjson", "--decimal-comma").status == 64)
    _ = try process("--store", store, "--user", "Ana")
    let rows = try history("export", store, "--csv-separator", "semicolon").lines
    #expect(rows[0].hasPrefix("id;user;date;exercise;setNumber;weight;actualReps;reps;"))
    let cells = rows[2].split(separator: ";", omittingEmptySubsequences: false)
    #expect(cells[1...6] == ["Ana", cells[2], "CURL", "2", "7.5", "6"], "\(rows[2])")
    #expect(cells[2].hasPrefix("2024-11-24T00:00:") && cells[2].hasSuffix("Z"))
  }

  @Test func timesAreLocal() throws {
    let line = #"TZ=Europe/Berlin; export TZ; exec "$0" "$@""#
    let recording = try folder.writeCurls(reps: 5, to: "curls.csv")
    let processed = try ReptraceRun(
      ["process", recording, "--store", store, "--date", "2026-07-01 18:30", "--output", "csv"],
      shell: line)
    #expect(processed.lines.last?.contains(",2026-07-01T18:30:00+02:00,") == true)
    #expect(processed.status == 0, "\(processed.errors)")
    let table = try ReptraceRun(["history", "list", store, "--output", "table"], shell: line)
    #expect(table.output.contains("2026-07-01 18:30 CEST"), "\(table.output)")
    let day = try ReptraceRun(
      ["process", recording, "--date", "2026-07-01", "--output", "ndjson"], shell: line)
    #expect(try day.objects().first?["date"] as? String == "2026-06-30T22:00:00Z")
  }

  // MARK: Workouts

  @Test func filesOfOneDayFormOneWorkout() throws {
    #expect(try process("--store", store).status == 0)
    let workouts = try history("workouts", store, "--output", "ndjson").objects()
    #expect(workouts.map { $0["sets"] as? Int } == [1, 2])
    #expect(try sets().map { $0["setNumber"] as? Int } == [1, 2, 1])
    let before = try sets().map { $0["id"] as? String }
    #expect(try process("--store", store).status == 0)
    #expect(try sets().map { $0["id"] as? String } == before)
    #expect(try history("workouts", store, "--count").output == "2\n")
    // Another person's workout on the same day is separate.
    _ = try folder.writeCurls(reps: 8, to: "bea.csv")
    _ = try ReptraceRun([
      "process", folder.path("bea.csv"), "--store", store, "--user", "bea", "--date", "2024-11-24",
    ])
    #expect(try history("workouts", store, "--count").output == "3\n")
  }

  // MARK: Changes

  /// `delete 1` followed by `delete 2` used to delete the third set.
  @Test func shiftedNumbersAreRefused() throws {
    _ = try process("--store", store)
    let third = try id(2)
    #expect(try history("delete", store, "1").status == 0)
    for command in [["delete", store, "2"], ["edit", store, "2", "--reps", "3"]] {
      let run = try ReptraceRun(["history"] + command)
      #expect(run.status == 64 && run.errors.contains("2 is now \(third)"), "\(run.errors)")
    }
    #expect(try sets().count == 2)
    #expect(try history("show", store, "2").status == 0)
    #expect(try history("delete", store, third).status == 0)
    #expect(try sets().map { $0["setNumber"] as? Int } == [2])
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
  func deletingOnATerminalAsksFirst() throws {
    _ = try process("--store", store)
    let id = try id(1)
    let refused = try onTerminal("$REPTRACE history delete \(store) \(id)", typed: "n\n")
    #expect(refused.contains("set \(id) (CURL, set 2, 2024-11-24"), "\(refused)")
    #expect(refused.contains("Delete it for good?") && refused.contains("nothing is deleted"))
    #expect(try sets().count == 3)
    _ = try onTerminal("$REPTRACE history delete \(store) \(id)", typed: "y\n")
    #expect(try sets().count == 2)
    _ = try onTerminal("$REPTRACE history delete \(store) \(try self.id(0)) --yes")
    #expect(try sets().count == 1)
  }

  @Test func setsCanBeEdited() throws {
    _ = try process("--store", store)
    let id = try id(0)
    let run = try history(
      "edit", store, id, "--reps", "9", "--weight", "8", "--exercise", "press", "--date",
      "2024-11-25")
    #expect(run.status == 0, "\(run.errors)")
    var set = try #require(try sets().first)
    #expect(set["correctedReps"] as? Int == 9 && set["actualReps"] as? Int == 9)
    #expect(set["weight"] as? Double == 8 && set["exercise"] as? String == "PRESS")
    #expect((set["date"] as? String)?.hasPrefix("2024-11-25T") == true)
    let workouts = try history("workouts", store, "--output", "ndjson").objects()
    #expect(workouts.map { $0["sets"] as? Int } == [2, 1], "it is in the workout of its day")
    #expect(try history("edit", store, id, "--reps", "none").status == 0)
    set = try #require(try sets().first)
    #expect(set["correctedReps"] == nil && set["actualReps"] as? Int == 5)
    let moved = try history("edit", store, id, "--person", "Zoë")
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(try history("list", store, "--user", "zoe", "--output", "ndjson").objects().count == 1)
    #expect(try sets().count == 3)
    let last = try #require(try sets().last)
    #expect(last["weight"] as? Double == 8 && last["exercise"] as? String == "PRESS")
    #expect(try history("verify", store).status == 0)
  }

  @Test func notedRepsAreKeptBesideTheCount() throws {
    _ = try process("--store", store)
    try folder.writeCurls(reps: 8, to: "in/251124_PRESS_W20_S2_R12.csv")
    _ = try process("--store", store)
    #expect(try sets().map { $0["labelledReps"] as? Int } == [5, 6, 7, 12])
    _ = try history("edit", store, try id(3), "--person", "Zoe")
    #expect(try history("export", store).output.contains(",8,8,,12,0."))
    _ = try ReptraceRun(["report", store, "-o", folder.path("report.html")])
    let page = try String(contentsOfFile: folder.path("report.html"), encoding: .utf8)
    #expect(page.contains("The lifter noted 12, the watch counted 8."))
    let list = try history("list", store, "--output", "table").output
    #expect(list.contains(" 2024-11-25 ") && !list.contains("00:00"))
  }

  @Test func notesStayWithTheirSet() throws {
    _ = try process("--store", store)
    let id = try id(0)
    let notes = "-5° at the \"elbow\", left"
    #expect(try history("edit", store, id, "--notes", notes).status == 0)
    #expect(try history("show", store, id, "--output", "table").output.contains(notes))
    #expect(try sets().map { $0["notes"] as? String } == [notes, nil, nil])
    let exported = try folder.write(try history("export", store).output, to: "exported.csv")
    #expect(try history("edit", store, "--from", exported).errors.contains("0 sets changed"))
    _ = try process("--store", store)
    #expect(try history("edit", store, id, "--person", "Zoe").status == 0)
    #expect(try sets().compactMap { $0["notes"] as? String } == [notes])
    let table = try folder.write("id,notes\n\(try self.id(0)),\"two\nlines\"\n", to: "n.csv")
    _ = try history("edit", store, "--from", table)
    #expect(try sets()[0]["notes"] as? String == "two\nlines")
    #expect(try history("edit", store, try self.id(0), "--notes", "").status == 0)
    #expect(try sets()[0]["notes"] == nil)
  }

  @Test func implausibleCorrectionsCauseAWarning() throws {
    _ = try process("--store", store)
    let unknown = try history("correct", store, try id(0), "--exercise", "Kurl")
    #expect(unknown.status == 0)
    #expect(
      unknown.errors.contains("no exercise was called \"Kurl\" before; did you mean \"CURL\"?"))
    let many = try history("correct", store, try id(1), "--reps", "500")
    #expect(many.status == 0 && many.errors.contains("500 reps do not fit"), "\(many.errors)")
    #expect(try !history("correct", store, try id(1), "--reps", "7").errors.contains("warning"))
  }

  @Test func correctionsAreReadFromATable() throws {
    _ = try process("--store", store)
    let exported = try history("export", store, "--decimal-comma").output
    let unchanged = try folder.write(exported, to: "unchanged.csv")
    #expect(try history("edit", store, "--from", unchanged).errors.contains("0 sets changed"))
    let ids = try (0..<3).map { try id($0) }
    let table = try folder.write(
      "id;reps;weight;exercise\n\(ids[0]);8;9,5;\n\(ids[2]);none;;Overhead press\n", to: "c.csv")
    let run = try history("edit", store, "--from", table)
    #expect(run.status == 0 && run.errors.contains("2 sets changed"), "\(run.errors)")
    #expect(try sets().map { $0["actualReps"] as? Int } == [8, 6, 7])
    #expect(try sets()[0]["weight"] as? Double == 9.5)
    #expect(try sets()[2]["exercise"] as? String == "Overhead press")
    let wrong = try folder.write("id,reps\n\(ids[1]),3\n\(ids[0]),x\n", to: "wrong.csv")
    let refused = try history("edit", store, "--from", wrong)
    #expect(refused.status == 65 && refused.errors.contains("line 3: use a number"))
    #expect(try sets()[1]["correctedReps"] == nil)
  }

  @Test func exerciseNamesAreCaseInsensitive() throws {
    _ = try process("--store", store)
    try folder.writeCurls(reps: 8, to: "more.csv")
    _ = try ReptraceRun([
      "process", folder.path("more.csv"), "--store", store, "--exercise", "curl",
    ])
    #expect(try sets().last?["exercise"] as? String == "CURL")
    let statistics = try history("statistics", store, "Cürl", "--output", "ndjson").objects()
    #expect(statistics.map { $0["sets"] as? Int } == [3])
    #expect(try history("rename-exercise", store, "curl", "Bíceps curl").status == 0)
    #expect(try history("statistics", store, "biceps CURL").objects().first?["sets"] as? Int == 3)
    let unknown = try history("rename-exercise", store, "prss", "Press")
    #expect(unknown.status == 66 && unknown.errors.contains("did you mean \"PRESS\"?"))
  }

  // MARK: People

  @Test func readingCommandsDefaultToAllPeople() throws {
    for (name, user) in [("a", "Ana"), ("b", "Bea")] {
      try folder.writeCurls(reps: name == "a" ? 5 : 6, to: "people/\(name).csv")
      _ = try ReptraceRun([
        "process", folder.path("people/\(name).csv"), "--store", store, "--user", user,
        "--exercise", "curl", "--weight", "10",
      ])
    }
    let statistics = try history("statistics", store, "curl", "--output", "ndjson").objects()
    #expect(statistics.map { $0["user"] as? String } == ["Ana", "Bea"])
    #expect(statistics.map { $0["sets"] as? Int } == [1, 1])
    let workouts = try history("workouts", store, "--output", "ndjson").objects()
    #expect(Set(workouts.compactMap { $0["user"] as? String }) == ["Ana", "Bea"])
    #expect(try history("workouts", store, "--user", "ANA", "--count").output == "1\n")
    // Without `--user`, the workout of any person is found.
    let key = try #require(workouts.first?["workout"] as? String)
    #expect(try history("delete", store, "--workout", String(key.prefix(8))).status == 0)
    #expect(try sets().count == 1)
  }

  // MARK: Words

  @Test func startTimesAreConsistent() throws {
    let lines = ProcessCommandTests.curls(reps: 5).split(separator: "\n").map(String.init)
    // The samples' clock does not begin at 0.
    let later = lines.enumerated().map { index, line in
      guard index > 0, let comma = line.firstIndex(of: ","), let time = Double(line[..<comma])
      else {
        return line
      }
      return "\(time + 1000)" + line[comma...]
    }
    let path = try folder.write(later.joined(separator: "\n") + "\n", to: "later.csv")
    let found = try ReptraceRun(["process", path, "--store", store, "--output", "ndjson"]).objects()
    let start = try #require(found.first?["start"] as? Double)
    #expect(try sets().first?["start"] as? Double == start)
    let show = try history("show", store, "1", "--output", "json").objects()
    let events = try #require(show.first?["repEvents"] as? [[String: Any]])
    #expect(events.first?["start"] as? Double == start)
    for input in [path, store + "#1"] {
      let reps = try ReptraceRun(["explain", input, "--output", "ndjson"]).objects()
        .filter { $0["counted"] as? Bool == true }
      #expect(reps.first?["start"] as? Double == start, "\(input)")
    }
    let picture = folder.path("set.svg")
    #expect(try ReptraceRun(["plot", store + "#1", "-o", picture]).status == 0)
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    #expect(svg.contains(" s into the recording (s)"))
  }

  @Test func explanationsAreSentences() throws {
    let path = try folder.writeCurls(reps: 5, to: "curls.csv")
    let words = try ReptraceRun(["explain", path, "--output", "table"]).output
    #expect(
      words.contains("rep 1 of set 1: counted, certain, somewhat unlike the set's other reps"),
      "\(words)")
    #expect(!words.contains("similarity") && !words.contains("needed"))
    let figures = try ReptraceRun(["explain", path, "--output", "table", "--verbose"]).output
    #expect(figures.contains("similarity 0.7"), "\(figures)")
  }

  // MARK: Terminal

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
  func longRunsShowProgress() throws {
    try folder.writeCurls(reps: 5, to: "slow.csv")
    let line = "(sleep 3; cat \(folder.path("slow.csv"))) | $REPTRACE process -"
    let shown = try onTerminal(line)
    #expect(shown.contains("reading, 1 s") || shown.contains("reading, 2 s"), "\(shown)")
    #expect(try !onTerminal(line + " --quiet").contains("reading"))
  }

  @Test func lowConfidenceIsColored() {
    var table = TextTable([.init("confidence", .right, isConfidence: true)])
    for cell in ["0.99", "0.70", "0.30", TextTable.unknown] { table.add([cell]) }
    #expect(
      table.lines(width: 80, usesColor: true).dropFirst(2) == [
        "      0.99", "\u{1B}[33m      0.70\u{1B}[0m", "\u{1B}[31m      0.30\u{1B}[0m",
        "         –",
      ])
    #expect(table.lines(width: 80)[3] == "      0.70")
  }

  // MARK: Backups

  @Test func backupsCanBeRestored() throws {
    _ = try process("--store", store)
    let before = try history("list", store, "--output", "csv").output
    let copy = folder.path("copy.sqlite")
    #expect(try history("backup", store, copy).status == 0)
    try FileManager.default.removeItem(atPath: store)
    // SQLite would apply the lost history's log to the copy.
    try folder.write("log", to: "gym.sqlite-wal")
    let refused = try history("backup", copy, store)
    #expect(refused.status == 73 && refused.errors.contains("gym.sqlite-wal: exists already"))
    try FileManager.default.removeItem(atPath: store + "-wal")
    #expect(try history("backup", copy, store).status == 0)
    #expect(try history("list", store, "--output", "csv").output == before)
    #expect(try process("--store", store).status == 0, "it can be written")
    #expect(try history("verify", store).status == 0)
  }

  // MARK: Help

  @Test func helpListsAcceptedFormats() throws {
    let show = try history("show", "--help").output
    #expect(show.contains("json") && !show.contains("csv"))
    #expect(try !history("export", "--help").output.contains("table (default"))
    for command in [["process"], ["history", "list"], ["evaluate"]] {
      let help = try ReptraceRun(command + ["--help"]).output.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(help.contains("default on a terminal") && !help.contains("(default: ndjson)"))
      #expect(!help.contains("(values: table"))
    }
    let process = try ReptraceRun(["process", "--help"]).output
    let places = ["--store <", "--output <", "--exercise <", "--one-set", "--set-probability"].map {
      process.range(of: "\n  \($0)")?.lowerBound
    }
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(process)")
  }

  @Test(arguments: [
    (["proces", "x"], "no command \"proces\" of reptrace; did you mean \"process\""),
    (["edit", "x"], "did you mean \"history edit\"?"),
    (["history", "lst", "x"], "no command \"lst\" of reptrace history; did you mean \"list\""),
    (["help", "plto"], "did you mean \"plot\""), (["frobnicate"], "`reptrace --help` lists all"),
  ])
  func aMisspeltCommandIsRecognized(_ arguments: [String], _ expected: String) throws {
    let run = try ReptraceRun(arguments)
    #expect(run.status == 64 && run.errors.contains(expected), "\(run.errors)")
  }

  @Test func usageErrorsShowTheCommandsUsage() throws {
    for name in ["a", "b"] { try folder.writeCurls(reps: 5, to: "two/\(name).csv") }
    let run = try ReptraceRun(["plot", folder.path("two"), "-o", folder.path("x.svg")])
    #expect(run.status == 64 && run.errors.contains("2 recordings"), "\(run.errors)")
    #expect(run.errors.contains("Usage: reptrace plot <input>"), "\(run.errors)")
  }
}
