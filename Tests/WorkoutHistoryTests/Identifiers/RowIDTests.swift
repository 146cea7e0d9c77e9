import Foundation
import GRDB
import Testing

@testable import WorkoutHistory

@Suite struct RowIDTests {
  @Test func numbersOfDifferentKindsAreDifferentTypes() {
    let user: HistoryUser.ID = 7
    let set: HistorySetRow.ID = 7
    #expect(type(of: user) != type(of: set))
    #expect(Swift.Set([user, 7, HistoryUser.ID(8)]).count == 2)
  }

  @Test func readsAndWritesDigits() {
    #expect(HistorySetRow.ID("12") == 12)
    #expect("\(HistorySetRow.ID(-3))" == "-3")
    for text in ["", "a", "1.0", "9223372036854775808"] { #expect(HistorySetRow.ID(text) == nil) }
  }

  @Test func isAPlainNumberInJSONAndInTheDatabase() throws {
    let id = HistorySetRow.ID(.max)
    let json = try JSONEncoder().encode([id])
    #expect(String(decoding: json, as: UTF8.self) == "[9223372036854775807]")
    #expect(try JSONDecoder().decode([HistorySetRow.ID].self, from: json) == [id])
    #expect(id.databaseValue == Int64.max.databaseValue)
    #expect(HistorySetRow.ID.fromDatabaseValue("x".databaseValue) == nil)
  }
}
