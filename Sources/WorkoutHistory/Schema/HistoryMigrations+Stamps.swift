import GRDB

extension HistoryMigrations {
  /// When each field was changed, what has gone and by whom, and how far this copy and its centre
  /// have told each other.
  static func stamps7(_ db: Database) throws {
    try db.execute(sql: tables7)
    for table in Stamped7.all {
      try db.execute(sql: old7(table))
      try db.execute(sql: triggers7(table))
    }
    try db.execute(sql: activePlan7)
    // They have a column more now.
    for name in ["recording", "deletedSamples"] {
      let table = ProtectedTable(name: name)
      try table.protect(db)
      try db.execute(sql: "UPDATE \(name) SET checksum = NULL")
      try db.execute(sql: table.sealingStatement(db))
    }
  }

  private static let tables7 = """
    -- This copy's hybrid logical clock.
    CREATE TABLE syncClock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      device TEXT NOT NULL CHECK (length(device) = 16), -- random: this copy's id in its stamps
      time INTEGER NOT NULL, -- of its last stamp: milliseconds since 1970 · 65536 + a counter
      floor INTEGER NOT NULL, -- up to which stamps were seen elsewhere, and stay as they are
      correction INTEGER NOT NULL, -- milliseconds that the machine's clock is behind the centre's
      isMerging INTEGER NOT NULL CHECK (isMerging IN (0, 1)) -- changes come with their stamps
    ) STRICT;
    INSERT INTO syncClock VALUES (1, lower(hex(randomblob(8))), 0, 0, 0, 0);

    -- When a field of a row was changed; without a name, when the row was made.
    CREATE TABLE fieldStamp (
      entity INTEGER NOT NULL, -- as SyncEntity numbers them
      row INTEGER NOT NULL,
      field TEXT NOT NULL,
      stamp TEXT NOT NULL,
      PRIMARY KEY (entity, row, field)
    ) STRICT, WITHOUT ROWID;

    -- What has gone: by a person's decision, or by a machine's. Either may be taken back.
    CREATE TABLE tombstone (
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      entity INTEGER NOT NULL,
      key TEXT NOT NULL,
      deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
      deletedStamp TEXT NOT NULL DEFAULT '',
      removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
      removedStamp TEXT NOT NULL DEFAULT '',
      isPending INTEGER NOT NULL DEFAULT 1 CHECK (isPending IN (0, 1)),
      PRIMARY KEY (userId, entity, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tombstonePending ON tombstone (userId, entity) WHERE isPending = 1;

    -- The centre to which a person's rows go.
    CREATE TABLE syncPeer (
      userId INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
      centre TEXT NOT NULL, -- its id
      position INTEGER NOT NULL, -- the last of its changes that is here
      activePlan TEXT -- the plan that is to be active as soon as it is here
    ) STRICT;

    -- Samples that are on their way here, by the SHA-256 of all of them.
    CREATE TABLE syncBlob (
      digest TEXT PRIMARY KEY,
      size INTEGER NOT NULL, -- in bytes, of the whole
      data BLOB NOT NULL -- what has come
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE recording ADD COLUMN segmentsVersion INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE recording ADD COLUMN cloudSyncStatus INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE recording ADD COLUMN changeNumber INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE deletedSamples ADD COLUMN cloudSyncStatus INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE deletedSamples ADD COLUMN changeNumber INTEGER NOT NULL DEFAULT 0;
    CREATE TRIGGER timelineSegmentInsertedFeed AFTER INSERT ON timelineSegment BEGIN
      UPDATE recording SET segmentsVersion = segmentsVersion + 1 WHERE id = NEW.recordingId;
    END;
    -- A segment of another set has other bytes. Its link is loosened and tied at each saving.
    CREATE TRIGGER timelineSegmentUpdatedFeed
      AFTER UPDATE OF position, firstSample, sampleCount ON timelineSegment
      WHEN OLD.position IS NOT NEW.position OR OLD.firstSample IS NOT NEW.firstSample
        OR OLD.sampleCount IS NOT NEW.sampleCount
    BEGIN
      UPDATE recording SET segmentsVersion = segmentsVersion + 1 WHERE id = NEW.recordingId;
    END;
    CREATE TRIGGER timelineSegmentDeletedFeed AFTER DELETE ON timelineSegment BEGIN
      UPDATE recording SET segmentsVersion = segmentsVersion + 1 WHERE id = OLD.recordingId;
    END;
    CREATE TRIGGER timelineBlobUpdatedFeed AFTER UPDATE OF data ON timelineBlob
      WHEN OLD.data IS NOT NEW.data
    BEGIN
      UPDATE recording SET segmentsVersion = segmentsVersion + 1
      WHERE id = (SELECT recordingId FROM timelineSegment WHERE id = NEW.segmentId);
    END;

    """

  /// Makes the next stamp. A clock that is behind does not go back: the counter goes on.
  static let tick7 = """
    UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
    """

  static let stamp7 = "(SELECT printf('%016x', time) || device FROM syncClock)"
  private static let isOwn7 = "(SELECT isMerging FROM syncClock) = 0"

