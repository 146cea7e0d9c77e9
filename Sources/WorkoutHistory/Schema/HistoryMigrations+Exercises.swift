import GRDB

extension HistoryMigrations {
  /// Who named a set's exercise.
  static func exercises9(_ db: Database) throws {
    let tables = ["historySet", "currentSet"].map { ProtectedTable(name: $0) }
    for table in tables {
      // They get a column more. The rows that are damaged keep their checksums, and stay so.
      try db.execute(
        sql: "UPDATE \(table.name) SET checksum = NULL WHERE NOT (\(table.isDamaged(db)))")
      try db.execute(
        sql: """
          -- NULL: the recording, or the workout's messages. Those do not change what another named.
          ALTER TABLE \(table.name) ADD COLUMN exerciseSource TEXT
            CHECK (exerciseSource IN ('person', 'copy')); -- copy: another copy of the history
          """)
    }
    // Whoever changed an exercise until now: it may have been a person.
    try db.execute(
      sql: """
        UPDATE historySet SET exerciseSource = 'person'
        WHERE id IN (SELECT row FROM fieldStamp WHERE entity = 6 AND field = 'exercise')
          AND exerciseId IN (SELECT id FROM historyExercise WHERE key <> '')
        """)
    for table in tables {
      try table.protect(db)
      try db.execute(sql: table.sealingStatement(db))
    }
  }
}
