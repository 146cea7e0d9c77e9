import Foundation
import Motion
import Testing

@testable import Reports
@testable import Utilities

private let hostile = "</script><script>alert(1)</script>\"'&\u{2028}<img src=x onerror=alert(2)>"

@Suite struct FigureTests {
  private func figure(_ text: String = "recording", seconds: Double = 60) -> RecordingFigure {
    let times = (0..<Int(seconds * 50)).map { Double($0) / 50 }
    return RecordingFigure(
      title: text, subtitle: text, span: 0...seconds,
      panels: [
        .init(
          title: text, unit: text, times: times,
          series: ["x", text, "z"].enumerated().map { index, name in
            .init(name: name, values: times.map { sin($0 * 2 + Double(index)) })
          })
      ],
      sets: [
        .init(
          number: 1, start: 5, end: 25,
          reps: [
            .init(start: 5, end: 9, confidence: 0.9), .init(start: 10, end: 14, confidence: .nan),
          ],
          confidence: 0.8)
      ],
      notCounted: [
        .init(start: 30, end: 31, isPartial: true, reason: text),
        .init(start: 33, end: 34, isPartial: false, reason: text),
      ],
      gaps: [40...42], phases: [.init(start: 0, end: 30, name: text)])
  }

  @Test func standaloneSVGIsWellFormed() throws {
    for text in ["plain", hostile, "a\u{0}b\u{FFFE}", "健身 🏋️"] {
      let parser = XMLDocumentCheck(figure(text).svg())
      #expect(parser.isWellFormed)
      #expect(!parser.elements.contains("script"))
      #expect(!parser.elements.contains("img"))
    }
  }

  @Test func nothingFromInputCanRunInAPage() {
    let page = figure(hostile).html(facts: [(hostile, hostile)])
    let report = ReportPage(
      title: hostile, subtitle: hostile, facts: [(hostile, hostile)],
      sections: [
        .cards(
          title: hostile,
          [
            .init(
              title: hostile, notes: [hostile], curve: [(0, -1), (1, 1)], repEnds: [1], duration: 1)
          ]),
        .trends(
          title: hostile,
          [
            .init(
              title: hostile, unit: hostile, domain: 0...1, series: [(hostile, [0.5, nil, .nan])])
          ]),
        .table(title: hostile, .init(columns: [hostile], numeric: [], rows: [[hostile]])),
        .figures(title: hostile, [figure(hostile)]),
      ]
    ).html()
    for text in [page, report] {
      // Named, so that a failure does not print the page.
      let runs = text.contains("<script>alert") || text.contains("<img")
      let closings = text.components(separatedBy: "</script>").count - 1
      let breaksLines = text.contains("\u{2028}")
      #expect(!runs && closings == 2 && !breaksLines)
    }
  }

  @Test func policyNamesTheScriptByItsHash() throws {
    let page = figure().html()
    let opening = try #require(page.range(of: "<script>"))
    let closing = try #require(
      page.range(of: "</script>", range: opening.upperBound..<page.endIndex))
    let script = page[opening.upperBound..<closing.lowerBound]
    let hash = Data(SHA256.digest(script.utf8)).base64EncodedString()
    #expect(page.contains("script-src 'sha256-\(hash)'"))
    #expect(page.contains("default-src 'none'"))
    #expect(
      !page.contains("http://")
        || page.components(separatedBy: "http://").dropFirst()
          .allSatisfy { $0.hasPrefix("www.w3.org/2000/svg") }
    )
  }

  @Test func scriptDataStaysJSON() throws {
    let json = "{\"a\":" + JSONObjectText.quoted(hostile) + "}"
    let safe = MarkupText.scriptSafe(json: json)
    #expect(!safe.contains("<"))
    let value = try JSONSerialization.jsonObject(with: Data(safe.utf8)) as? [String: String]
    #expect(value?["a"] == hostile)
  }

  @Test func anHourStaysSmall() {
    let page = figure(seconds: 3600).html()
    #expect(page.utf8.count < 5_000_000)
    #expect(figure(seconds: 3600).svg().utf8.count < 500_000)
  }

  @Test func twoHundredSetsStayUnderFiveMegabytes() {
    let curve = (0..<1500).map { (time: Double($0) / 25, movement: sin(Double($0) / 10)) }
    let cards = (1...200).map {
      ReportPage.Card(
        title: "set \($0)", notes: ["12 reps", "0.9"], curve: curve,
        repEnds: (1...12).map { Double($0) * 5 }, duration: 60)
    }
    let page = ReportPage(title: "200 sets", sections: [.cards(title: "Sets", cards)]).html()
    #expect(page.utf8.count < 5_000_000)
  }

  @Test func hostileNumbersAreDrawnWithoutACrash() {
    let values = [Double.nan, .infinity, -.infinity, 1e308, -1e308, 0]
    let figure = RecordingFigure(
      title: "", span: 0...1e8,
      panels: [
        .init(title: "", unit: "", times: values, series: [.init(name: "", values: values)])
      ],
      sets: [
        .init(
          number: 1, start: .nan, end: .infinity,
          reps: [.init(start: -1e300, end: 1e300, confidence: 7)], confidence: .nan)
      ])
    #expect(XMLDocumentCheck(figure.svg()).isWellFormed)
    #expect(!figure.html().isEmpty)
  }
}

