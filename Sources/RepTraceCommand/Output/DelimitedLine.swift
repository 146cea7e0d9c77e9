/// The dialect of CSV output.
struct CSVStyle: Equatable {
  var separator: Character = ","
  var hasDecimalComma = false

  /// Returns the number as spreadsheets of this dialect read it.
  func number(_ text: String) -> String {
    hasDecimalComma && text.contains(".") && Double(text) != nil
      ? text.replacing(".", with: ",") : text
  }
}

/// One line of CSV, quoted by RFC 4180 if needed.
enum DelimitedLine {
  static func csv(_ fields: [String], _ style: CSVStyle = CSVStyle()) -> String {
    fields.map { field in
      let cell = isFormula(field) ? "'" + field : field
      let needsQuotes =
        cell != field
        || cell.contains { $0 == style.separator || $0 == "," || $0 == "\"" || $0.isNewline }
      guard needsQuotes, !(style.hasDecimalComma && isNumber(field)) else { return cell }
      return "\""
        + cell.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }.joined(separator: String(style.separator))
  }

  private static func isNumber(_ field: String) -> Bool {
    Double(field.replacing(",", with: ".")) != nil
  }

  /// Returns the field from a cell that ``csv(_:_:)`` wrote.
  static func withoutGuard(_ cell: String) -> String {
    let field = String(cell.dropFirst())
    return cell.hasPrefix("'") && isFormula(field) ? field : cell
  }

  /// Returns whether a spreadsheet would evaluate the cell as a formula. A leading apostrophe prevents that;
  /// ``StoredReference`` removes it again.
  private static func isFormula(_ field: String) -> Bool {
    guard let first = field.unicodeScalars.first else { return false }
    switch first {
    case "=", "+", "-", "@", "\t", "\r": return !isNumber(field)
    default: return false
    }
  }
}
