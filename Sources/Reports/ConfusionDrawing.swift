import TextFormats

/// Confusion matrix of counted and true reps: the number of sets in each cell. Correct counts are on the
/// diagonal; the last cell of each axis contains all higher counts.
enum ConfusionDrawing {
  typealias Pair = (counted: Int, truth: Int)

  private static let width = 362.0

  static func svg(_ pairs: [Pair]) -> String {
    let maximumShown = 40
    let highest = min(max(pairs.map { max($0.counted, $0.truth) }.max() ?? 1, 5), maximumShown)
    let cells = Dictionary(grouping: pairs) {
      Cell(
        counted: min($0.counted, highest), truth: min($0.truth, highest),
        isRight: $0.counted == $0.truth)
    }
    let plot = width - 60
    let size = plot / Double(highest + 1)
    let height = plot + 74
    func x(_ truth: Int) -> Double { 50 + Double(truth) * size }
    func y(_ counted: Int) -> Double { 10 + Double(highest - counted) * size }
    var svg = SVGText()
    for value in 0...highest { svg.rect(x(value), y(value), size, size, class: "set") }
    svg.rect(50, 10, plot, plot, class: "frame")
    let most = Double(cells.values.map(\.count).max() ?? 1)
    for (cell, pairs) in cells.sorted(by: { $0.key < $1.key }) {
      let side = size * (0.35 + 0.6 * (Double(pairs.count) / most).squareRoot())
      // In the last cell, correct counts take the left half and wrong ones the right half.
      let share = cells[cell.opposite] == nil ? 1 : 0.5
      let middle = x(cell.truth) + size * (cell.isRight ? share / 2 : 1 - share / 2)
      svg.rect(
        middle - side * share / 2, y(cell.counted) + (size - side) / 2, side * share, side,
        class: cell.isRight ? "f0" : "f4", tooltip: words(pairs))
      let number = "\(pairs.count)"
      if MarkupText.width(number, size: 11) + 2 < side * share, side > 12 {
        svg.text(
          middle, y(cell.counted) + size / 2 + 4, number,
          class: "mid small onfill", attributes: " pointer-events=\"none\"")
      }
    }
    let step = highest > 24 ? 5 : highest > 10 ? 2 : 1
    for value in stride(from: 0, through: highest, by: step) {
      let text = value == highest && highest == maximumShown ? "\(value)+" : "\(value)"
      svg.text(x(value) + size / 2, 10 + plot + 16, text, class: "mid small faint")
      svg.text(44, y(value) + size / 2 + 4, text, class: "end small faint")
    }
    svg.text(50 + plot / 2, 10 + plot + 36, "true reps", class: "mid")
    svg.text(
      0, 0, "counted reps", class: "mid",
      attributes: " transform=\"translate(14 \(SVGText.px(10 + plot / 2))) rotate(-90)\"")
    svg.text(
      50 + plot / 2, 10 + plot + 56, "number or size: sets; orange: wrong",
      class: "mid faint")
    let wrong = pairs.filter { $0.counted != $0.truth }
    return SmallFigure.element(
      svg, width: width, height: height,
      label: "counted against true reps. \(counted(pairs.count - wrong.count, "set")) right"
        + (wrong.isEmpty ? "" : "; \(words(wrong))"))
  }

  /// Lists the pairs with their numbers of sets, as text.
  private static func words(_ pairs: [Pair]) -> String {
    let groups = Dictionary(grouping: pairs) { [$0.truth, $0.counted] }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    var described = groups.prefix(60).map { pair, sets in
      "\(counted(sets.count, "set")): counted \(pair[1]), true \(pair[0])"
    }
    if groups.count > described.count { described.append("and others") }
    return described.joined(separator: "; ")
  }

  private struct Cell: Hashable, Comparable {
    /// The counted reps, clamped to the last value of the axis.
    var counted: Int
    var truth: Int
    var isRight: Bool

    /// The cell with the same counts and the opposite outcome, drawn in the same place.
    var opposite: Cell { Cell(counted: counted, truth: truth, isRight: !isRight) }

    static func < (a: Cell, b: Cell) -> Bool {
      (a.truth, a.counted, a.isRight ? 0 : 1) < (b.truth, b.counted, b.isRight ? 0 : 1)
    }
  }
}
