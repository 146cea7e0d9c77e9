import GRDB

extension HistoryStore {
  /// The version of the schema that this program writes: the number of its last migration.
  package static let schemaVersion = HistoryMigrations.steps.count
}

/// The history's schema, as named steps. A step that was released is never edited; `CONTRIBUTING.md` says how
/// one is added.
enum HistoryMigrations {
  struct Step: Sendable {
    /// Begins with its number.
    var name: String
    var apply: @Sendable (Database) throws -> Void
  }

  static let steps = [
    Step(name: "v1") { db in
      try db.execute(sql: String(decoding: PackageResources.Schema_sql, as: UTF8.self))
    }
  ]

  /// Brings a history of an earlier version up to date, a transaction for each step.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    for step in steps { migrator.registerMigration(step.name, migrate: step.apply) }
    return migrator
  }()

  /// GRDB's note of the steps that were taken, as GRDB makes it.
  static let notes = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// The first migration of development versions before 0.1.0.
  static let firstOfDevelopment = "1 history"

  /// Takes all steps in an empty database, as part of the caller's transaction, and notes them as the migrator
  /// does.
  static func makeAll(_ db: Database) throws {
    try db.execute(sql: notes)
    for step in steps {
      try step.apply(db)
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [step.name])
    }
    try ChangeSealer(mode: .creating).seal(db, ["user": [HistoryStore.localUser.rawValue]])
  }
}
