import Digests
import Foundation
import Motion
import MovementAnalysis
import Testing

@testable import Reports
@testable import TextFormats

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

  @Test func inputCannotRunInAPage() {
    let page = figure(hostile).html(facts: [(hostile, hostile)])
    let report = ReportPage(
      title: hostile, subtitle: hostile, facts: [(hostile, hostile)],
      sections: [
        .notices(
          title: hostile,
          [.init(title: hostile, detail: hostile, reason: hostile, row: 0)], more: 1),
        .groups(
          title: hostile,
          [
            .init(
              title: hostile, subtitle: hostile,
              charts: [
                .init(
                  title: hostile, unit: hostile, decimals: 0, latest: hostile, change: hostile,
                  note: hostile, shape: .points, hasDates: true, startsAtZero: true,
                  series: [.init(name: hostile, points: [.init(x: 1, y: 2)], line: [])])
              ])
          ]),
        .glossary(title: hostile, [(hostile, hostile)]),
        .table(
          title: hostile, note: hostile,
          .init(
            columns: [.init(title: hostile)],
            rows: [
              .init(
                cells: [.init(hostile, detail: hostile)],
                movement: .init(curve: [(0, -1), (1, 1)], repEnds: [1], duration: 1),
                details: [hostile], plot: figure(hostile))
            ], isSortable: true)),
        .figures(title: hostile, [figure(hostile)]),
      ]
    ).html()
    for text in [page, report] {
      // Separate variables, so that a failure does not print the page.
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
    let hash = Data(SHA256.hash(script.utf8)).base64EncodedString()
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
    let rows = (1...200).map { number in
      ReportPage.Table.Row(
        cells: [.init("set \(number)"), ""],
        movement: .init(
          curve: curve, repEnds: (1...12).map { Double($0) * 5 }, duration: 60),
        details: ["store.sqlite#\(number)"], plot: figure(seconds: 60))
    }
    let table = ReportPage.Table(
      columns: [.init(title: "Set"), .init(title: "Movement")], rows: rows, isSortable: true)
    let page = ReportPage(
      title: "200 sets", sections: [.table(title: "Sets", note: "", table)]
    ).html()
    #expect(page.utf8.count < 5_000_000)
  }

  /// A gap that breaks lines is hatched at any sampling rate.
  @Test(arguments: [(12.5, 0.6), (50, 0.35)])
  func gapsAreHatched(rateHz: Double, seconds: Double) {
    let times = (0..<Int(20 * rateHz)).map { Double($0) / rateHz }.filter {
      !(6...(6 + seconds)).contains($0)
    }
    let samples = MotionBatch([.time: times, .rotationRateX: times])
    let figure = RecordingFigure(title: "", subtitle: "", samples: samples, sets: [])
    #expect(figure.gaps.count == 1)
    #expect(figure.svg().contains("class=\"gap\""))
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

@Suite struct EmbeddedSeriesTests {
  private func object(_ panel: RecordingFigure.Panel, maximumSamples: Int) throws -> [String: Any] {
    let json = EmbeddedSeries.json([panel], maximumSamples: maximumSamples)
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    return try #require(value?.first)
  }

  /// Regression: thinned rows were further apart than the longest line, which broke zoomed long plots.
  @Test func reductionKeepsLinesConnected() throws {
    var times = (0..<30_000).map { Double($0) / 50 }
    for row in 20_000..<times.count { times[row] += 5 }
    let panel = RecordingFigure.Panel(
      title: "", unit: "", times: times,
      series: [.init(name: "", values: times.map { sin($0) })])
    let thinned = try object(panel, maximumSamples: 900)
    let breaks = try #require(thinned["breaks"] as? [Int])
    #expect(breaks.count == 1)
    let data = try #require(Data(base64Encoded: thinned["steps16"] as? String ?? ""))
    let rows = data.count / 2
    #expect(rows <= 1000)
    #expect(abs((breaks.first ?? 0) - rows * 2 / 3) < 5)
    let longest = try #require(thinned["longest"] as? Double)
    #expect(longest > 600.0 / 900 && longest < 5)
    #expect(try object(panel, maximumSamples: 100_000)["breaks"] as? [Int] == [20_000])
  }

  /// Regression: a line bridged the gap of one silent sensor, with values to read.
  @Test func lineBreaksAtASilentSensor() throws {
    let times = (0..<3_000).map { Double($0) / 50 }
    let panel = RecordingFigure.Panel(
      title: "", unit: "", times: times,
      series: [.init(name: "", values: times.map { (20..<25).contains($0) ? .nan : sin($0) })])
    let thinned = try object(panel, maximumSamples: 200)
    // Decode like the page's script: little-endian numbers, of which the lowest means "not measured".
    func numbers(_ text: String?) throws -> [UInt16] {
      let data = try #require(Data(base64Encoded: text ?? ""))
      return stride(from: 0, to: data.count - 1, by: 2).map {
        UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8
      }
    }
    let steps = try numbers(thinned["steps16"] as? String)
    let values = try numbers((thinned["series"] as? [String])?.first)
    var milliseconds = 0
    var missing: [Int] = []
    for (step, value) in zip(steps, values) {
      milliseconds += Int(step)
      if value == 0x8000 { missing.append(milliseconds) }
    }
    #expect(!missing.isEmpty && missing.allSatisfy { (20_000..<25_000).contains($0) })
    // The script breaks a line at a missing value if the neighboring rows are further apart than `longest`.
    let longest = try #require(thinned["longest"] as? Double)
    #expect(longest < 2)
  }

  /// Regression: values beyond any sensor's range crashed.
  @Test(arguments: [
    [1.7e308, -1.7e308, 0], [1e308, 1e308, 1e308], [.infinity, -.infinity, .nan],
    [5e-324, 0, -5e-324],
  ])
  func valuesBeyondAnyScale(_ values: [Double]) throws {
    let panel = RecordingFigure.Panel(
      title: "", unit: "", times: [0, 1, 2], series: [.init(name: "", values: values)])
    let object = try object(panel, maximumSamples: 100)
    let data = try #require(Data(base64Encoded: (object["series"] as? [String])?.first ?? ""))
    #expect(data.count == 6)
  }
}

@Suite struct PageScriptTests {
  private static let node = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(.enabled(if: node != nil, "no Node here; make test-pages runs the script in a browser"))
  func scriptIsValid() throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "reptrace-\(UUID().uuidString).js")
    try Data(HTMLPage.script.utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.node))
    process.arguments = ["--check", path.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// The script is embedded in HTML and must not end its element.
  @Test func scriptStaysWithinItsElement() {
    #expect(!HTMLPage.script.contains("</"))
    #expect(HTMLPage.script.hasPrefix("\"use strict\""))
  }

  /// Screen readers pass no key presses to an image.
  @Test func livePlotsAreNotImages() {
    #expect(HTMLPage.script.contains("svg.setAttribute(\"role\", \"application\")"))
  }
}

@Suite struct FigureTitleTests {
  @Test func titleNamesExerciseDateAndSource() {
    let title = FigureTitle(
      exercise: "Bench press", recording: "folder/monday.ndjson.gz", setNumber: 3,
      unixTime: 1_741_000_000, source: "g.sqlite#17")
    #expect(title.headline == "Bench press, set 3")
    #expect(title.subline == "monday · 2025-03-03 11:06 UTC")
  }

  @Test func unnamedSetIsTitledByItsRecording() {
    for exercise in [nil, "", "AEFB3500-C93A-4FBF-8601-DD9875054CC4"] {
      let title = FigureTitle(
        exercise: exercise, recording: "/a/b.c/legs day.csv", setNumber: 1, source: "x")
      #expect(title.headline == "legs day, set 1")
      #expect(title.subline.isEmpty)
    }
  }

  @Test(arguments: [Double.nan, .infinity, 1e300, -1e300])
  func invalidDateIsOmitted(_ unixTime: Double) {
    let title = FigureTitle(exercise: nil, recording: "a", unixTime: unixTime, source: "")
    #expect(title.date == nil)
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
      #expect(!ticks.isEmpty && ticks.count <= count + 1)
      #expect(ticks.allSatisfy { domain.lowerBound - 1e-6 <= $0 && $0 <= domain.upperBound + 1e-6 })
    }
  }

  @Test func ticksAreMultiplesOfRoundSteps() {
    #expect(AxisScale.ticks(-3.2...17.9, atMost: 5) == [0, 5, 10, 15])
    #expect(
      AxisScale.ticks(0...3600, atMost: 10, isTime: true)
        == [0, 600, 1200, 1800, 2400, 3000, 3600])
  }

  @Test func longTimesAreReadAsMinutes() {
    #expect(AxisScale.timeLabel(90, width: 300) == "1:30")
    #expect(AxisScale.timeLabel(3700, width: 7200) == "1:01:40")
    #expect(AxisScale.timeLabel(2.5, width: 10) == "2.5")
  }
}

/// Checks whether a text is XML, and collects its elements.
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
