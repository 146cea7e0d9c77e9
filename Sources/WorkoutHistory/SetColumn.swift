import GRDB

/// A column of a set, declared once: what is listed, sent to other copies, watched for changes and
/// merged follows from here.
///
/// To add a column:
///
/// 1. declare it here, in ``all``;
/// 2. make it in a migration: `ALTER TABLE historySet ADD COLUMN …`, then
///    ``HistoryMigrations/watchSets(_:)``, which makes the triggers anew;
/// 3. give ``HistorySetRow`` a property for it;
/// 4. write it where it comes from (``SetColumns``, `replaceMachineCount`, or what a person says).
struct SetColumn {
  enum Value {
    case integer, real, text
  }

  /// Which side's value stays where two copies of the history differ.
  enum Merging {
    /// That of the side that changed the set last.
    case newer
    /// That of the side where a person spoke last.
    case word
    /// The name of the set, or what was so when it came: what is here.
    case fixed
    /// Computed from others: there is nothing to merge.
    case computed
  }

  var name: String
  var value: Value
  var merging: Merging
  /// Whether another copy of the history gets it.
  var isSent = true
  /// Whether a change of it is a change of the set for other copies. What is sent along with such a
  /// change needs no look of its own.
  var isWatched = true

  /// In the order of sync documents.
  static let all = [
    SetColumn(name: "key", value: .text, merging: .fixed),
    SetColumn(name: "sessionKey", value: .text, merging: .fixed),
    SetColumn(name: "setId", value: .text, merging: .fixed, isWatched: false),
    SetColumn(name: "order", value: .integer, merging: .fixed),
    SetColumn(name: "cause", value: .text, merging: .fixed),
    SetColumn(name: "targetReps", value: .integer, merging: .newer),
    SetColumn(name: "actualReps", value: .integer, merging: .computed, isWatched: false),
    SetColumn(name: "detectedReps", value: .integer, merging: .newer),
    SetColumn(name: "confidence", value: .real, merging: .newer),
    SetColumn(name: "correctedReps", value: .integer, merging: .word),
    SetColumn(name: "correctedAt", value: .real, merging: .word, isWatched: false),
    SetColumn(name: "weight", value: .real, merging: .newer),
    SetColumn(name: "startTime", value: .real, merging: .newer),
    SetColumn(name: "endTime", value: .real, merging: .newer),
    SetColumn(name: "timestamp", value: .real, merging: .newer, isWatched: false),
    SetColumn(name: "restTime", value: .real, merging: .newer),
    SetColumn(name: "detector", value: .text, merging: .newer, isWatched: false),
    SetColumn(name: "position", value: .integer, merging: .fixed, isSent: false, isWatched: false),
    SetColumn(name: "clockStart", value: .real, merging: .fixed, isSent: false, isWatched: false),
    SetColumn(name: "clockEnd", value: .real, merging: .fixed, isSent: false, isWatched: false),
  ]

  static var sent: [SetColumn] { all.filter(\.isSent) }

  /// The name as SQL takes it.
  var quoted: String { "\"\(name)\"" }

  /// What a document of another copy says; NULL, or an empty text for the detector, where it says
  /// nothing, or something of another type.
  func value(in document: MetadataObject) -> DatabaseValue {
    switch value {
    case .integer: document.integer(name).databaseValue
    case .real: document.number(name).databaseValue
    case .text: (document.text(name) ?? (name == "detector" ? "" : nil)).databaseValue
    }
  }
}
