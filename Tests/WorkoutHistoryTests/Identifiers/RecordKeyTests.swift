import Foundation
import GRDB
import Motion
import Testing

@testable import WorkoutHistory

@Suite struct RecordKeyTests {
  @Test func keysOfDifferentKindsAreDifferentTypes() {
    let plan: WorkoutPlan.Key = "4F0C"
    let exercise: CatalogExercise.Key = "4F0C"
    #expect(type(of: plan) != type(of: exercise))
    #expect(Swift.Set([plan, "4F0C", WorkoutPlan.Key("a")]).count == 2)
  }

  @Test func textIsKeptUnchanged() {
    // Case and white space matter: two spellings in a source are two records.
    #expect(HistorySetRow.Key("a") != "A" && HistorySetRow.Key(" a") != "a")
    let number = 3
    let key: HistorySetRow.Key = "S/\(number)"
    #expect(key.rawValue == "S/3" && "\(key)" == "S/3" && HistorySetRow.Key("\(key)") == key)
    #expect(HistorySetRow.Key("").rawValue.isEmpty)
  }

  @Test func isAPlainStringInJSON() throws {
    let key = HistoryUser.Key("ana \"é\"")
    let json = try JSONEncoder().encode([key])
    #expect(json == (try JSONEncoder().encode(["ana \"é\""])))
    #expect(try JSONDecoder().decode([HistoryUser.Key].self, from: json) == [key])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([HistoryUser.Key].self, from: Data("[7]".utf8))
    }
  }

  @Test func isPlainTextInTheDatabase() throws {
    // The last one is valid JSON, and looks like an encoded key.
    for text in ["W", "", "7", "é/%2F", "\"W\"", "e\u{301}"] {
      let key = HistoryWorkoutRow.Key(text)
      #expect(key.databaseValue == text.databaseValue)
      try DatabaseQueue().read { db in
        let row = try #require(
          try Row.fetchOne(db, sql: "SELECT ?1 AS key, typeof(?1) AS type", arguments: [key]))
        #expect(try row.value("type") == "text")
        let stored: String = try row.value("key")
        #expect(Array(stored.unicodeScalars) == Array(text.unicodeScalars))
        #expect(try row.value("key") == key)
        #expect(
          try HistoryWorkoutRow.Key.fetchOne(db, sql: "SELECT ?", arguments: [key]) == key)
        #expect(try HistoryWorkoutRow.Key.fetchOne(db, sql: "SELECT NULL") == nil)
      }
    }
    #expect(HistoryWorkoutRow.Key.fromDatabaseValue(7.databaseValue) == nil)
  }

  @Test func kindsAreConvertedExplicitly() {
    let exercise: CatalogExercise.Key = "E"
    #expect(HistoryExerciseRow.Key(exercise) == "E")
    #expect(DeletedSamples.Key(HistorySetRow.Key("X")) == "X")
    #expect(DeletedSamples.Key(HistoryRecordingRow.Key("R")) == "R")
  }

  @Test func sourceIDsAreKeys() {
    let identity = SetIdentity(sessionId: "S", setId: "X")
    #expect(identity.workoutKey == "S" && identity.setKey == "X" && identity.exerciseKey == nil)
  }
}
