import Foundation
import MovementAnalysis
import Testing

@Suite struct FigureTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/analysis.md")

  @Test func docsDefineEveryFigure() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }
    let defined = cells.flatMap { $0.matches(of: /`([A-Za-z.]+)`/).map { String($0.1) } }
    let others = ["duration", "fatigue.recovery"]
    let keys =
      RepAnalysis.figures.map(\.key) + (SetAnalysis.medians + SetAnalysis.figures).map(\.key)
      + SetAnalysis.Fatigue.figures.map { "fatigue." + $0.key } + others
    #expect(defined.sorted() == keys.sorted())
  }

  @Test func shownNamesAreUnique() {
    #expect(Set(RepAnalysis.figures.map(\.title)).count == RepAnalysis.figures.count)
    #expect(Set(SetAnalysis.shownFigures.map(\.title)).count == SetAnalysis.shownFigures.count)
  }
}
