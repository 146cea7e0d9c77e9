import GRDB

extension HistoryStore {
  /// The version of the schema that this program writes: the number of its last step.
  package static let schemaVersion = HistoryMigrations.steps.count
}

/// The history's schema, as named steps. A step that was released is never edited.
enum HistoryMigrations {
  struct Step: Sendable {
    var name: String
    var apply: @Sendable (Database) throws -> Void
  }

  /// In order; each begins with its number.
  static let steps = [
    Step(name: "1 history") { try $0.execute(sql: history1) },
    Step(name: "2 journal") { try $0.execute(sql: journal2) },
    Step(name: "3 workouts") { try $0.execute(sql: workouts3) },
    Step(name: "4 sync") { try $0.execute(sql: sync4) },
    Step(name: "5 integrity", apply: integrity5),
    Step(name: "6 stream") { try $0.execute(sql: stream6) },
    Step(name: "7 stamps", apply: stamps7),
    Step(name: "8 restart") { try $0.execute(sql: restart8) },
    Step(name: "9 exercises", apply: exercises9),
  ]

  /// Brings a history of an earlier version up to date, a transaction for each step.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    for step in steps { migrator.registerMigration(step.name, migrate: step.apply) }
    return migrator
  }()

  /// GRDB's note of the steps that were made, as GRDB makes it.
  static let notes = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// Makes everything in an empty database, as part of the caller's transaction, and notes the
  /// steps as the migrator does. The steps themselves would take ten times as long: SQLite parses the
  /// whole schema anew for each column that they add.
  static func makeAll(_ db: Database) throws {
    try db.execute(sql: latest)
    try db.execute(sql: notes)
    for step in steps {
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [step.name])
    }
  }

  /// The user to whom everything belongs that no other user was named for.
  static let localUserId: HistoryUser.ID = 1

  /// Dates are seconds since 1970, NULL where the source gave none. Names are those of the app
  /// that the data model comes from.
  private static let history1 = """
    CREATE TABLE user (
      id INTEGER PRIMARY KEY,
      uuid TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL
    ) STRICT;
    INSERT INTO user (id, uuid, name)
    VALUES (1, '00000000-0000-0000-0000-000000000001', 'local');

    -- A session. Its samples are those of its recordings.
    CREATE TABLE workoutHistory (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the session's id, or else that of its only recording
      sessionId TEXT,
      date REAL,
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL,
      UNIQUE (userId, key)
    ) STRICT;
    CREATE INDEX workoutHistoryByDate ON workoutHistory (userId, date);

    CREATE TABLE historyExercise (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      workoutId INTEGER NOT NULL REFERENCES workoutHistory (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the exercise's id, '' where the source names none
      exerciseId TEXT,
      name TEXT,
      "order" INTEGER NOT NULL CHECK ("order" >= 0),
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL,
      UNIQUE (workoutId, key)
    ) STRICT;
    CREATE INDEX historyExerciseByName ON historyExercise (userId, name);

    -- The samples of one source, in segments.
    CREATE TABLE recording (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      workoutId INTEGER NOT NULL REFERENCES workoutHistory (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the set's id, or else the digest in hexadecimal digits
      name TEXT NOT NULL,
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0),
      deletedSampleCount INTEGER NOT NULL DEFAULT 0, -- with sets that a person deleted
      clock INTEGER NOT NULL, -- 0 the device's, 1 seconds since 1970
      firstTime REAL, -- seconds on that clock
      lastTime REAL,
      startTime REAL, -- the date of the first sample
      isLossless INTEGER NOT NULL CHECK (isLossless IN (0, 1)),
      UNIQUE (userId, key)
    ) STRICT;
    CREATE INDEX recordingByWorkout ON recording (workoutId);

    CREATE TABLE historySet (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      exerciseId INTEGER NOT NULL REFERENCES historyExercise (id) ON DELETE CASCADE,
      recordingId INTEGER REFERENCES recording (id) ON DELETE SET NULL,
      key TEXT NOT NULL, -- the set's id, or else the recording's digest, '-' and the position
      setId TEXT,
      position INTEGER CHECK (position >= 1), -- in the recording; NULL if no longer found there
      "order" INTEGER NOT NULL CHECK ("order" >= 0), -- in the exercise
      cause TEXT NOT NULL CHECK (cause IN ('declared', 'detected')),
      targetReps INTEGER CHECK (targetReps >= 0),
      detectedReps INTEGER NOT NULL CHECK (detectedReps >= 0),
      confidence REAL CHECK (confidence BETWEEN 0 AND 1),
      correctedReps INTEGER CHECK (correctedReps >= 0), -- what a person said
      actualReps INTEGER NOT NULL
        GENERATED ALWAYS AS (coalesce(correctedReps, detectedReps)) VIRTUAL,
      weight REAL CHECK (weight >= 0),
      startTime REAL,
      endTime REAL,
      timestamp REAL,
      restTime REAL, -- seconds until the next set of the recording
      clockStart REAL, -- seconds on the samples' clock
      clockEnd REAL,
      detector TEXT NOT NULL DEFAULT '',
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL,
      UNIQUE (userId, key)
    ) STRICT;
    CREATE INDEX historySetByExercise ON historySet (exerciseId, "order");
    CREATE INDEX historySetByRecording ON historySet (recordingId, position);
    CREATE INDEX historySetByTimestamp ON historySet (userId, timestamp);

    -- A recording's rows in order: rest, set, rest, … A segment without set is rest.
    CREATE TABLE timelineSegment (
      id INTEGER PRIMARY KEY,
      recordingId INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      setId INTEGER UNIQUE REFERENCES historySet (id) ON DELETE CASCADE,
      sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0),
      byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
      UNIQUE (recordingId, position)
    ) STRICT;

    -- The format of docs/timeline-format.md: samples, reps, heart rate and calories.
    CREATE TABLE timelineBlob (
      segmentId INTEGER PRIMARY KEY REFERENCES timelineSegment (id) ON DELETE CASCADE,
      data BLOB NOT NULL
    ) STRICT;
    """
}
