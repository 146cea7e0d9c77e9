/// A table for people: aligned columns, cut to the width of the terminal.
struct TextTable {
  enum Alignment { case left, right }

  struct Column {
    var title: String
    var alignment: Alignment
    /// True if the column shrinks first when the table is too wide.
    var shrinks: Bool
    /// True if the column may be omitted, from the right, when shrinking is not enough.
    var isDispensable: Bool
    /// True if the cells are paths. If the table is too wide, their common folder moves to a line above it.
    var isPath: Bool
    /// True if the cells are probabilities; low ones are colored.
    var isConfidence: Bool

    init(
      _ title: String, _ alignment: Alignment = .left, shrinks: Bool = false,
      isDispensable: Bool = false, isPath: Bool = false, isConfidence: Bool = false
    ) {
      self.title = title
      self.alignment = alignment
      self.shrinks = shrinks
      self.isDispensable = isDispensable
      self.isPath = isPath
      self.isConfidence = isConfidence
    }
  }

  /// The placeholder for unknown values.
  static let unknown = "–"

  var columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  mutating func add(_ cells: [String]) { rows.append(cells.map(TerminalText.printable)) }

  var isEmpty: Bool { rows.isEmpty }

  /// The table without the columns that are unknown in every row.
  private var known: TextTable {
    guard !rows.isEmpty else { return self }
    let kept = columns.indices.filter { index in rows.contains { $0[index] != Self.unknown } }
    var table = TextTable(kept.map { columns[$0] })
    table.rows = rows.map { row in kept.map { row[$0] } }
    return table
  }

  /// Returns the lines of the table. Columns that are unknown in every row are omitted.
  ///
  /// - Parameters:
  ///   - width: Number of columns of the terminal; nil for unlimited.
  ///   - usesColor: Whether low confidences are colored.
  func lines(width: Int?, usesColor: Bool = false) -> [String] {
    known.allLines(width: width, usesColor: usesColor)
  }

  private func allLines(width: Int?, usesColor: Bool) -> [String] {
    var rows = rows
    func naturalWidths() -> [Int] {
      columns.indices.map { index in
        rows.reduce(TerminalText.width(columns[index].title)) {
          max($0, TerminalText.width($1[index]))
        }
      }
    }
    func excess(of widths: [Int]) -> Int {
      width.map { widths.reduce(0, +) + 2 * (widths.count - 1) - $0 } ?? 0
    }
    var widths = naturalWidths()
    var folders: [String] = []
    if excess(of: widths) > 0 {
      for index in columns.indices where columns[index].isPath {
        let folder = Self.commonFolder(of: rows.map { $0[index] })
        guard !folder.isEmpty else { continue }
        folders.append("\(columns[index].title)s in \(folder)")
        for row in rows.indices { rows[row][index].removeFirst(folder.count) }
      }
      widths = naturalWidths()
    }
    var shown = Array(columns.indices)
    if width != nil {
      var excess = excess(of: widths)
      // A full name is more useful than a dispensable column, if omitting such columns is enough.
      let dispensable = columns.indices.filter { columns[$0].isDispensable }
      if dispensable.reduce(0, { $0 + widths[$1] + 2 }) >= excess {
        for index in dispensable.reversed() where excess > 0 {
          shown.removeAll { $0 == index }
          excess -= widths[index] + 2
        }
      }
      for index in columns.indices where columns[index].shrinks && excess > 0 {
        let given = min(excess, max(0, widths[index] - 12))
        widths[index] -= given
        excess -= given
      }
      for index in dispensable.reversed() where excess > 0 && shown.contains(index) {
        shown.removeAll { $0 == index }
        excess -= widths[index] + 2
      }
    }
    func line(_ cells: [String]) -> String {
      let padded = shown.map { index in
        let cell = Self.fit(cells[index], to: widths[index], columns[index].alignment)
        guard usesColor, columns[index].isConfidence else { return cell }
        return Self.colored(cell, byConfidence: cells[index])
      }
      let text = padded.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    return folders + [
      line(columns.map(\.title)), line(widths.map { String(repeating: "-", count: $0) }),
    ]
      + rows.map(line)
  }

  /// Returns the deepest folder that contains all paths, with a trailing slash; empty if there is none.
  static func commonFolder(of paths: [String]) -> String {
    guard paths.count > 1, let first = paths.first else { return "" }
    var common = first[...]
    for path in paths { common = common.commonPrefix(with: path)[...] }
    return common.lastIndex(of: "/").map { String(common[...$0]) } ?? ""
  }

  /// Colors a cell red if its count is more likely wrong than right, and yellow if it should be checked.
  private static func colored(_ cell: String, byConfidence text: String) -> String {
    guard let confidence = Double(text), confidence < 0.8 else { return cell }
    return "\u{1B}[\(confidence < 0.5 ? 31 : 33)m\(cell)\u{1B}[0m"
  }

  private static func fit(_ text: String, to width: Int, _ alignment: Alignment) -> String {
    // The end of a path is more informative than its beginning.
    let cut =
      TerminalText.width(text) > width
      ? "…" + TerminalText.suffix(text, columns: width - 1) : text
    let padding = String(repeating: " ", count: max(0, width - TerminalText.width(cut)))
    return alignment == .left ? cut + padding : padding + cut
  }
}
