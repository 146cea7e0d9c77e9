import Testing

@testable import RepTraceCommand

@Suite struct TextTableTests {
  @Test func alignsAndFits() {
    var table = TextTable([.init("recording", shrinks: true), .init("reps", .right)])
    table.add(["a/very/long/path/to/a/recording.csv", "12"])
    table.add(["b.csv", "7"])
    let lines = table.lines(width: 30)
    #expect(lines.allSatisfy { $0.count <= 30 })
    #expect(lines[2].hasPrefix("…") && lines[2].hasSuffix("recording.csv    12"))
    #expect(lines[3] == "b.csv" + String(repeating: " ", count: 24) + "7")
    #expect(table.lines(width: nil)[2].hasPrefix("a/very/long"))
  }

  @Test func unknownColumnsAreOmitted() {
    var table = TextTable([.init("recording"), .init("date"), .init("reps", .right)])
    table.add(["a.csv", TextTable.unknown, "12"])
    table.add(["b.csv", TextTable.unknown, TextTable.unknown])
    #expect(
      table.lines(width: nil) == [
        "recording  reps", "---------  ----", "a.csv        12", "b.csv         –",
      ])
    table.add(["c.csv", "2026-11-22", "3"])
    #expect(table.lines(width: nil)[0] == "recording  date        reps")
    // Without rows, no column is known to be empty.
    #expect(TextTable([.init("date")]).lines(width: nil)[0] == "date")
  }

  @Test func controlCharactersDoNotReachTheTerminal() {
    var table = TextTable([.init("name")])
    table.add(["a\u{1B}[31mb\n"])
    #expect(table.lines(width: nil)[2] == "a?[31mb?")
  }

  @Test func dispensableColumnsAreOmittedFromTheRight() {
    var table = TextTable([
      .init("rep"), .init("start", isDispensable: true), .init("similarity", isDispensable: true),
      .init("confidence"),
    ])
    table.add(["1", "0.50", "0.93", "0.99"])
    #expect(table.lines(width: nil)[0] == "rep  start  similarity  confidence")
    #expect(table.lines(width: 24)[0] == "rep  start  confidence")
    #expect(table.lines(width: 20)[0] == "rep  confidence")
    #expect(table.lines(width: 3)[2] == "1    0.99")
  }

  @Test func narrowTablesKeepTheDate() throws {
    var table = TextTable([
      .init("recording", shrinks: true, isPath: true), .init("date"),
      .init("bytes", .right, isDispensable: true),
    ])
    for name in ["one.csv", "two.csv"] {
      table.add(["a/long/way/to/the/recordings/of/a/day/" + name, "2026-11-22 18:00:00", "12"])
    }
    let lines = table.lines(width: 40)
    #expect(lines[0].contains("a/long/way"))
    #expect(lines[3].contains("one.csv") && lines[3].contains("2026-11-22 18:00:00"))
  }

  @Test func commonFolderIsOmittedFromNames() {
    #expect(TextTable.commonFolder(of: ["a/b/x.csv", "a/b/y.csv", "a/b/c/z.csv"]).count == 4)
    #expect(TextTable.commonFolder(of: ["a/b/x.csv"]).count == 0)
    #expect(TextTable.commonFolder(of: ["a.csv", "b.csv"]).count == 0)
    #expect(TextTable.commonFolder(of: ["é/x", "é/y", "é/x"]).count == 2)
    #expect(TextTable.commonFolder(of: []).count == 0)
  }
}
