import Foundation
import GRDB
import TestSupport
import Testing

@testable import WorkoutHistory

@Suite("Dates round-trip")
struct HistoryDateTests {
  /// Dates of recordings, of births long ago, and at the limits of exactness.
  static let exact: [Double] = [
    1_734_539_285.123456, 1_734_539_285.1234567, 1_262_304_000.000001, 978_307_200,
    978_307_199.999_999_9, 757_382_400.123456, 489_153_600.000_000_1, 4_102_444_800.75,
    99_999_999_999.987_65, 0, 1, 1000.25, -86_400, -1_577_923_200, 0.5,
  ]

  @Test("Exact to the bit, as REAL", arguments: exact)
  func columns(seconds: Double) throws {
    let folder = try TemporaryFolder()
    let store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
    var user = HistoryUser(uuid: "U", name: "Ana")
    user.birthDate = Date(timeIntervalSince1970: seconds)
    let saved = try store.users.save(user)
    #expect(saved.birthDate == user.birthDate)
    let row = try #require(
      try store.read {
        try Row.fetchOne(
          $0, sql: "SELECT birthDate, typeof(birthDate) AS kind FROM user WHERE uuid = 'U'")
      })
    #expect(row["kind"] == "real")
    #expect((row["birthDate"] as Double).bitPattern == seconds.bitPattern)
    #expect(try row.date("birthDate")?.timeIntervalSince1970.bitPattern == seconds.bitPattern)
  }

  @Test("A fraction of a second long ago is kept to 60 ns", arguments: [5.3, 300_000_000.1, -0.7])
  func longAgo(seconds: Double) throws {
    let date = try #require(try Row(["t": seconds]).date("t"))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 6e-8)
  }

  @Test("Impossible dates are passed on", arguments: [1e300, -1e300, .infinity, -.infinity])
  func absurd(seconds: Double) throws {
    let date = try Row(["t": seconds]).date("t")
    #expect(date?.timeIntervalSince1970 == seconds)
  }

  @Test func nullsAndOtherTypes() throws {
    #expect(try Row(["t": nil]).date("t") == nil)
    #expect(try Row(["t": 12]).date("t") == Date(timeIntervalSince1970: 12))
    #expect(throws: RowDecodingError.self) { try Row(["t": "1970-01-01"]).date("t") }
  }
}
