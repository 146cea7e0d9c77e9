import GRDB

extension HistoryPlans {
  /// Adds a split, or updates the one with its uuid.
  @discardableResult
  package func save(
    _ split: TrainingSplit, user: HistoryUser.ID = HistoryStore.localUser
  ) throws -> TrainingSplit {
    var checked = split
    checked.name = try HistoryRules.text(split.name, .splitName, HistoryRules.name)
    checked.intro = try HistoryRules.text(split.intro, .intro, HistoryRules.description)
    let saved = checked
    try store.write { db in
      try db.execute(
        sql: """
          INSERT INTO split (userId, uuid, name, intro) VALUES (?, ?, ?, ?)
          ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, intro = excluded.intro
            WHERE userId = excluded.userId
          """, arguments: [user, saved.uuid, saved.name, saved.intro])
      guard db.changesCount == 1 else {
        throw HistoryError.notFound(reference: "split \(saved.uuid) of user \(user)")
      }
    }
    return saved
  }

  /// Returns a person's splits in order of insertion.
  package func splits(of user: HistoryUser.ID = HistoryStore.localUser) throws -> [TrainingSplit] {
    try store.read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM split WHERE userId = ? ORDER BY id", arguments: [user]
      ).map { row in
        TrainingSplit(
          uuid: try row.value("uuid"), name: try row.value("name"), intro: try row.value("intro"))
      }
    }
  }

  /// Deletes a split.
  ///
  /// - Parameter withPlans: Whether to delete the split's plans as well; otherwise they stay, without a split.
  package func deleteSplit(_ uuid: TrainingSplit.Key, withPlans: Bool) throws {
    try store.write { db in
      if withPlans {
        let users = try HistoryUser.ID.fetchSet(
          db,
          sql: """
            DELETE FROM plan WHERE splitId = (SELECT id FROM split WHERE uuid = ?) RETURNING userId
            """, arguments: [uuid])
        for user in users { try Self.touchOwner(db, user) }
      }
      try db.execute(sql: "DELETE FROM split WHERE uuid = ?", arguments: [uuid])
      guard db.changesCount > 0 else { throw HistoryError.notFound(reference: "split \(uuid)") }
    }
  }
}
