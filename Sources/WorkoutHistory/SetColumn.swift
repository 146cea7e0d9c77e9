import GRDB

/// A column of a set, declared once: what is listed, in the change feed, and watched for changes follows from
/// here.
///
/// To add a column:
///
/// 1. declare it here, in ``all``;
/// 2. make it in a migration: `ALTER TABLE historySet ADD COLUMN …`, then
///    ``HistoryMigrations/watchSets(_:)``, which makes the triggers anew; `LatestSchemaTests.write` then
///    writes the script that makes new histories;
/// 3. give ``HistorySetRow`` a property for it;
/// 4. write it where it comes from (``SetColumns``, `replaceMachineCount`, or what a person says);
/// 5. if other copies are to have it, add it to ``SyncTable/all``, with a migration for its trigger.
struct SetColumn {
  var name: String
  /// Whether another copy of the history gets it.
  var isSent = true
  /// Whether a change of it is a change of the set for other copies. What is sent along with such a
  /// change needs no look of its own.
  var isWatched = true

  /// In the order of sync documents.
  static let all = [
    SetColumn(name: "key"),
    SetColumn(name: "sessionKey"),
    SetColumn(name: "setId", isWatched: false),
    SetColumn(name: "order"),
    SetColumn(name: "cause"),
    SetColumn(name: "targetReps"),
    SetColumn(name: "actualReps", isWatched: false),
    SetColumn(name: "detectedReps"),
    SetColumn(name: "confidence"),
    SetColumn(name: "correctedReps"),
    SetColumn(name: "correctedAt", isWatched: false),
    SetColumn(name: "weight"),
    SetColumn(name: "startTime"),
    SetColumn(name: "endTime"),
    SetColumn(name: "timestamp", isWatched: false),
    SetColumn(name: "restTime"),
    SetColumn(name: "detector", isWatched: false),
    SetColumn(name: "position", isSent: false, isWatched: false),
    SetColumn(name: "clockStart", isSent: false, isWatched: false),
    SetColumn(name: "clockEnd", isSent: false, isWatched: false),
    // The centre has no column for it, and another version of its schema would turn older devices away.
    SetColumn(name: "exerciseSource", isSent: false, isWatched: false),
  ]

  static var sent: [SetColumn] { all.filter(\.isSent) }

  /// The name as SQL takes it.
  var quoted: String { "\"\(name)\"" }
}
