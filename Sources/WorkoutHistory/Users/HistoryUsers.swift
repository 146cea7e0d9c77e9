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
      let id: HistoryUser.ID = try db.upsert(
        "user", by: ["uuid"], keeping: ["createdAt"],
        [
          "uuid": user.uuid, "name": user.name, "email": user.email,
          "providerId": user.providerId, "birthDate": user.birthDate?.timeIntervalSince1970,
          "gender": user.gender, "height": user.height, "weight": user.bodyWeight,
          "locale": user.locale, "createdAt": user.createdAt?.timeIntervalSince1970,
          "lastLoginDate": user.lastLoginDate?.timeIntervalSince1970,
          "subscriptionType": user.subscription.rawValue,
          "subscriptionStartDate": user.subscriptionStartDate?.timeIntervalSince1970,
          "subscriptionValidUntil": user.subscriptionValidUntil?.timeIntervalSince1970,
        ])
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
    try HistoryRules.check(user.bodyWeight, .bodyWeight, HistoryRules.bodyWeight)
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
    try store.read { try $0.rows("SELECT * FROM user ORDER BY id").map(HistoryUser.init) }
  }

  /// Returns persons who have not come back for seven days. They should be logged out, and their workouts in
  /// progress closed.
  package func inactive(at date: Date) throws -> [HistoryUser] {
    try store.read { db in
      try db.rows(
        Self.inactiveQuery, date.timeIntervalSince1970 - HistoryRules.inactivityTimeout
      ).map(HistoryUser.init)
    }
  }

  static let inactiveQuery = "SELECT * FROM user WHERE lastLoginDate <= ? ORDER BY lastLoginDate"

  /// Returns the person with a uuid or log-in id. Case is ignored, unless a person's id matches exactly.
  static func id(_ db: Database, _ reference: HistoryUser.Key) throws -> HistoryUser.ID? {
    try db.value(
      """
      SELECT id FROM user
      WHERE uuid = ?1 COLLATE NOCASE OR providerId = ?1 COLLATE NOCASE
      ORDER BY uuid <> ?1, providerId IS NOT ?1, uuid <> ?1 COLLATE NOCASE, id LIMIT 1
      """, reference, as: HistoryUser.ID.self)
  }

  static func user(_ db: Database, id: HistoryUser.ID) throws -> HistoryUser? {
    try db.row("SELECT * FROM user WHERE id = ?", id).map(HistoryUser.init)
  }
}

extension HistoryUser {
  init(_ row: Row) throws {
    self.init(uuid: try row.value("uuid"), name: try row.value("name"))
    id = try row.value("id")
    email = try row.value("email")
    providerId = try row.value("providerId")
    birthDate = try row.date("birthDate")
    gender = try row.value("gender")
    height = try row.value("height")
    bodyWeight = try row.value("weight")
    locale = try row.value("locale")
    createdAt = try row.date("createdAt")
    lastLoginDate = try row.date("lastLoginDate")
    subscription = SubscriptionType(rawValue: try row.value("subscriptionType")) ?? .free
    subscriptionStartDate = try row.date("subscriptionStartDate")
    subscriptionValidUntil = try row.date("subscriptionValidUntil")
  }
}
