/// Prints rows in any output format: every command that lists something prints through it, so that
/// the formats mean the same everywhere.
struct RowPrinter {
  struct Column {
    /// The name in CSV.
    var name: String
    /// The column of the table; nil where tables leave it out.
    var table: TextTable.Column?
    /// True if its cells are numbers, which take a decimal comma where one is asked for.
    var isNumber: Bool

    init(_ name: String, _ table: TextTable.Column? = nil, isNumber: Bool? = nil) {
      self.name = name
      self.table = table
      self.isNumber = isNumber ?? (table?.alignment == .right)
    }
  }

  private let output: OutputFormat
  private let csv: CSVStyle
  private let columns: [Column]
  private var writer: LineWriter
  private var table: TextTable
  private var rowCount = 0
  /// Whether low confidences have a colour.
  var usesColour = StandardStreams.outputHasColour

  init(_ output: OutputFormat, csv: CSVStyle = CSVStyle(), _ columns: [Column]) {
    self.output = output
    self.csv = csv
    self.columns = columns
    writer = LineWriter(output == .csv ? .data : .text)
    table = TextTable(columns.compactMap(\.table))
  }

  var isEmpty: Bool { rowCount == 0 }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - json: the row as a JSON object.
  ///   - cells: a cell for each column, empty where there is no value.
  ///   - shown: how cells of the table differ from those of CSV, by column name.
  mutating func add(
    json: @autoclosure () -> String, cells: @autoclosure () -> [String],
    shown: @autoclosure () -> [String: String] = [:]
  ) throws {
    switch output {
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
          zip(columns, cells()).map { $0.isNumber ? csv.number($1) : $1 }, csv))
    case .ndjson: try writer.write(json())
    case .json: try writer.write((rowCount == 0 ? "[" : ",") + json())
    }
    rowCount += 1
  }

  /// The first line of CSV. Spreadsheets that expect decimal commas take a file for UTF-8 by its byte-order mark.
  private var header: String {
    (csv.hasDecimalComma ? "\u{FEFF}" : "") + DelimitedLine.csv(columns.map(\.name), csv)
  }

  /// Hands on what there is, for readers that follow.
  mutating func flush() throws {
    if output == .ndjson { try writer.flush() }
  }

  /// Ends the output. A table or CSV without rows is its header alone; a table only where asked for.
  mutating func finish(emptyTable: Bool = true) throws {
    switch output {
    case .table:
      if rowCount > 0 || emptyTable {
        for line in table.lines(width: StandardStreams.terminalWidth, usesColour: usesColour) {
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

/// What commands that print a single object do with `--output`.
enum ObjectPrinter {
  /// Prints the object where `output` is JSON.
  ///
  /// - Returns: whether it was printed; a table is for the caller.
  static func print(_ json: String, _ output: OutputFormat) throws -> Bool {
    guard output == .json || output == .ndjson else { return false }
    var writer = LineWriter()
    try writer.write(json)
    try writer.flush()
    return true
  }
}
