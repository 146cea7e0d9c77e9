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

  @Test func whatIsNotKnownTakesNoRoom() {
    var table = TextTable([.init("recording"), .init("date"), .init("reps", .right)])
    table.add(["a.csv", TextTable.unknown, "12"])
    table.add(["b.csv", TextTable.unknown, TextTable.unknown])
    #expect(
      table.lines(width: nil) == [
        "recording  reps", "---------  ----", "a.csv        12", "b.csv         –",
      ])
    table.add(["c.csv", "2026-11-22", "3"])
    #expect(table.lines(width: nil)[0] == "recording  date        reps")
    // Of no rows nothing is known to be missing.
    #expect(TextTable([.init("date")]).lines(width: nil)[0] == "date")
  }

  @Test func controlCharactersDoNotReachTheTerminal() {
    var table = TextTable([.init("name")])
    table.add(["a\u{1B}[31mb\n"])
    #expect(table.lines(width: nil)[2] == "a?[31mb?")
  }
}
