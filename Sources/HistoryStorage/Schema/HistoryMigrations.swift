import GRDB

extension HistoryStore {
  /// The version of the current schema: the number of its last migration.
  package static let schemaVersion = HistoryMigrations.steps.count
}

/// The history's schema as named migrations. Released migrations are never edited (`CONTRIBUTING.md`).
enum HistoryMigrations {
  struct Step: Sendable {
    var name: String
    var apply: @Sendable (Database) throws -> Void
  }

  static let steps = [
    Step(name: "v1") { db in
      try db.execute(sql: String(decoding: PackageResources.Schema_sql, as: UTF8.self))
    }
  ]

  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    for step in steps { migrator.registerMigration(step.name, migrate: step.apply) }
    return migrator
  }()

  /// SQL of the table in which GRDB records applied migrations, exactly as GRDB creates it.
  static let notes = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// Applies all migrations to an empty database within a transaction, and records them like GRDB.
  static func makeAll(_ db: Database) throws {
    try db.execute(sql: notes)
    for step in steps {
      try step.apply(db)
      try db.execute("INSERT INTO grdb_migrations VALUES (?)", step.name)
    }
    try ChangeSealer.seal(db, ["user": [HistoryUser.ID.local.rawValue]], .creating)
  }
}