  /// The next number of the change feed for a row that has none of its own triggers for it.
  private static func feed7(_ table: String, id: String) -> String {
    """
    UPDATE changeCounter SET value = value + 1;
      UPDATE \(table) SET changeNumber = (SELECT value FROM changeCounter), cloudSyncStatus = 0
        WHERE id = \(id);
    """
  }

  /// What was there before: rows as old as they say, and deletions, which a person made. What the
  /// machine removed is not told apart in them: it stays removed as well.
  private static func old7(_ table: Stamped7) -> String {
    let number = table.number
    let hasTime = !table.ownsFeed
    var sql = """
      INSERT INTO fieldStamp SELECT \(number), id, '',
          printf('%016x', CAST(coalesce(\(hasTime ? "updatedAt" : "NULL"), 0) * 1000 AS INTEGER)
            << 16) || (SELECT device FROM syncClock)
        FROM \(table.name);
      CREATE INDEX \(table.name)Pending ON \(table.name) (changeNumber) WHERE cloudSyncStatus = 0;

      """
    if hasTime, !table.isUser {
      sql += """
        INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp)
          SELECT u.id, \(number), d.key, 1, printf('%016x',
              CAST(coalesce(max(d.deletedAt), 0) * 1000 AS INTEGER) << 16)
              || (SELECT device FROM syncClock)
          FROM deletion d JOIN user u ON u.id = d.userId OR d.userId IS NULL
          WHERE d.entity = '\(table.name)' AND d.key IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM \(table.name) t WHERE \(table.key(of: "t")) = d.key
              AND (t.userId = u.id OR t.userId IS NULL))
          GROUP BY u.id, d.key;

        """
    }
    return sql
  }

  private static func triggers7(_ table: Stamped7) -> String {
    let number = table.number
    let name = table.name
    /// What has come back has not gone.
    func revive(_ row: String) -> String {
      """
      UPDATE tombstone SET removed = 0, removedStamp = \(stamp7), isPending = 1, deleted = 0,
          deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE \(stamp7) END
        WHERE \(isOwner7(table, row)) AND entity = \(number) AND key = \(table.key(of: row));
      """
    }
    let kind = table.endsByPerson ? "deleted" : "removed"
    func bury(_ when: String) -> String {
      """
      INSERT INTO tombstone (userId, entity, key, \(kind), \(kind)Stamp)
          SELECT u.id, \(number), \(table.key(of: "OLD")), 1, \(stamp7) FROM user u
          WHERE \(isOwner7(table, "OLD", user: "u.id")) AND \(table.key(of: "OLD")) IS NOT NULL
            AND \(isOwn7) \(when)
          ON CONFLICT DO UPDATE SET \(kind) = 1, \(kind)Stamp = excluded.\(kind)Stamp,
            isPending = 1;
      """
    }
    var sql = """
      CREATE TRIGGER \(name)InsertedStamp AFTER INSERT ON \(name) WHEN \(isOwn7) BEGIN
        \(tick7)
        INSERT INTO fieldStamp VALUES (\(number), NEW.id, '', \(stamp7));
        \(table.isUser ? "" : revive("NEW"))
      END;
      CREATE TRIGGER \(name)DeletedStamp AFTER DELETE ON \(name) BEGIN
        DELETE FROM fieldStamp WHERE entity = \(number) AND row = OLD.id;
        \(tick7)
        \(table.isUser ? "" : bury(""))
      END;

      """
    for field in table.fields {
      let columns = field.columns.map { "\"\($0)\"" }
      sql += """
        CREATE TRIGGER \(name)\(field.name.prefix(1).uppercased())\(field.name.dropFirst())Stamp
          AFTER UPDATE OF \(columns.joined(separator: ", ")) ON \(name)
          WHEN \(isOwn7)
            AND (\(columns.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")))
        BEGIN
          \(tick7)
          INSERT INTO fieldStamp VALUES (\(number), NEW.id, '\(field.name)', \(stamp7))
            ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
          \(table.ownsFeed ? feed7(name, id: "NEW.id") : "")
        END;

        """
    }
    if !table.keyColumns.isEmpty {
      // A row that is on its way to another key has none meanwhile.
      let isMoving = table.name == "historySet" ? "AND OLD.key <> 'moving-' || OLD.id" : ""
      sql += """
        CREATE TRIGGER \(name)RenamedStamp
          AFTER UPDATE OF \(table.keyColumns.joined(separator: ", ")) ON \(name)
          WHEN \(isOwn7)
            AND (\(table.keyColumns.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")))
        BEGIN
          \(tick7)
          \(bury(isMoving))
          \(revive("NEW"))
        END;

        """
    }
    if table.ownsFeed {
      sql += """
        CREATE TRIGGER \(name)InsertedFeed AFTER INSERT ON \(name) BEGIN
          \(feed7(name, id: "NEW.id"))
        END;

        """
    }
    return sql
  }

