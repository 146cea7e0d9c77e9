/// Prints rows in any output format. All listing commands use it, so that formats are consistent.
struct RowPrinter {
  struct Column {
    /// The column's name in CSV.
    var name: String
    /// The column of the table; nil if tables omit it.
    var table: TextTable.Column?
    /// True if the cells are numbers, which may need a decimal comma.
    var isNumber: Bool

    init(_ name: String, _ table: TextTable.Column? = nil, isNumber: Bool? = nil) {
      self.name = name
      self.table = table
      self.isNumber = isNumber ?? (table?.alignment == .right)
    }
  }

  private let style: RowStyle
  private let columns: [Column]
  private var writer: LineWriter
  private var table: TextTable
  private var rowCount = 0
  /// True to color low confidences.
  var usesColor = StandardStreams.outputHasColor

  init(_ style: RowStyle, _ columns: [Column]) {
    self.style = style
    self.columns = columns
    writer = LineWriter(style.format == .csv ? .data : .text)
    table = TextTable(columns.compactMap(\.table))
  }

  var isEmpty: Bool { rowCount == 0 }

  /// Prints a row, or adds it to the table.
  ///
  /// - Parameters:
  ///   - json: The row as a JSON object.
  ///   - cells: One cell per column, empty without a value.
  ///   - shown: Cells of the table that differ from those of CSV, by column name.
  mutating func add(
    json: @autoclosure () -> String, cells: @autoclosure () -> [String],
    shown: @autoclosure () -> [String: String] = [:]
  ) throws {
    switch style.format {
    case .table:
      let other = shown()
      table.add(
        zip(columns, cells()).filter { $0.0.table != nil }.map { column, cell in
          let text = other[column.name] ?? cell
          return text.isEmpty ? TextTable.unknown : text
        })
    case .csv:
      if rowCount == 0 { try writer.write(header) }
      try writer.write(
        DelimitedLine.csv(
          zip(columns, cells()).map { $0.isNumber ? style.csv.number($1) : $1 }, style.csv))
    case .ndjson: try writer.write(json())
    case .json: try writer.write((rowCount == 0 ? "[" : ",") + json())
    }
    rowCount += 1
  }

  /// The first line of CSV. Spreadsheets that use decimal commas recognize UTF-8 by its byte-order mark.
  private var header: String {
    (style.csv.hasDecimalComma ? "\u{FEFF}" : "")
      + DelimitedLine.csv(columns.map(\.name), style.csv)
  }

  /// Flushes NDJSON, for readers that follow the output.
  mutating func flush() throws {
    if style.format == .ndjson { try writer.flush() }
  }

  /// Ends the output. Without rows, CSV has only a header, as does a table if `emptyTable`.
  mutating func finish(emptyTable: Bool = true) throws {
    switch style.format {
    case .table:
      if rowCount > 0 || emptyTable {
        for line in table.lines(width: StandardStreams.terminalWidth, usesColor: usesColor) {
          try writer.write(styled: line)
        }
      }
    case .csv where rowCount == 0: try writer.write(header)
    case .json: try writer.write(rowCount == 0 ? "[]" : "]")
    case .csv, .ndjson: break
    }
    try writer.flush()
  }
}
