/// Parses small tables of comma-separated text with a header and quotes as in RFC 4180.
///
/// Used for labels and plans. Sensor files have their own parser, which never builds strings.
package enum DelimitedText {
  package struct Row: Equatable {
    /// Number of the line, from 1.
    package var line: Int
    package var fields: [String]
  }

  /// Returns the most frequent delimiter in the header, because spreadsheets write that of their locale.
  package static func delimiter(of text: String) -> Unicode.Scalar {
    let header = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    let counts = ([",", ";", "\t"] as [Unicode.Scalar]).map { delimiter in
      (delimiter, header.count { $0 == delimiter })
    }
    return counts.max { $0.1 < $1.1 }?.0 ?? ","
  }

  /// Parses a number with a decimal point or comma.
  package static func number(_ text: String) -> Double? {
    Double(text) ?? Double(text.replacing(",", with: "."))
  }

  /// Returns the non-empty rows.
  package static func rows(of text: String, delimiter: Unicode.Scalar = ",") -> [Row] {
    var rows: [Row] = []
    var fields: [String] = []
    var field = ""
    var quoted = false
    var line = 1
    var rowLine = 1
    func endsRow() -> Bool { !(fields.isEmpty && field.isEmpty) }
    var scalars = text.unicodeScalars.makeIterator()
    var pending = scalars.next()
    if pending == "\u{FEFF}" { pending = scalars.next() }
    while let scalar = pending {
      pending = scalars.next()
      if quoted {
        if scalar == "\"" {
          if pending == "\"" {
            field.unicodeScalars.append("\"")
            pending = scalars.next()
          } else {
            quoted = false
          }
        } else {
          if scalar == "\n" { line += 1 }
          field.unicodeScalars.append(scalar)
        }
        continue
      }
      switch scalar {
      case "\"" where field.isEmpty: quoted = true
      case delimiter:
        fields.append(field)
        field = ""
      case "\r": break
      case "\n":
        line += 1
        if endsRow() {
          fields.append(field)
          rows.append(Row(line: rowLine, fields: fields))
        }
        fields = []
        field = ""
        rowLine = line
      default: field.unicodeScalars.append(scalar)
      }
    }
    if endsRow() {
      fields.append(field)
      rows.append(Row(line: rowLine, fields: fields))
    }
    return rows
  }
}
