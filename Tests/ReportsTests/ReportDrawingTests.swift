import Foundation
import Testing

@testable import Evaluation
@testable import Reports

@Suite struct ReportDrawingTests {
  private typealias Frame = (x: Double, y: Double, width: Double, height: Double)

  /// Returns the rectangles of a class, with their tooltips.
  private func marks(_ name: String, in svg: String) throws -> [(frame: Frame, words: String)] {
    let pattern = try Regex(
      "<rect x=\"([^\"]*)\" y=\"([^\"]*)\" width=\"([^\"]*)\" height=\"([^\"]*)\" "
        + "class=\"\(name)\"><title>([^<]*)</title>",
      as: (Substring, Substring, Substring, Substring, Substring, Substring).self)
    return try svg.matches(of: pattern).map { match in
      let (_, x, y, width, height, words) = match.output
      let frame = try (
        #require(Double(x)), #require(Double(y)), #require(Double(width)), #require(Double(height))
      )
      return (frame, String(words))
    }
  }

  /// Returns the label of a drawing for assistive technology.
  private func label(of svg: String) throws -> String {
    String(try #require(try Regex("aria-label=\"([^\"]*)\"").firstMatch(in: svg)?[1].substring))
  }

  /// Counts beyond the axis share its last cell. Regression: correct ones hid wrong ones.
  @Test func wrongCountsAreDrawnBesideCorrectOnes() throws {
    let svg = ConfusionDrawing.svg([
      (50, 50), (50, 50), (100, 100), (49, 50), (49, 50), (101, 100), (45, 38), (50, 38),
    ])
    let right = try #require(marks("f0", in: svg).first)
    #expect(right.words == "2 sets: counted 50, true 50; 1 set: counted 100, true 100")
    let wrong = try marks("f4", in: svg)
    #expect(
      wrong.map(\.words) == [
        "1 set: counted 45, true 38; 1 set: counted 50, true 38",
        "2 sets: counted 49, true 50; 1 set: counted 101, true 100",
      ])
    #expect(right.frame.x + right.frame.width <= wrong[1].frame.x)
    #expect(abs(right.frame.y - wrong[1].frame.y) < 8)
  }

  @Test func cellOfOneKindIsCentered() throws {
    let svg = ConfusionDrawing.svg([(8, 8), (8, 8), (7, 8)])
    let right = try #require(marks("f0", in: svg).first)
    let wrong = try #require(marks("f4", in: svg).first)
    #expect(abs(right.frame.width - right.frame.height) < 0.2)
    let middles = (right.frame.x + right.frame.width / 2, wrong.frame.x + wrong.frame.width / 2)
    #expect(abs(middles.0 - middles.1) < 0.2)
    #expect(right.frame.width > wrong.frame.width)
  }

  @Test func drawingsHaveTextAlternatives() throws {
    let confusion = try label(of: ConfusionDrawing.svg([(8, 8), (8, 8), (7, 8)]))
    #expect(confusion == "counted against true reps. 2 sets right; 1 set: counted 7, true 8")
    let reliability = try label(
      of: ReliabilityDrawing.svg([
        .init(count: 12, meanConfidence: 0.953, rate: 0.917, rateInterval: 0.8...1),
        .init(count: 1, meanConfidence: 0.5, rate: 0, rateInterval: 0...0),
      ]))
    #expect(
      reliability
        == "reliability of the confidence. 12 sets: mean confidence 0.95, 92 % exact; "
        + "1 set: mean confidence 0.50, 0 % exact")
  }

  private func chart(
    hasDates: Bool, startsAtZero: Bool = false, _ series: [(String, [(Double, Double)])]
  ) -> ReportPage.Chart {
    ReportPage.Chart(
      title: "Weight", unit: "kg", decimals: 1, latest: "", change: "", note: "", shape: .points,
      hasDates: hasDates, startsAtZero: startsAtZero,
      series: series.map { name, points in
        let points = points.map { ReportPage.Chart.Point(x: $0.0, y: $0.1) }
        return .init(name: name, points: points, line: points)
      })
  }

  @Test func chartsAreDescribedInWords() throws {
    let days = chart(hasDates: true, [("", [(20_781, 60), (20_783, 62.5)])])
    #expect(
      try label(of: ProgressDrawing.svg(days)) == "Weight in kg. 24 Nov 2026 60, 26 Nov 2026 62.5"
    )
    let sets = chart(hasDates: false, [("60 kg", [(1, 8)]), ("other loads", [(2, 9)])])
    #expect(
      try label(of: ProgressDrawing.svg(sets))
        == "Weight in kg. 60 kg: set 1 8; other loads: set 2 9")
  }

  /// Days three months apart must not look adjacent.
  @Test func axisIsLinearInTime() throws {
    let svg = ProgressDrawing.svg(
      chart(hasDates: true, [("", [(20_000, 60), (20_001, 61), (20_100, 62)])]))
    let path = try #require(
      try Regex("<path d=\"(M[^\"]*)\" class=\"trace s0\"").firstMatch(in: svg))
    let numbers = try #require(path[1].substring).split { "ML".contains($0) }.compactMap {
      Double($0.split(separator: " ")[0])
    }
    try #require(numbers.count == 3)
    #expect((numbers[2] - numbers[1]) / (numbers[1] - numbers[0]) > 50)
  }

  @Test func hostileValuesAreDrawnWithoutACrash() {
    for values in [[], [Double.nan], [.infinity, 1], [0, 0], [-1e300, 1e300], [1e-300]] {
      for startsAtZero in [true, false] {
        let points = values.enumerated().map { (Double($0), $1) }
        let svg = ProgressDrawing.svg(
          chart(hasDates: false, startsAtZero: startsAtZero, [("", points)]))
        #expect(!svg.contains("\"nan") && !svg.contains("\"inf"))
      }
    }
  }
}
