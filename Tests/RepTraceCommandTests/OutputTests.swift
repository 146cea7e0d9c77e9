import Foundation
import Testing

@testable import RepTraceCommand

/// Common properties of all commands' output.
@Suite struct OutputTests {
  @Test(arguments: [
    ("=1+1", "\"'=1+1\""), ("@x", "\"'@x\""), ("+a", "\"'+a\""), ("-a,b", "\"'-a,b\""),
    ("\tx", "\"'\tx\""), ("-1.5", "-1.5"), ("+2", "+2"), ("a-b", "a-b"), ("", ""),
    ("say \"x\"", "\"say \"\"x\"\"\""),
  ])
  func cellsAreNoFormulas(_ cell: String, _ expected: String) {
    #expect(DelimitedLine.csv([cell]) == expected)
  }

  @Test func controlCharactersDoNotReachATerminal() throws {
    let folder = try ScratchFolder()
    let evil = "a\u{1B}[31mb\u{7F}\u{9B}\u{202E}"
    let chunk = """
      {"setId":"\\u001b[2J","sessionId":"\\u0007s","samples":[{"timestamp":1,"accelerationX":0},\
      {"timestamp":1.02,"accelerationX":0.1}]}
      """
    let path = try folder.write(chunk, to: "\(evil).json")
    let store = folder.path("h.sqlite")
    let runs = try [
      ["inspect", path], ["process", path, "--store", store, "--output", "table"],
      ["history", "show", store, "1", "--output", "table"], ["history", "list", store],
      ["history", "correct", store, "1", "--reps", "3"], ["plot", path, "-o", "/nowhere/x.svg"],
      ["history", "plans", store, "--import", path], ["evaluate", path, "--recordings", path],
      ["history", "exercises", store, "--import", path], ["explain", path, "--output", "table"],
      ["process", path + "x"], ["report", path + "x", "-o", "x.html"],
    ].map { try ReptraceRun($0) }
    #expect(runs[1].output.contains("a?[31mb"))
    for run in runs {
      #expect(!(run.output + run.errors).isEmpty)
      for text in [run.output, run.errors] {
        let bad = text.unicodeScalars.filter {
          ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value)
            || $0.value == 0x202E
        }
        #expect(bad.isEmpty, "\(text.debugDescription)")
      }
    }
  }

  @Test func formatsAreConsistentAcrossCommands() throws {
    let folder = try ScratchFolder()
    for reps in [5, 7] { try folder.writeCurls(reps: reps, to: "in/curls\(reps).csv") }
    let store = folder.path("h.sqlite")
    _ = try ReptraceRun(["process", folder.path("in"), "--store", store])
    let commands = [
      ["process", folder.path("in")], ["explain", folder.path("in")], ["history", "list", store],
      ["history", "workouts", store], ["history", "changes", store],
      ["history", "export", store], ["history", "exercises", store], ["history", "plans", store],
      ["history", "recount", store, "--dry-run"],
      ["history", "export", store, "1", "--samples"],
    ]
    for command in commands {
      let document = try ReptraceRun(command + ["--output", "json"])
      #expect(document.status == 0, "\(command)")
      let json = try JSONSerialization.jsonObject(
        with: Data(document.output.utf8), options: .fragmentsAllowed)
      #expect(json is [Any], "\(command)")
      let lines = try ReptraceRun(command + ["--output", "ndjson"]).objects()
      #expect(lines.count == (json as? [Any])?.count, "\(command)")
      let csv = try ReptraceRun(command + ["--output", "csv"])
      #expect(csv.lines.count == lines.count + 1, "\(command)")
      #expect(try ReptraceRun(command + ["--output", "yaml"]).status == 64)
    }
    #expect(try ReptraceRun(["history", "show", store, "1", "--output", "csv"]).status == 64)
    #expect(try ReptraceRun(["history", "export", store, "--output", "table"]).status == 64)
  }

  @Test func missingFilesGiveTheSameStatusInAllCommands() throws {
    let folder = try ScratchFolder()
    let good = try folder.writeCurls(reps: 5, to: "in/curls.csv")
    let absent = folder.path("absent")
    let labels = try folder.write("recording,reps\nother,3\n", to: "labels.csv")
    let missing = [
      ["process", absent], ["plot", absent, "-o", "x.svg"], ["explain", absent],
      ["inspect", absent], ["report", absent, "-o", folder.path("x.html")],
      ["process", good, "--columns", absent], ["inspect", good, "--columns", absent],
      ["process", good, "--labels", absent],
      ["evaluate", absent, "--recordings", folder.path("in")],
      ["evaluate", labels, "--recordings", absent],
      ["evaluate", labels, "--recordings", folder.path("in")],
      ["history", "list", absent], ["history", "plans", absent],
    ]
    for command in missing { #expect(try ReptraceRun(command).status == 66, "\(command)") }
    #expect(try ReptraceRun(["process", good, absent]).status == 1)
    #expect(try ReptraceRun(["report", good, absent, "-o", folder.path("y.html")]).status == 1)
  }

  /// `/dev/full` refuses all writes, like a full disk.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"),
    arguments: [
      ["process", "in"], ["process", "in", "--output", "csv"], ["inspect", "in"],
      ["explain", "in"],
      ["process", "--help"], ["--version"], ["version"], ["help", "formats"],
    ])
  func outputThatCannotBeWrittenHasItsStatus(command: [String]) throws {
    let folder = try ScratchFolder()
    try folder.writeCurls(reps: 5, to: "in/curls.csv")
    let run = try ReptraceRun(command, in: folder.url, shell: #"exec "$0" "$@" > /dev/full"#)
    #expect(run.status == 74)
    #expect(run.errors.contains("cannot write to standard output: No space left on device"))
  }

  @Test func unwritableFilesAreReportedWithTheReason() throws {
    let folder = try ScratchFolder()
    let good = try folder.writeCurls(reps: 5, to: "in/curls.csv")
    let file = try folder.write("x", to: "file")
    let nowhere = folder.path("nowhere/x.svg")
    let plot = try ReptraceRun(["plot", good, "-o", nowhere])
    #expect(plot.status == 73)
    #expect(plot.errors.contains("\(nowhere): cannot be written: No such file or directory"))
    let batch = try ReptraceRun(["process", good, "--out", file + "/out"])
    #expect(batch.status == 73)
    #expect(batch.errors.contains("\(file)/out: cannot be created: Not a directory"))
    let made = try ReptraceRun(["generate", "-o", file + "/out"])
    #expect(made.status == 73 && made.errors.contains("\(file)/out: Not a directory"))
    let stream = try ReptraceRun(["stream", "--metrics", folder.path("in")])
    #expect(stream.status == 0)
    #expect(stream.errors.contains("cannot write the metrics: \(folder.path("in")): "))
  }

  @Test func optionsWithoutEffectAreRejected() throws {
    let folder = try ScratchFolder()
    let good = try folder.writeCurls(reps: 5, to: "curls.csv")
    let made = folder.path("made")
    for command in [
      ["generate", "-o", made, "--transport", "late"],
      ["generate", "-o", made, "--transport", "late", "--format", "sensor-logger"],
      ["explain", good, "--at", "nan"], ["explain", good, "--set", "0"],
    ] {
      #expect(try ReptraceRun(command).status == 64, "\(command)")
    }
    #expect(try ReptraceRun(["explain", good, "--set", "7"]).errors.contains("no set 7"))
    #expect(try ReptraceRun(["explain", good, "--at", "1e9"]).errors.contains("nothing was"))
  }

  /// Labels with semicolons, with times on another clock than the recording's, and in Latin-1.
  @Test func labelsAreReadOrReported() throws {
    let folder = try ScratchFolder()
    try folder.writeCurls(reps: 5, to: "in/curls.csv")
    func evaluate(_ labels: String) throws -> ReptraceRun {
      try ReptraceRun(
        [
          "evaluate", labels, "--recordings", folder.path("in"), "--mode", "given", "--margin",
          "-1",
        ])
    }
    let semicolons = try folder.write("recording;reps\ncurls;5\n", to: "semicolons.csv")
    #expect(try evaluate(semicolons).status == 0)
    let elsewhere = try folder.write(
      "recording,reps,start,end\ncurls,5,900000,900060\n", to: "elsewhere.csv")
    #expect(try evaluate(elsewhere).errors.contains("line 2: start and end lie outside of curls"))
    let latin = try folder.write(
      Data(
        "recording,reps\n\u{DC}bung,5\n".unicodeScalars.map {
          UInt8($0.value)
        }), to: "latin.csv")
    let run = try evaluate(latin)
    #expect(run.status == 65 && run.errors.contains("\(latin): expected UTF-8 text"))
  }

  @Test func helpHasExamplesAndOnePageOfFormats() throws {
    let formats = try ReptraceRun(["help", "formats"]).output
    #expect(formats.contains("--columns") && formats.contains("--limit"))
    let commands = [
      ["process"], ["plot"], ["report"], ["explain"], ["inspect"], ["evaluate"], ["generate"],
      ["stream"],
    ]
    for command in commands {
      let help = try ReptraceRun(command + ["--help"])
      #expect(help.status == 0)
      #expect(help.output.contains("\n  reptrace \(command[0]) "), "\(command)")
      #expect(!help.output.contains("--limit <"), "\(command)")
    }
  }

  @Test func skippedFilesAreListed() throws {
    let folder = try ScratchFolder()
    try folder.writeCurls(reps: 0, to: "in/still.csv")
    for name in ["a", "b", "c", "d", "e"] { try folder.write("notes", to: "in/\(name).txt") }
    let run = try ReptraceRun(["process", folder.path("in")])
    #expect(run.status == 0)
    #expect(run.errors.contains("a.txt") && run.errors.contains("and 2 more"))
    #expect(run.errors.contains("reptrace explain") && run.errors.contains("still.csv"))
    let verbose = try ReptraceRun(["process", folder.path("in"), "--verbose"])
    #expect(verbose.errors.contains("e.txt"))
    #expect(try ReptraceRun(["process", folder.path("in"), "--quiet"]).errors.isEmpty)
  }
}
