import GRDB

extension HistoryStore {
  /// Records what a person says that a set's count was; the machine's count stays beside it.
  ///
  /// - Parameters:
  ///   - id: The set's row.
  ///   - reps: The person's count, 0 for "that was no set"; nil takes the correction back.
  ///   - date: When they said it, in seconds since 1970: of two corrections the newer wins.
  /// - Throws: ``HistoryError/notFound(reference:)``; ``RuleViolation`` for a count that cannot be.
  public func correct(set id: Int64, reps: Int?, at date: Double? = nil) throws {
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try HistoryRules.check(date: date, .endTime)
    try write { db in
      try Self.correct(db, set: id, reps: reps, date: date)
      guard db.changesCount == 1 else { throw HistoryError.notFound(reference: "set \(id)") }
    }
  }

  /// Records what a person says of a set by its key, whether it is history already or belongs to
  /// the workout under way.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)``, ``RuleViolation``.
  public func correct(
    set key: String, reps: Int?, at date: Double? = nil, user: Int64 = HistoryStore.localUser
  ) throws {
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    try HistoryRules.check(date: date, .endTime)
    try write { try Self.correct($0, set: key, reps: reps, date: date, user: user) }
  }

  /// - Parameter session: The session that names the set; nil where only the set is named.
  static func correct(
    _ db: Database, set key: String, session: String? = nil, reps: Int?, date: Double?, user: Int64
  ) throws {
    try HistoryRules.check(reps, .actualReps, HistoryRules.actualReps)
    let name = SetName(globalKey: key)
    try db.execute(
      sql: """
        UPDATE currentSet SET correctedReps = ?1 WHERE userId = ?2
          AND EXISTS (SELECT 1 FROM currentExercise e JOIN currentSession c ON c.id = e.sessionId
            WHERE e.id = currentSet.exerciseId
              AND (currentSet.key = ?3 AND (?4 IS NULL OR c.key = ?4)
                OR currentSet.key = ?5 AND c.key = ?6))
        """, arguments: [reps, user, key, session, name.key, name.session])
    if db.changesCount == 1 { return }
    guard let id = try setId(db, named: key, session: session, user: user) else {
      throw HistoryError.notFound(reference: "set \(key)")
    }
    try correct(db, set: id, reps: reps, date: date)
  }

  private static func correct(
    _ db: Database, set id: Int64, reps: Int?, date: Double?
  ) throws {
    try db.execute(
      sql: """
        UPDATE historySet SET correctedReps = ?1,
          correctedAt = coalesce(?2, (julianday('now') - 2440587.5) * 86400.0) WHERE id = ?3
        """, arguments: [reps, date, id])
  }

  /// Changes what a person knows of a set: weight and target. Nil leaves it as it is.
  ///
  /// - Throws: ``HistoryError/notFound(reference:)``, ``RuleViolation``.
  public func update(set id: Int64, weight: Double? = nil, targetReps: Int? = nil) throws {
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try HistoryRules.check(targetReps, .targetReps, HistoryRules.targetReps)
    try write { db in
      try db.execute(
        sql: """
          UPDATE historySet SET weight = coalesce(?, weight), targetReps = coalesce(?, targetReps)
          WHERE id = ?
          """, arguments: [weight, targetReps, id])
      guard db.changesCount == 1 else { throw HistoryError.notFound(reference: "set \(id)") }
    }
  }
}
