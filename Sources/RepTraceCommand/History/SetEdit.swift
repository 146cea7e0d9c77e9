import ArgumentParser
import Foundation
import RepTrace

/// A person's changes to a set; nil keeps a value.
struct SetEdit: Equatable {
  /// A change of the person's count.
  enum Reps: Equatable {
    case count(Int)
    /// Removes the correction.
    case none

    init(_ text: String) throws {
      if text.lowercased() == "none" {
        self = .none
      } else if let count = Int(text) {
        self = .count(count)
      } else {
        throw ValidationError("use a number, or none")
      }
    }
  }

  var reps: Reps?
  var exercise: String?
  /// Weight, in kilograms.
  var weight: Double?
  var date: Date?
  /// Notes; empty to remove them.
  var notes: String?
  var person: String?

  var isEmpty: Bool { self == SetEdit() }

  /// - Throws: `ValidationError` for impossible values.
  func check() throws {
    if case .some(.count(let count)) = reps, !(0...100_000).contains(count) {
      throw ValidationError("reps are between 0 and 100000")
    }
    try require(weight, in: 0...2000, "a weight is in kilograms, from 0 to 2000")
    for (name, text) in [("an exercise", exercise), ("a person", person)] {
      guard text?.contains(where: { !$0.isWhitespace }) ?? true else {
        throw ValidationError("\(name) has a name")
      }
    }
    if let notes, notes.unicodeScalars.count > 500 {
      throw ValidationError("notes have at most 500 characters")
    }
  }
}

/// A table of corrections.
enum SetEditTable {
  /// Returns the rows' sets with their changes, all validated.
  ///
  /// - Parameter find: Returns the set for a reference.
  static func edits(
    in text: String, named file: String, find: (String) throws -> HistorySetRow
  ) throws -> [(HistorySetRow, SetEdit)] {
    func refuse(_ line: Int, _ message: String) -> ExitCode {
      StandardStreams.note("\(file): line \(line): \(message)")
      return ExitStatus.noInputDecoded
    }
    let rows = DelimitedText.rows(of: text, delimiter: DelimitedText.delimiter(of: text))
    let header = rows.first?.fields ?? []
    guard let idColumn = ["id", "set"].first(where: { header.contains($0) }) else {
      throw refuse(1, "expected a header with the column id")
    }
    let repsColumn = header.contains("correctedReps") ? "correctedReps" : "reps"
    guard
      [repsColumn, "exercise", "weight", "date", "user", "notes"].contains(where: header.contains)
    else {
      throw refuse(
        1, "expected a column correctedReps, reps, exercise, weight, date, user or notes")
    }
    var edits: [(HistorySetRow, SetEdit)] = []
    for row in rows.dropFirst() {
      guard row.fields.count == header.count else {
        throw refuse(
          row.line, "expected \(header.count) fields as in the header, found \(row.fields.count)")
      }
      let cells = Dictionary(
        zip(header, row.fields.map(DelimitedLine.withoutGuard)).filter { !$1.isEmpty },
        uniquingKeysWith: { first, _ in first })
      guard let id = cells[idColumn] else { throw refuse(row.line, "expected an id") }
      var edit = SetEdit(exercise: cells["exercise"], notes: cells["notes"], person: cells["user"])
      do {
        edit.reps = try cells[repsColumn].map { try SetEdit.Reps($0) }
        if let text = cells["weight"] {
          guard let weight = DelimitedText.number(text) else {
            throw ValidationError("expected a number in weight, found \"\(text)\"")
          }
          edit.weight = weight
        }
        edit.date = try cells["date"].map { try LabelOptions.date($0, option: "date") }
        try edit.check()
      } catch let error as ValidationError {
        throw refuse(row.line, error.message)
      }
      do {
        edits.append((try find(id), edit))
      } catch {
        StandardStreams.note("\(file): line \(row.line): no change was made")
        throw error
      }
    }
    return edits
  }
}
