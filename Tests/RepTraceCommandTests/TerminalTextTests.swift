import Testing

@testable import RepTraceCommand

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("abc", 3), ("腕立て伏せ", 10), ("e\u{301}", 1), ("🏋️", 2), ("🏋🏽‍♀️", 2), ("🇩🇪", 2), ("한글", 4), ("", 0),
    ("\u{200B}x", 1), ("−1…", 3),
  ])
  func wideCharactersTakeTwoColumns(_ text: String, _ width: Int) {
    #expect(TerminalText.width(text) == width)
  }

  @Test func tablesOfWideNamesAreAligned() {
    var table = TextTable([.init("recording", shrinks: true), .init("reps", .right)])
    table.add(["腕立て伏せ/とても長いフォルダの名前/記録.csv", "12"])
    table.add(["e\u{301}te\u{301}.csv", "7"])
    table.add(["plain.csv", "100"])
    for width in [nil, 30, 22] {
      let lines = table.lines(width: width)
      let widths = Set(lines.map(TerminalText.width))
      #expect(widths.count == 1, "every line ends where the numbers do: \(lines)")
      if let width { #expect(widths.allSatisfy { $0 <= width }) }
    }
    #expect(table.lines(width: 30)[2].contains("…"))
  }

  @Test func directionControlsDoNotReverseLines() {
    #expect(TerminalText.printable("a\u{202E}b\u{2066}c") == "a?b?c")
  }
}
