extension HistoryMigrations {
  /// The change feed. Every change of a synced row gets the next number, whoever makes it and
  /// however: triggers see to it.
  static let sync4 =
    """
    CREATE TABLE changeCounter (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      value INTEGER NOT NULL
    ) STRICT;
    INSERT INTO changeCounter VALUES (1, 0);
    CREATE TABLE deletion (
      changeNumber INTEGER PRIMARY KEY,
      userId INTEGER,
      entity TEXT NOT NULL,
      key TEXT NOT NULL,
      deletedAt REAL NOT NULL
    ) STRICT;
    CREATE INDEX deletionByUser ON deletion (userId);
    CREATE INDEX deletionByKey ON deletion (entity, key);

    """
    + synced4.map(triggers4).joined()
      + """
      CREATE TRIGGER userDeletedFeed AFTER DELETE ON user BEGIN
        DELETE FROM deletion WHERE userId = OLD.id;
        UPDATE changeCounter SET value = value + 1;
        INSERT INTO deletion VALUES ((SELECT value FROM changeCounter), NULL, 'user', OLD.uuid,
          \(now4));
      END;
      CREATE TRIGGER planItemInsertedFeed AFTER INSERT ON planItem BEGIN
        UPDATE workoutPlan SET itemsVersion = itemsVersion + 1 WHERE id = NEW.planId;
      END;
      CREATE TRIGGER planItemUpdatedFeed AFTER UPDATE ON planItem BEGIN
        UPDATE workoutPlan SET itemsVersion = itemsVersion + 1 WHERE id = NEW.planId;
      END;
      CREATE TRIGGER planItemDeletedFeed AFTER DELETE ON planItem BEGIN
        UPDATE workoutPlan SET itemsVersion = itemsVersion + 1 WHERE id = OLD.planId;
      END;
      """

  /// Seconds since 1970.
  private static let now4 = "(julianday('now') - 2440587.5) * 86400.0"

  struct Synced4 {
    var table: String
    var key: String
    /// The columns whose changes are changes of the row.
    var columns: [String]
    var ownerIsOptional = false
    var hasOwner = true
    /// A condition on its deletion: where a parent goes, the parent's deletion says it all.
    var deletedWhen: String?
  }

  static let synced4 = [
    Synced4(
      table: "user", key: "OLD.uuid",
      columns: [
        "uuid", "name", "email", "providerId", "birthDate", "gender", "height", "weight",
        "locale", "subscriptionType", "subscriptionStartDate", "subscriptionValidUntil",
      ], hasOwner: false),
    Synced4(
      table: "exerciseTemplate", key: "OLD.uuid",
      columns: [
        "userId", "uuid", "templateId", "name", "muscleGroup", "muscleSubgroup", "typeId",
        "equipment", "gripVariation", "setup", "description", "videoURL", "defaultSets",
        "defaultReps", "defaultRestTime", "defaultWeight", "musclesVersion",
      ], ownerIsOptional: true),
    Synced4(table: "split", key: "OLD.uuid", columns: ["userId", "uuid", "name", "intro"]),
    Synced4(
      table: "workoutPlan", key: "OLD.uuid",
      columns: [
        "userId", "uuid", "splitId", "autoTitle", "title", "description", "\"order\"", "isActive",
        "itemsVersion",
      ]),
    Synced4(
      table: "workoutHistory", key: "OLD.key",
      columns: [
        "userId", "key", "sessionId", "date", "planId", "planTitle", "endTime", "focus",
        "intensity", "status",
      ]),
    Synced4(
      table: "historyExercise",
      key: "(SELECT key FROM workoutHistory WHERE id = OLD.workoutId) || '/' || OLD.key",
      columns: [
        "userId", "workoutId", "key", "exerciseId", "name", "\"order\"", "templateId",
        "startTime", "endTime", "completed",
      ], deletedWhen: "EXISTS (SELECT 1 FROM workoutHistory WHERE id = OLD.workoutId)"),
    Synced4(
      table: "historySet", key: "OLD.key",
      columns: [
        "userId", "exerciseId", "key", "\"order\"", "cause", "targetReps", "detectedReps",
        "confidence", "correctedReps", "weight", "startTime", "endTime", "restTime",
      ]),
  ]

  private static func triggers4(_ synced: Synced4) -> String {
    let table = synced.table
    return """
      ALTER TABLE \(table) ADD COLUMN updatedAt REAL;
      ALTER TABLE \(table) ADD COLUMN changeNumber INTEGER NOT NULL DEFAULT 0;
      UPDATE \(table) SET changeNumber = (SELECT value FROM changeCounter) + id;
      UPDATE changeCounter SET value = max(value,
        (SELECT coalesce(max(changeNumber), 0) FROM \(table)));
      CREATE INDEX \(table)ByChange ON \(table) (changeNumber);

      """ + feedTriggers4(synced)
  }

  /// The triggers alone, for a table that is made anew.
  static func feedTriggers4(_ synced: Synced4) -> String {
    let table = synced.table
    let stamp = """
      UPDATE changeCounter SET value = value + 1;
        UPDATE \(table) SET changeNumber = (SELECT value FROM changeCounter),
          updatedAt = \(now4), cloudSyncStatus = 0 WHERE id = NEW.id;
      """
    let isChanged = synced.columns.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
    var sql = """
      CREATE TRIGGER \(table)InsertedFeed AFTER INSERT ON \(table) BEGIN
        \(stamp)
      END;
      CREATE TRIGGER \(table)UpdatedFeed
        AFTER UPDATE OF \(synced.columns.joined(separator: ", ")) ON \(table)
        WHEN \(isChanged)
      BEGIN
        \(stamp)
      END;

      """
    if synced.hasOwner {
      // Where the owner goes, the owner's deletion says it all.
      var condition = "EXISTS (SELECT 1 FROM user WHERE id = OLD.userId)"
      if synced.ownerIsOptional { condition = "OLD.userId IS NULL OR " + condition }
      if let further = synced.deletedWhen { condition += " AND " + further }
      sql += """
        CREATE TRIGGER \(table)DeletedFeed AFTER DELETE ON \(table) WHEN \(condition) BEGIN
          UPDATE changeCounter SET value = value + 1;
          INSERT INTO deletion VALUES ((SELECT value FROM changeCounter), OLD.userId, '\(table)',
            \(synced.key), \(now4));
        END;

        """
    }
    return sql
  }
}
