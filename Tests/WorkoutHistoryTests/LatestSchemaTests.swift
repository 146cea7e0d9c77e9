import Foundation
import GRDB
import Testing

@testable import WorkoutHistory

/// The script that makes a new history, against the steps that bring an older one up to date.
struct LatestSchemaTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent(
      "../../Sources/WorkoutHistory/Schema/HistoryMigrations+Latest.swift")

  private func takeSteps(_ db: Database) throws {
    for step in HistoryMigrations.steps { try step.apply(db) }
  }

  private func script(of make: (Database) throws -> Void) throws -> String {
    var configuration = HistoryConnection.configuration()
    configuration.foreignKeysEnabled = false
    return try DatabaseQueue(configuration: configuration).write { db in
      try make(db)
      return try Self.script(db)
    }
  }

  /// The statements that make what is in a database: rows before triggers, which would change them.
  private static func script(_ db: Database) throws -> String {
    let objects = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, sql FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name NOT LIKE 'exerciseSearch\\_%' ESCAPE '\\' AND tbl_name <> 'grdb_migrations'
        ORDER BY rowid
        """)
    func statements(_ type: String) -> [String] {
      objects.filter { $0["type"] == type }.map { "\($0["sql"] as String);" }
    }
    var rows: [String] = []
    for object in objects where object["type"] == "table" && object["name"] != "exerciseSearch" {
      rows += try insertions(db, table: object["name"])
    }
    return
      (statements("table") + rows + statements("index") + statements("view")
      + statements("trigger")).joined(separator: "\n")
  }

  /// The copy's id in its stamps is random.
  private static func insertions(_ db: Database, table: String) throws -> [String] {
    let device = try String.fetchOne(db, sql: "SELECT device FROM syncClock") ?? ""
    let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')")
    let values = columns.map { "quote(\"\($0)\") AS \"\($0)\"" }.joined(separator: ", ")
    return try Row.fetchAll(db, sql: "SELECT \(values) FROM \"\(table)\"").map { row in
      let present = columns.filter { row[$0] != "NULL" }
      let values = present.map { column in
        let value: String = row[column]
        return value == "'\(device)'"
          ? "lower(hex(randomblob(8)))"
          : value.replacing("\(device)'", with: "' || (SELECT device FROM syncClock)")
      }
      return """
        INSERT INTO \(table) (\(present.map { "\"\($0)\"" }.joined(separator: ", ")))
          VALUES (\(values.joined(separator: ", ")));
        """
    }
  }

  /// After a new step, this writes the script:
  /// `REPTRACE_WRITE_GOLDEN=1 swift test --filter LatestSchemaTests`.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["REPTRACE_WRITE_GOLDEN"] != nil,
      "writes a file: REPTRACE_WRITE_GOLDEN"))
  func write() throws {
    let script = try script(of: takeSteps)
    let schema = try HistorySchema.expected(after: Set(HistoryMigrations.steps.map(\.name)))
    let indented = script.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    try """
    // Written by LatestSchemaTests from the steps. Do not edit.

    extension HistoryMigrations {
      /// All that the steps make of an empty database.
      static let latest = #\"""
    \(indented)
        \"""#
    }

    extension HistorySchema {
      /// The fingerprint of this schema. Where it is outdated, opening takes longer.
      static let latestFingerprint =
        "\(schema.fingerprint)"
    }

    """.write(to: Self.file, atomically: true, encoding: .utf8)
  }

  @Test func theScriptIsWhatTheStepsMake() throws {
    let steps = try script(of: takeSteps)
    let made = try script(of: HistoryMigrations.makeAll)
    // Not compared in the expectation, which would print all of both.
    let (isWritten, isMade) = (steps == HistoryMigrations.latest, steps == made)
    #expect(isWritten, "a step is not in the script: see LatestSchemaTests.write")
    #expect(isMade)
  }

  @Test func theFingerprintIsThatOfTheSchema() throws {
    let schema = try HistorySchema.expected(after: Set(HistoryMigrations.steps.map(\.name)))
    #expect(schema.fingerprint == HistorySchema.latestFingerprint)
  }
}
