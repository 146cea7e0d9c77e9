import Foundation
import GRDB

public struct HistoryUsers: Sendable {
  let store: HistoryStore

  /// Adds a person, or updates the one with that uuid.
  @discardableResult
  package func save(_ user: HistoryUser) throws -> HistoryUser {
    let user = try Self.checked(user)
    return try store.write { db in
      if let providerId = user.providerId,
        let other = try db.value(
          "SELECT uuid FROM user WHERE providerId = ?", providerId, as: HistoryUser.Key.self),
        other != user.uuid
      {
        throw RuleViolation.providerIdTaken(providerId)
      }
      let columns = try user.columns().filter { $0.key != "id" }
      let id: HistoryUser.ID = try db.upsert(
        "user", by: ["uuid"], keeping: ["createdAt"], columns.mapValues { $0 })
      var saved = user
      (saved.id, saved.createdAt) = (id, try Self.user(db, id: id)?.createdAt)
      return saved
    }
  }

  /// Returns the row of the person with a uuid or log-in id, adding one if there is none.
  public func findOrAdd(_ reference: HistoryUser.Key) throws -> HistoryUser.ID {
    if let id = try store.read({ try Self.id($0, reference) }) { return id }
    try save(HistoryUser(uuid: reference, name: reference.rawValue))
    return try store.read { try $0.written("SELECT id FROM user WHERE uuid = ?", reference) }
  }

  private static func checked(_ user: HistoryUser) throws(RuleViolation) -> HistoryUser {
    var copy = user
    copy.name = try HistoryRules.text(user.name, .userName, HistoryRules.name)
    copy.email = try HistoryRules.optionalText(user.email, .email, 3...320)
    copy.gender = try HistoryRules.optionalText(user.gender, .gender, 1...100)
    copy.locale = try HistoryRules.optionalText(user.locale, .locale, 1...100)
    try HistoryRules.check(user.height, .height, HistoryRules.height)
    try HistoryRules.check(user.weight, .bodyWeight, HistoryRules.bodyWeight)
    try HistoryRules.check(date: user.birthDate, .birthDate)
    try HistoryRules.check(date: user.lastLoginDate, .startTime)
    try HistoryRules.check(date: user.subscriptionStartDate, .startTime)
    try HistoryRules.check(date: user.subscriptionValidUntil, .endTime)
    return copy
  }

  package func user(_ reference: HistoryUser.Key) throws -> HistoryUser? {
    try store.read { db in try Self.id(db, reference).flatMap { try Self.user(db, id: $0) } }
  }

  package func all() throws -> [HistoryUser] {
    try store.read { try $0.rows("SELECT * FROM user ORDER BY id").map { try $0.record() } }
  }

  /// Returns persons inactive for seven days, who should be logged out and their open workouts closed.
  package func inactive(at date: Date) throws -> [HistoryUser] {
    try store.read {
      try $0.rows(
        Self.inactiveQuery, date.timeIntervalSince1970 - HistoryRules.inactivityTimeout
      ).map { try $0.record() }
    }
  }

  static let inactiveQuery = "SELECT * FROM user WHERE lastLoginDate <= ? ORDER BY lastLoginDate"

  /// Returns the person with a uuid or log-in id. Ignores case, unless an id matches exactly.
  package static func id(_ db: Database, _ reference: HistoryUser.Key) throws -> HistoryUser.ID? {
    try db.value(
      """
      SELECT id FROM user
      WHERE uuid = ?1 COLLATE NOCASE OR providerId = ?1 COLLATE NOCASE
      ORDER BY uuid <> ?1, providerId IS NOT ?1, uuid <> ?1 COLLATE NOCASE, id LIMIT 1
      """, reference, as: HistoryUser.ID.self)
  }

  package static func user(_ db: Database, id: HistoryUser.ID) throws -> HistoryUser? {
    try db.row("SELECT * FROM user WHERE id = ?", id).map { try $0.record() }
  }
}
