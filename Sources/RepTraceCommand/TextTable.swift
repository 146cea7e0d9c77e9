/// A table for people: aligned columns, cut to the width of the terminal.
struct TextTable {
  enum Alignment { case left, right }

  struct Column {
    var title: String
    var alignment: Alignment
    /// Whether the column gives way first where the table is too wide.
    var shrinks: Bool
    /// Whether the column is left out, from the right, where shrinking does not suffice.
    var isDispensable: Bool

    init(
      _ title: String, _ alignment: Alignment = .left, shrinks: Bool = false,
      isDispensable: Bool = false
    ) {
      self.title = title
      self.alignment = alignment
      self.shrinks = shrinks
      self.isDispensable = isDispensable
    }
  }

  var columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ cells: [String]) {
    rows.append(cells.map(Self.printable))
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The lines of the table.
  ///
  /// - Parameter width: the columns of the terminal; nil where nothing needs to fit.
  func lines(width: Int?) -> [String] {
    var widths = columns.indices.map { index in
      rows.reduce(TerminalText.width(columns[index].title)) {
        max($0, TerminalText.width($1[index]))
      }
    }
    var shown = Array(columns.indices)
    if let width {
      var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
      for index in columns.indices where columns[index].shrinks && excess > 0 {
        let given = min(excess, max(0, widths[index] - 12))
        widths[index] -= given
        excess -= given
      }
      for index in columns.indices.reversed() where columns[index].isDispensable && excess > 0 {
        shown.removeAll { $0 == index }
        excess -= widths[index] + 2
      }
    }
    func line(_ cells: [String]) -> String {
      let padded = shown.map { index in
        Self.fit(cells[index], to: widths[index], columns[index].alignment)
      }
      let text = padded.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    return [line(columns.map(\.title)), line(widths.map { String(repeating: "-", count: $0) })]
      + rows.map(line)
  }

  private static func fit(_ text: String, to width: Int, _ alignment: Alignment) -> String {
    // The end of a path tells more than its beginning.
    let cut =
      TerminalText.width(text) > width
      ? "…" + TerminalText.suffix(text, columns: width - 1) : text
    let padding = String(repeating: " ", count: max(0, width - TerminalText.width(cut)))
    return alignment == .left ? cut + padding : padding + cut
  }

  /// Control characters, which a file name may hold, and those that turn the direction of writing
  /// round, would play tricks on the terminal.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: "?"
          default: scalar
          }
        }))
  }
}
