import Foundation
import Testing

/// A store written by `process` and read by `history`.
@Suite struct HistoryCommandTests {
  private let folder: ScratchFolder
  private let recording: String
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    recording = try folder.writeCurls(reps: 6, to: "curls.csv")
    store = folder.path("history.sqlite")
    try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
  }

  @Test func listsShowsAndVerifies() throws {
    let list = try listedSets(store)
    #expect(list.count == 1)
    #expect(list.first?["reps"] as? Int == 6)
    #expect(list.first?["recording"] as? String == "curls.csv")
    let key = try #require(list.first?["set"] as? String)
    for reference in ["1", key] {
      let show = try ReptraceRun(["history", "show", store, reference, "--output", "ndjson"])
      let object = try #require(try show.objects().first)
      #expect((object["repEvents"] as? [Any])?.count == 6)
    }
    #expect(try ReptraceRun(["history", "show", store, "2"]).status == 66)
    let verify = try ReptraceRun(["history", "verify", store])
    #expect(verify.status == 0 && verify.output.contains("no damage found"))
  }

  @Test func exportedSamplesEqualTheInput() throws {
    let exported = try ReptraceRun(["history", "export", store, "--samples", "--output", "csv"])
    let original = ProcessCommandTests.curls(reps: 6).split(separator: "\n")
    let lines = exported.output.split(separator: "\n")
    #expect(lines.count == original.count)
    #expect(lines.first == original.first)
    for (line, expected) in zip(lines, original).dropFirst() {
      let values = line.split(separator: ",").map { Double($0)?.bitPattern }
      #expect(values == expected.split(separator: ",").map { Double($0)?.bitPattern })
    }
  }

  @Test func reprocessingKeepsCorrections() throws {
    let before = try ReptraceRun(["history", "list", store, "--output", "csv"]).output
    #expect(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    #expect(try ReptraceRun(["history", "list", store, "--output", "csv"]).output == before)
    #expect(try ReptraceRun(["history", "correct", store, "1", "--reps", "7"]).status == 0)
    #expect(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    let row = try #require(try listedSets(store).first)
    #expect(row["reps"] as? Int == 6)
    #expect(row["correctedReps"] as? Int == 7)
  }

  /// The name is shown in every format.
  @Test func confirmedNamesAreShown() throws {
    func history(_ command: String, _ arguments: String...) throws -> ReptraceRun {
      try ReptraceRun(["history", command, store] + arguments)
    }
    #expect(try history("correct", "1", "--exercise", "Bench press, wide").status == 0)
    let csv = try history("list", "--output", "csv").lines
    #expect(csv.first?.hasPrefix("id,user,date,exercise,setNumber,weight,actualReps,") == true)
    #expect(csv.last?.contains(",\"Bench press, wide\",1,") == true, "\(csv)")
    let row = try #require(try history("list", "--output", "ndjson").objects().first)
    #expect(row["exerciseName"] as? String == "Bench press, wide")
    for command in [["list"], ["show", "1"]] {
      let table = try ReptraceRun(
        ["history", command[0], store] + command.dropFirst() + ["--output", "table"])
      #expect(table.output.contains("Bench press, wide"), "\(table.output)")
    }
    // The correction is rejected as a whole.
    let refused = try history("correct", "1", "--reps", "3", "--exercise", " ")
    #expect(refused.status == 64)
    let after = try history("list", "--output", "ndjson").objects().first
    #expect(after?["correctedReps"] == nil)
  }

  /// Only the part of a recording's path below the given folder is stored.
  @Test func storedNamesOmitParentFolders() throws {
    let other = folder.path("other.sqlite")
    try folder.writeCurls(reps: 6, to: "given/monday/curls.csv")
    try #require(try ReptraceRun(["process", folder.path("given"), "--store", other]).status == 0)
    let list = try listedSets(other)
    #expect(list.map { $0["recording"] as? String } == ["monday/curls.csv"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    #expect(bytes.range(of: Data(folder.url.lastPathComponent.utf8)) == nil)
  }

  @Test func deleteFindsTheListedSetOfAPerson() throws {
    let path = folder.path("two.sqlite")
    var lines: [String] = []
    for (session, user) in [("SA", "ana"), ("SB", "bea")] {
      let ids = #""sessionId":"\#(session)","userId":"\#(user)""#
      lines += [
        #"{"type":"startWorkout",\#(ids),"timestamp":1700000000}"#,
        #"{"type":"startSet","sessionId":"\#(session)","setId":"1","timestamp":1700000001}"#,
        #"{"type":"endSet","sessionId":"\#(session)","setId":"1","reps":8,"timestamp":1700000031}"#,
        #"{"type":"endWorkout","sessionId":"\#(session)","timestamp":1700000060}"#,
      ]
    }
    let input = Data((lines.joined(separator: "\n") + "\n").utf8)
    try #require(try ReptraceRun(["stream", "--store", path], input: input).status == 0)
    func owners() throws -> [String] {
      try listedSets(path)
        .compactMap { $0["sessionId"] as? String }
    }
    try #require(try owners() == ["SA", "SB"])
    let listed = try ReptraceRun(["history", "list", path, "--user", "bea", "--output", "ndjson"])
    #expect(try listed.objects().map { $0["number"] as? Int } == [2])
    let ambiguous = try ReptraceRun(["history", "delete", path, "1"])
    #expect(ambiguous.status == 64 && ambiguous.errors.contains("SA/1"), "\(ambiguous.errors)")
    #expect(try ReptraceRun(["history", "delete", path, "1", "--user", "bea"]).status == 0)
    #expect(try owners() == ["SA"])
    #expect(try ReptraceRun(["history", "delete", path, "SA/1"]).status == 0)
    #expect(try owners().isEmpty)
  }

  @Test func boundedPrecisionStaysWithinItsBounds() throws {
    let bounded = folder.path("bounded.sqlite")
    #expect(
      try ReptraceRun(["process", recording, "--store", bounded, "--timeline", "bounded"]).status
        == 0)
    let exported = try ReptraceRun(["history", "export", bounded, "--samples"])
    let original = ProcessCommandTests.curls(reps: 6).split(separator: "\n")
    let lines = exported.output.split(separator: "\n")
    #expect(lines.count == original.count)
    for (line, expected) in zip(lines, original).dropFirst() {
      for (a, b) in zip(line.split(separator: ","), expected.split(separator: ",")) {
        let error = abs((Double(a) ?? .nan) - (Double(b) ?? .infinity))
        #expect(error <= 1e-4)
      }
    }
  }

  @Test func otherFilesAreRejected() throws {
    #expect(try ReptraceRun(["history", "list", recording]).status == 65)
    #expect(try ReptraceRun(["history", "list", folder.path("absent.sqlite")]).status == 66)
    let content = try Data(contentsOf: URL(fileURLWithPath: recording))
    #expect(try ReptraceRun(["process", recording, "--store", recording]).status == 73)
    #expect(try Data(contentsOf: URL(fileURLWithPath: recording)) == content)
  }
}