@Suite struct SeriesReductionTests {
  @Test func keepsEveryExtremeOfAColumn() {
    let times = (0..<10_000).map { Double($0) / 100 }
    var values = times.map { sin($0) }
    values[5_003] = 9
    values[5_004] = -9
    let points = SeriesReduction.points(
      times: times, values: values, span: 0...100, columns: 100, longestLine: 1)
    #expect(points.count <= 400)
    #expect(points.contains { $0.value == 9 } && points.contains { $0.value == -9 })
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test func breaksTheLineAtAGap() {
    let points = SeriesReduction.points(
      times: [0, 1, 2, 10, 11], values: [1, 2, 3, 4, 5], span: 0...11, columns: 1000,
      longestLine: 2)
    #expect(points.filter { $0.value.isNaN }.count == 1)
  }
}

@Suite struct AxisScaleTests {
  @Test(arguments: [0.0...1, -3.2...17.9, 0...0.003, 1e6...1e6 + 1, 0...3600, -1e-9...1e9])
  func ticksAreRoundFewAndInside(_ domain: ClosedRange<Double>) {
    for count in [2, 5, 10] {
      let ticks = AxisScale.ticks(domain, atMost: count, isTime: true)
      #expect(ticks.count <= count + 1)
      #expect(ticks.allSatisfy { domain.lowerBound - 1e-6 <= $0 && $0 <= domain.upperBound + 1e-6 })
    }
  }

  @Test func longTimesAreReadAsMinutes() {
    #expect(AxisScale.timeLabel(90, width: 300) == "1:30")
    #expect(AxisScale.timeLabel(3700, width: 7200) == "1:01:40")
    #expect(AxisScale.timeLabel(2.5, width: 10) == "2.5")
  }
}

/// Whether a text is XML, and which elements it has.
private final class XMLDocumentCheck {
  private(set) var elements: Set<String> = []
  private(set) var isWellFormed = false

  /// A small scanner: tags balance, attributes are quoted, and no bare `&` or `<` is left.
  init(_ text: String) {
    var open: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      guard !rest[..<start].contains(">"), Self.entitiesAreWhole(rest[..<start]) else { return }
      guard let end = rest[start...].firstIndex(of: ">") else { return }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") { continue }
      if tag.hasPrefix("/") {
        guard open.popLast() == tag.dropFirst() else { return }
        continue
      }
      guard tag.count(where: { $0 == "\"" }) % 2 == 0, Self.entitiesAreWhole(tag) else { return }
      let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
      elements.insert(String(name))
      if name == "style" {
        guard let close = rest.range(of: "</style>") else { return }
        rest = rest[close.upperBound...]
        continue
      }
      if !tag.hasSuffix("/") { open.append(name) }
    }
    isWellFormed = open.isEmpty
  }

  private static func entitiesAreWhole(_ text: Substring) -> Bool {
    text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      ["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.hasPrefix($0) }
    }
  }
}
