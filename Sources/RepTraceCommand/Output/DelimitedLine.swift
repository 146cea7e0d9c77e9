/// One line of CSV, quoted by RFC 4180 where needed.
enum DelimitedLine {
  static func csv(_ fields: [String]) -> String {
    fields.map { field in
      let cell = isFormula(field) ? "'" + field : field
      let needsQuotes =
        cell != field || cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
      guard needsQuotes else { return cell }
      return "\""
        + cell.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }.joined(separator: ",")
  }

  /// Whether a spreadsheet would compute the cell instead of showing it. An apostrophe before it
  /// makes it text; ``StoredReference`` takes such a cell back.
  private static func isFormula(_ field: String) -> Bool {
    guard let first = field.unicodeScalars.first else { return false }
    switch first {
    case "=", "+", "-", "@", "\t", "\r": return Double(field) == nil
    default: return false
    }
  }
}
