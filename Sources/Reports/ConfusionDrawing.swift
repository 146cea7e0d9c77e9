import TextFormats

/// Counted against true reps: how many sets lie in each cell. The diagonal is right.
enum ConfusionDrawing {
  private static let width = 362.0

  static func svg(_ pairs: [(counted: Int, truth: Int)]) -> String {
    var cells: [Cell: Int] = [:]
    for pair in pairs { cells[Cell(counted: pair.counted, truth: pair.truth), default: 0] += 1 }
    let shownAtMost = 40
    let highest = min(max(pairs.map { max($0.counted, $0.truth) }.max() ?? 1, 5), shownAtMost)
    let plot = width - 60
    let size = plot / Double(highest + 1)
    let height = plot + 74
    func x(_ truth: Int) -> Double { 50 + Double(min(truth, highest)) * size }
    func y(_ counted: Int) -> Double { 10 + Double(highest - min(counted, highest)) * size }
    var svg = SVGText()
    for value in 0...highest {
      svg.rect(x(value), y(value), size, size, class: "set")
    }
    svg.rect(50, 10, plot, plot, class: "frame")
    let most = Double(cells.values.max() ?? 1)
    for (cell, count) in cells.sorted(by: { $0.key < $1.key }) {
      let isRight = cell.counted == cell.truth
      let side = size * (0.35 + 0.6 * (Double(count) / most).squareRoot())
      let inset = (size - side) / 2
      let sets = counted(count, "set")
      let tooltip = "\(sets): counted \(cell.counted), true \(cell.truth)"
      svg.rect(
        x(cell.truth) + inset, y(cell.counted) + inset, side, side, class: isRight ? "f0" : "f4",
        tooltip: tooltip)
      if MarkupText.width("\(count)", size: 11) + 2 < side, side > 12 {
        svg.text(
          x(cell.truth) + size / 2, y(cell.counted) + size / 2 + 4, "\(count)",
          class: "mid small onfill", attributes: " pointer-events=\"none\"")
      }
    }
    let step = highest > 24 ? 5 : highest > 10 ? 2 : 1
    for value in stride(from: 0, through: highest, by: step) {
      let text = value == highest && highest == shownAtMost ? "\(value)+" : "\(value)"
      svg.text(x(value) + size / 2, 10 + plot + 16, text, class: "mid small faint")
      svg.text(44, y(value) + size / 2 + 4, text, class: "end small faint")
    }
    svg.text(50 + plot / 2, 10 + plot + 36, "true reps", class: "mid")
    svg.text(
      0, 0, "counted reps", class: "mid",
      attributes: " transform=\"translate(14 \(SVGText.px(10 + plot / 2))) rotate(-90)\"")
    svg.text(
      50 + plot / 2, 10 + plot + 56, "number: sets; off the diagonal: wrong", class: "mid faint")
    return SmallFigure.element(
      svg, width: width, height: height, label: "counted against true reps")
  }

  private struct Cell: Hashable, Comparable {
    var counted: Int
    var truth: Int

    static func < (a: Cell, b: Cell) -> Bool { (a.truth, a.counted) < (b.truth, b.counted) }
  }
}