  /// The owner of what all share is everybody here.
  private static func isOwner7(_ table: Stamped7, _ row: String, user: String = "userId") -> String
  {
    table.name == "exerciseTemplate"
      ? "(\(user) = \(row).userId OR \(row).userId IS NULL)" : "\(user) = \(table.owner(of: row))"
  }

  /// Which plan is active is a word about the person: two plans cannot both be.
  private static let activePlan7 = """
    CREATE TRIGGER workoutPlanIsActiveStamp AFTER UPDATE OF isActive ON workoutPlan
      WHEN \(isOwn7) AND OLD.isActive IS NOT NEW.isActive
    BEGIN
      \(tick7)
      INSERT INTO fieldStamp VALUES (9, NEW.userId, 'activePlan', \(stamp7))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      \(feed7("user", id: "NEW.userId"))
    END;
    """
}

/// A table whose rows got stamps, as version 7 had it: what is synced now may be more
/// (``SyncTable``), this never is.
private struct Stamped7 {
  /// Of a field that merges as a whole, the columns whose changes are changes of it.
  struct Field {
    var name: String
    var columns: [String]

    init(_ name: String, _ columns: String...) {
      self.name = name
      self.columns = columns.isEmpty ? [name] : columns
    }
  }

  var number: Int
  var name: String
  /// The SQL of the row's key; `ROW` stands for `t`, `NEW` or `OLD`.
  var key: String
  var keyColumns: [String] = []
  var fields: [Field]
  var endsByPerson = false
  /// Whether it had no place in the change feed before, and no time of its last change.
  var ownsFeed = false

  var isUser: Bool { name == "user" }

  func key(of row: String) -> String { key.replacing("ROW", with: row) }

  func owner(of row: String) -> String { isUser ? "\(row).id" : "\(row).userId" }

  static let all = [
    Stamped7(
      number: 1, name: "exerciseTemplate", key: "ROW.uuid",
      fields: [
        Field("shared", "userId"), Field("templateId"), Field("name"),
        Field("muscles", "muscleGroup", "muscleSubgroup", "musclesVersion"),
        Field("type", "typeId"), Field("equipment"), Field("gripVariation"), Field("setup"),
        Field("description"), Field("videoURL"), Field("defaultSets"), Field("defaultReps"),
        Field("defaultRestTime"), Field("defaultWeight"),
      ], endsByPerson: true),
    Stamped7(
      number: 2, name: "split", key: "ROW.uuid", fields: [Field("name"), Field("intro")],
      endsByPerson: true),
    Stamped7(
      number: 3, name: "workoutPlan", key: "ROW.uuid",
      fields: [
        Field("title"), Field("description"), Field("order"), Field("split", "splitId"),
        Field("items", "itemsVersion"),
      ], endsByPerson: true),
    Stamped7(
      number: 4, name: "workoutHistory", key: "ROW.key", keyColumns: ["key"],
      fields: [
        Field("sessionId"), Field("date"), Field("endTime"), Field("plan", "planId"),
        Field("planTitle"), Field("focus"), Field("intensity"), Field("status"),
      ]),
    Stamped7(
      number: 5, name: "historyExercise",
      key: "(SELECT w.key FROM workoutHistory w WHERE w.id = ROW.workoutId) || '/' || ROW.key",
      keyColumns: ["workoutId", "key"],
      fields: [
        Field("workout", "workoutId", "key"), Field("exerciseId"), Field("name"), Field("order"),
        Field("template", "templateId"), Field("startTime"), Field("endTime"), Field("completed"),
      ]),
    Stamped7(
      number: 6, name: "historySet", key: "ROW.globalKey", keyColumns: ["sessionKey", "key"],
      fields: [
        Field("exercise", "exerciseId"), Field("order"), Field("cause"), Field("targetReps"),
        Field("count", "detectedReps", "confidence"), Field("correction", "correctedReps"),
        Field("weight"), Field("time", "startTime", "endTime"), Field("restTime"),
      ]),
    Stamped7(
      number: 7, name: "recording", key: "ROW.globalKey", keyColumns: ["sessionKey", "key"],
      fields: [
        Field("workout", "workoutId"),
        Field(
          "samples", "digest", "name", "sampleCount", "deletedSampleCount", "clock", "firstTime",
          "lastTime", "startTime", "isLossless", "segmentsVersion"),
      ], ownsFeed: true),
    Stamped7(
      number: 8, name: "deletedSamples",
      // The functions of JSON are none that a trigger may call.
      key: """
        quote(ROW.recordingKey) || ' ' || quote(ROW.sessionKey) || ' ' || quote(ROW.setKey) || ' '
          || ROW.firstSample || ' ' || quote(ROW.endSample)
        """,
      fields: [
        Field("samples", "recordingKey", "sessionKey", "setKey", "firstSample", "endSample")
      ], ownsFeed: true),
    Stamped7(
      number: 9, name: "user", key: "''",
      fields: [
        Field("name"), Field("email"), Field("providerId"), Field("birthDate"), Field("gender"),
        Field("height"), Field("weight"), Field("locale"),
      ]),
  ]
}
