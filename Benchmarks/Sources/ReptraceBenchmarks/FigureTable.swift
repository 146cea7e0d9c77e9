import Foundation

/// A table of figures outside any contest.
struct FigureTable: Codable {
  var group: String
  var table: String
  var columns: [String]
  var rows: [[String]] = []

  var lines: [String] {
    [table]
      + rows.flatMap { row in
        ["  \(row.first ?? "")"]
          + zip(columns, row).dropFirst().map { "    \($0): \($1)" }
      }
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
