import Foundation
import GRDB
import TimelineFormat

extension HistoryMigrations {
  /// Checksums of rows, sets that are known by their session and their id, reps in rows, views, and
  /// plans whose titles may be in any language.
  static func integrity5(_ db: Database) throws {
    // Tables are made anew while triggers of others refer to them.
    try db.execute(sql: "PRAGMA legacy_alter_table = ON")
    defer { try? db.execute(sql: "PRAGMA legacy_alter_table = OFF") }
    try db.execute(sql: plans5)
    try db.execute(sql: recordings5)
    try db.execute(sql: sets5)
    try db.execute(sql: reps5)
    for feed in synced4 where feed.table == "workoutPlan" {
      try db.execute(sql: feedTriggers4(feed))
    }
    try watchSets(db)
    try writeReps(db)
    try forgetNames(db)
    try nameColumnsOfDeletions(db)
    for table in ProtectedTable.all {
      try table.protect(db)
      try db.execute(sql: table.sealingStatement(db))
    }
  }

  /// The triggers of step 4 rely on the number of the table's columns, which have one more now.
  private static func nameColumnsOfDeletions(_ db: Database) throws {
    let triggers = try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM sqlite_schema
        WHERE type = 'trigger' AND sql LIKE '%INSERT INTO deletion VALUES (%' ORDER BY name
        """)
    for trigger in triggers {
      let (name, sql): (String, String) = (try trigger.value("name"), try trigger.value("sql"))
      try db.execute(sql: "DROP TRIGGER \(name)")
      try db.execute(sql: namingColumnsOfDeletions(sql))
    }
  }

  private static func namingColumnsOfDeletions(_ sql: String) -> String {
    sql.replacing(
      "INSERT INTO deletion VALUES",
      with: "INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES")
  }

  /// Makes the triggers of sets anew, for the columns that there are: after one was added.
  static func watchSets(_ db: Database) throws {
    let present = try String.fetchSet(db, sql: "SELECT name FROM pragma_table_info('historySet')")
    let watched = SetColumn.all.filter { $0.isWatched && present.contains($0.name) }
    try db.execute(
      sql: """
        DROP TRIGGER IF EXISTS historySetInsertedFeed;
        DROP TRIGGER IF EXISTS historySetUpdatedFeed;
        DROP TRIGGER IF EXISTS historySetDeletedFeed;
        """
          + feedTriggers4(
            Synced4(
              table: "historySet", key: "OLD.globalKey",
              columns: ["userId", "exerciseId"] + watched.map(\.quoted))))
    try ProtectedTable(name: "historySet").protect(db)
  }

  private static let plans5 = """
    CREATE TABLE newWorkoutPlan (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      uuid TEXT NOT NULL UNIQUE,
      splitId INTEGER REFERENCES split (id) ON DELETE SET NULL,
      autoTitle TEXT NOT NULL CHECK (length(autoTitle) BETWEEN 1 AND 100),
      title TEXT CHECK (length(title) BETWEEN 3 AND 100),
      description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 500),
      "order" INTEGER NOT NULL CHECK ("order" >= 0),
      isActive INTEGER NOT NULL DEFAULT 0 CHECK (isActive IN (0, 1)),
      itemsVersion INTEGER NOT NULL DEFAULT 0, -- counts changes of its items
      createdAt REAL,
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL,
      updatedAt REAL,
      changeNumber INTEGER NOT NULL DEFAULT 0,
      UNIQUE (userId, autoTitle)
    ) STRICT;
    INSERT INTO newWorkoutPlan SELECT id, userId, uuid, splitId, autoTitle, title, description,
      "order", isActive, itemsVersion, createdAt, cloudSyncStatus, lastCloudSync, updatedAt,
      changeNumber FROM workoutPlan;
    DROP TABLE workoutPlan;
    ALTER TABLE newWorkoutPlan RENAME TO workoutPlan;
    CREATE UNIQUE INDEX workoutPlanActive ON workoutPlan (userId) WHERE isActive = 1;
    CREATE INDEX workoutPlanByOrder ON workoutPlan (userId, "order");
    CREATE INDEX workoutPlanBySplit ON workoutPlan (splitId);
    CREATE INDEX workoutPlanByChange ON workoutPlan (changeNumber);

