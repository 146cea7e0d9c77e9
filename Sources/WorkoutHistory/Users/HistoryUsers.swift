import Foundation
import GRDB

extension HistoryStore {
  /// The default owner, for data without a named person.
  public static let localUser = HistoryUser.localId

  /// The persons of a history.
  public var users: HistoryUsers { HistoryUsers(store: self) }
}

/// The persons of a history.
public struct HistoryUsers: Sendable {
  let store: HistoryStore

  /// Adds a person, or updates the one with that uuid.
  @discardableResult
  package func save(_ user: HistoryUser) throws -> HistoryUser {
    let user = try Self.checked(user)
    return try store.write { db in
      if let providerId = user.providerId,
        let other = try HistoryUser.Key.fetchOne(
          db, sql: "SELECT uuid FROM user WHERE providerId = ?", arguments: [providerId]),
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
      guard let saved = try Self.user(db, id: id) else {
        throw HistoryError.damaged(reason: "a user was not written")
      }
      return saved
    }
  }

  /// Returns the row of the person with a uuid or log-in id, adding one if there is none.
  public func findOrAdd(_ reference: HistoryUser.Key) throws -> HistoryUser.ID {
    if let id = try user(reference)?.id { return id }
    guard let id = try save(HistoryUser(uuid: reference, name: reference.rawValue)).id else {
      throw HistoryError.damaged(reason: "a person was not written")
    }
    return id
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

  /// Returns the person with a uuid, or else with a log-in id; nil if there is none.
  package func user(_ reference: HistoryUser.Key) throws -> HistoryUser? {
    try store.read { db in
      guard let id = try Self.id(db, reference) else { return nil }
      return try Self.user(db, id: id)
    }
  }

  /// Returns all persons in order of insertion.
  package func all() throws -> [HistoryUser] {
    try store.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM user ORDER BY id").map(HistoryUser.init)
    }
  }

  /// Returns persons who have not come back for seven days. They should be logged out, and their workouts in
  /// progress closed.
  package func inactive(at date: Date) throws -> [HistoryUser] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: Self.inactiveQuery,
        arguments: [date.timeIntervalSince1970 - HistoryRules.inactivityTimeout]
      ).map(HistoryUser.init)
    }
  }

  static let inactiveQuery = "SELECT * FROM user WHERE lastLoginDate <= ? ORDER BY lastLoginDate"

  /// Returns persons whose subscription has expired.
  package func expiredSubscriptions(at date: Date) throws -> [HistoryUser] {
    try store.read { db in
      try Row.fetchAll(db, sql: Self.expiredQuery, arguments: [date.timeIntervalSince1970]).map(
        HistoryUser.init)
    }
  }

  static let expiredQuery = """
    SELECT * FROM user WHERE subscriptionValidUntil < ? AND subscriptionType = 1
    ORDER BY subscriptionValidUntil
    """

  /// Returns the person with a uuid or log-in id. Case is ignored, unless a person's id matches exactly.
  static func id(_ db: Database, _ reference: HistoryUser.Key) throws -> HistoryUser.ID? {
    try HistoryUser.ID.fetchOne(
      db,
      sql: """
        SELECT id FROM user
        WHERE uuid = ?1 COLLATE NOCASE OR providerId = ?1 COLLATE NOCASE
        ORDER BY uuid <> ?1, providerId IS NOT ?1, uuid <> ?1 COLLATE NOCASE, id LIMIT 1
        """, arguments: [reference])
  }

  static func user(_ db: Database, id: HistoryUser.ID) throws -> HistoryUser? {
    try Row.fetchOne(db, sql: "SELECT * FROM user WHERE id = ?", arguments: [id])
      .map(HistoryUser.init)
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