    -- A new checksum is no change of an item.
    DROP TRIGGER planItemUpdatedFeed;
    CREATE TRIGGER planItemUpdatedFeed AFTER UPDATE OF planId, uuid, position, kind, exerciseId,
      exerciseName, sets, reps, weight, restTime, duration ON planItem
    BEGIN
      UPDATE workoutPlan SET itemsVersion = itemsVersion + 1 WHERE id = NEW.planId;
    END;
    """

  /// A key in SQL that is unique among an owner's: `SESSION/KEY`, or the key alone where there is no
  /// session. ``SetName`` reads it.
  private static let globalKey5 = """
    globalKey TEXT GENERATED ALWAYS AS (CASE
        WHEN sessionKey <> ''
          THEN replace(replace(sessionKey, '%', '%25'), '/', '%2F') || '/' || key
        WHEN instr(key, '/') > 0 THEN '/' || key ELSE key END) VIRTUAL
    """

  private static let recordings5 = """
    CREATE TABLE newRecording (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      workoutId INTEGER REFERENCES workoutHistory (id) ON DELETE CASCADE,
      currentSessionId INTEGER REFERENCES currentSession (id) ON DELETE CASCADE,
      sessionKey TEXT NOT NULL DEFAULT '', -- the session's id where the key is a set's
      key TEXT NOT NULL, -- the set's id, or else the digest in hexadecimal digits
      \(globalKey5),
      name TEXT NOT NULL,
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0),
      deletedSampleCount INTEGER NOT NULL DEFAULT 0, -- with sets that a person deleted
      clock INTEGER NOT NULL, -- 0 the device's, 1 seconds since 1970
      firstTime REAL, -- seconds on that clock
      lastTime REAL,
      startTime REAL, -- the date of the first sample
      isLossless INTEGER NOT NULL CHECK (isLossless IN (0, 1)),
      UNIQUE (userId, sessionKey, key),
      CHECK ((workoutId IS NULL) <> (currentSessionId IS NULL))
    ) STRICT;
    INSERT INTO newRecording (id, userId, workoutId, currentSessionId, sessionKey, key, name, digest,
        sampleCount, deletedSampleCount, clock, firstTime, lastTime, startTime, isLossless)
      SELECT id, userId, workoutId, currentSessionId,
        CASE WHEN key = lower(hex(digest)) THEN '' ELSE coalesce(
          (SELECT sessionId FROM workoutHistory w WHERE w.id = workoutId),
          (SELECT c.key FROM currentSession c WHERE c.id = currentSessionId), '') END,
        key, name, digest, sampleCount, deletedSampleCount, clock, firstTime, lastTime, startTime,
        isLossless FROM recording;
    DROP TABLE recording;
    ALTER TABLE newRecording RENAME TO recording;
    CREATE INDEX recordingByWorkout ON recording (workoutId);
    CREATE INDEX recordingByCurrentSession ON recording (currentSessionId)
      WHERE currentSessionId IS NOT NULL;
    CREATE INDEX recordingByKey ON recording (userId, key);

    -- NULL: whatever session the recording is of.
    ALTER TABLE deletedSamples ADD COLUMN sessionKey TEXT;
    """

  private static let sets5 = """
    CREATE TABLE newHistorySet (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      exerciseId INTEGER NOT NULL REFERENCES historyExercise (id) ON DELETE CASCADE,
      recordingId INTEGER REFERENCES recording (id) ON DELETE SET NULL,
      sessionKey TEXT NOT NULL DEFAULT '', -- the session's id where the source named the set
      key TEXT NOT NULL, -- the set's id, or else the recording's digest, '-' and the position
      \(globalKey5),
      setId TEXT,
      position INTEGER CHECK (position >= 1), -- in the recording; NULL if no longer found there
      "order" INTEGER NOT NULL CHECK ("order" >= 0), -- in the exercise
      cause TEXT NOT NULL CHECK (cause IN ('declared', 'detected')),
      targetReps INTEGER CHECK (targetReps BETWEEN 0 AND 999),
      detectedReps INTEGER CHECK (detectedReps >= 0), -- NULL if no machine counted
      confidence REAL CHECK (confidence BETWEEN 0 AND 1),
      correctedReps INTEGER CHECK (correctedReps BETWEEN 0 AND 100000), -- what a person said
      correctedAt REAL, -- when they said it
      actualReps INTEGER GENERATED ALWAYS AS (coalesce(correctedReps, detectedReps)) VIRTUAL,
      weight REAL CHECK (weight BETWEEN 0 AND 2000), -- kilograms
      startTime REAL,
      endTime REAL,
      timestamp REAL,
      restTime REAL, -- seconds until the next set
      clockStart REAL, -- seconds on the samples' clock
      clockEnd REAL,
      detector TEXT NOT NULL DEFAULT '',
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL,
      updatedAt REAL,
      changeNumber INTEGER NOT NULL DEFAULT 0,
      UNIQUE (userId, sessionKey, key)
    ) STRICT;
    INSERT INTO newHistorySet (id, userId, exerciseId, recordingId, sessionKey, key, setId, position,
        "order", cause, targetReps, detectedReps, confidence, correctedReps, correctedAt, weight,
        startTime, endTime, timestamp, restTime, clockStart, clockEnd, detector, cloudSyncStatus,
        lastCloudSync, updatedAt, changeNumber)
      SELECT id, userId, exerciseId, recordingId,
        CASE WHEN setId IS NULL THEN '' ELSE coalesce((SELECT w.sessionId FROM historyExercise e
          JOIN workoutHistory w ON w.id = e.workoutId WHERE e.id = historySet.exerciseId), '') END,
        key, setId, position, "order", cause, targetReps, detectedReps, confidence, correctedReps,
        correctedAt, weight, startTime, endTime, timestamp, restTime, clockStart, clockEnd, detector,
        cloudSyncStatus, lastCloudSync, updatedAt, changeNumber FROM historySet;
    DROP TABLE historySet;
    ALTER TABLE newHistorySet RENAME TO historySet;
    CREATE INDEX historySetByExercise
      ON historySet (exerciseId, "order", correctedReps, detectedReps, weight, timestamp);
    CREATE INDEX historySetByRecording ON historySet (recordingId, position);
    CREATE INDEX historySetByTimestamp ON historySet (userId, timestamp);
    CREATE INDEX historySetByKey ON historySet (userId, key);
    CREATE INDEX historySetByChange ON historySet (changeNumber);
    """

  private static let reps5 = """
    -- The reps of a set, as its timeline has them, for whoever reads the history with SQL.
    CREATE TABLE timelineRep (
      segmentId INTEGER NOT NULL REFERENCES timelineSegment (id) ON DELETE CASCADE,
      number INTEGER NOT NULL CHECK (number >= 1),
      clockStart REAL, -- seconds on the samples' clock
      clockEnd REAL,
      confidence REAL CHECK (confidence BETWEEN 0 AND 1),
      PRIMARY KEY (segmentId, number)
    ) STRICT, WITHOUT ROWID;

    CREATE VIEW set_overview AS
      SELECT s.id AS set_id, s.key AS set_key, w.sessionId AS session, u.name AS user,
        r.name AS recording, coalesce(t.name, e.name, e.exerciseId) AS exercise,
        datetime(coalesce(s.startTime, w.date), 'unixepoch') AS date,
        coalesce(s.correctedReps, s.detectedReps) AS reps, s.detectedReps AS counted_reps,
        s.correctedReps AS corrected_reps, s.targetReps AS target_reps, s.confidence AS confidence,
        s.weight AS weight, s.clockEnd - s.clockStart AS duration, s.restTime AS rest
      FROM historySet s
      JOIN historyExercise e ON e.id = s.exerciseId
      JOIN workoutHistory w ON w.id = e.workoutId
      JOIN user u ON u.id = s.userId
      LEFT JOIN exerciseTemplate t ON t.id = e.templateId
      LEFT JOIN recording r ON r.id = s.recordingId;

    CREATE VIEW rep AS
      SELECT g.setId AS set_id, p.number AS number, p.clockStart - r.firstTime AS time,
        CASE r.clock WHEN 1 THEN p.clockStart ELSE r.startTime + p.clockStart - r.firstTime END
          AS unix_time,
        p.clockEnd - p.clockStart AS duration,
        60.0 / nullif(p.clockStart - lag(p.clockStart)
          OVER (PARTITION BY p.segmentId ORDER BY p.number), 0) AS tempo,
        p.confidence AS confidence, p.clockStart AS clock_start, p.clockEnd AS clock_end
      FROM timelineRep p
      JOIN timelineSegment g ON g.id = p.segmentId
      JOIN recording r ON r.id = g.recordingId
      WHERE g.setId IS NOT NULL;
    """

  /// The reps of timelines that are there already. What is damaged is left to `verify`.
  private static func writeReps(_ db: Database) throws {
    let segments = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM timelineSegment WHERE setId IS NOT NULL OR currentSetId IS NOT NULL
        """)
    for segment in segments {
      guard
        let data = try Data.fetchOne(
          db, sql: "SELECT data FROM timelineBlob WHERE segmentId = ?", arguments: [segment]),
        let set = try? TimelineDecoder().countedSet(in: [UInt8](data))
      else { continue }
      try HistoryStore.saveReps(db, set.reps, segment: segment)
    }
  }

  /// What a log-in called a person who was deleted is nobody's business any more.
  private static func forgetNames(_ db: Database) throws {
    let keys = try HistoryUser.Key.fetchAll(
      db, sql: "SELECT key FROM deletion WHERE entity = 'user'")
    for key in keys {
      try db.execute(
        sql: "UPDATE deletion SET key = ? WHERE entity = 'user' AND key = ?",
        arguments: [DeletedUser.key(of: key), key])
    }
  }
}
