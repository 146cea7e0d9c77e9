// Written by LatestSchemaTests from the steps. Do not edit.

extension HistoryMigrations {
  /// All that the steps make of an empty database.
  static let latest = #"""
    CREATE TABLE user (
      id INTEGER PRIMARY KEY,
      uuid TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL
    , email TEXT, providerId TEXT, birthDate REAL, gender TEXT, height REAL CHECK (height BETWEEN 0.3 AND 3), weight REAL CHECK (weight BETWEEN 1 AND 700), locale TEXT, createdAt REAL, lastLoginDate REAL, subscriptionType INTEGER NOT NULL DEFAULT 0
      CHECK (subscriptionType IN (0, 1)), subscriptionStartDate REAL, subscriptionValidUntil REAL, updatedAt REAL, changeNumber INTEGER NOT NULL DEFAULT 0, checksum INTEGER) STRICT;
    CREATE TABLE workoutHistory (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the session's id, or else that of its only recording
      sessionId TEXT,
      date REAL,
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL, planId INTEGER REFERENCES workoutPlan (id)
      ON DELETE SET NULL, planTitle TEXT, endTime REAL, focus TEXT CHECK (length(focus) <= 100), intensity TEXT CHECK (length(intensity) <= 100), status TEXT
      CHECK (status IN ('completed', 'interrupted', 'skipped')), sortDate REAL
      GENERATED ALWAYS AS (coalesce(date, -1e12)) VIRTUAL, updatedAt REAL, changeNumber INTEGER NOT NULL DEFAULT 0, checksum INTEGER,
      UNIQUE (userId, key)
    ) STRICT;
    CREATE TABLE historyExercise (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      workoutId INTEGER NOT NULL REFERENCES workoutHistory (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the exercise's id, '' where the source names none
      exerciseId TEXT,
      name TEXT,
      "order" INTEGER NOT NULL CHECK ("order" >= 0),
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL, templateId INTEGER REFERENCES exerciseTemplate (id)
      ON DELETE SET NULL, startTime REAL, endTime REAL, completed INTEGER CHECK (completed IN (0, 1)), workoutDate REAL, updatedAt REAL, changeNumber INTEGER NOT NULL DEFAULT 0, checksum INTEGER,
      UNIQUE (workoutId, key)
    ) STRICT;
    CREATE TABLE timelineBlob (
      segmentId INTEGER PRIMARY KEY REFERENCES timelineSegment (id) ON DELETE CASCADE,
      data BLOB NOT NULL
    ) STRICT;
    CREATE TABLE journalSet (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE, -- what belongs together in a stream
      kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2), -- declared, found, rest
      sessionId TEXT,
      exerciseId TEXT,
      setId TEXT
    , state INTEGER NOT NULL DEFAULT 0
      CHECK (state BETWEEN 0 AND 2), joinsHistory INTEGER NOT NULL DEFAULT 0
      CHECK (joinsHistory IN (0, 1)), isDatedBySending INTEGER NOT NULL DEFAULT 0
      CHECK (isDatedBySending IN (0, 1)), session TEXT NOT NULL DEFAULT '') STRICT;
    CREATE TABLE journalEntry (
      id INTEGER PRIMARY KEY,
      journalSetId INTEGER NOT NULL REFERENCES journalSet (id) ON DELETE CASCADE,
      part INTEGER NOT NULL CHECK (part >= 0), -- of the messages in one line
      sessionId TEXT,
      exerciseId TEXT,
      phase TEXT, -- execution, rest, or NULL if unknown
      date REAL, -- of the last control message before, seconds since 1970
      data BLOB NOT NULL -- as received: a line without its end, or a binary frame
    , checksum INTEGER, setSamples INTEGER CHECK (setSamples >= 0), setTime REAL, setClock INTEGER, setDate REAL) STRICT;
    CREATE TABLE journalContext (
      session TEXT PRIMARY KEY,
      state TEXT NOT NULL -- JSON
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE journalSettled (
      key TEXT PRIMARY KEY,
      recordingId INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE exerciseType (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
      description TEXT
    , checksum INTEGER) STRICT;
    CREATE TABLE muscle (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
      description TEXT,
      muscleGroup TEXT
    , checksum INTEGER) STRICT;
    CREATE TABLE exerciseTemplate (
      id INTEGER PRIMARY KEY,
      userId INTEGER REFERENCES user (id) ON DELETE CASCADE,
      uuid TEXT NOT NULL UNIQUE,
      templateId TEXT, -- its name in the library that it came from
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      foldedName TEXT NOT NULL, -- without accents and case, for the import of plans
      muscleGroup TEXT NOT NULL CHECK (muscleGroup IN ('chest', 'back', 'shoulders', 'biceps',
        'triceps', 'arms', 'legs', 'core', 'glutes', 'forearms', 'calves', 'fullBody', 'cardio')),
      muscleSubgroup TEXT CHECK (length(muscleSubgroup) <= 100),
      typeId INTEGER REFERENCES exerciseType (id) ON DELETE SET NULL,
      equipment TEXT CHECK (length(equipment) <= 100),
      gripVariation TEXT CHECK (length(gripVariation) <= 100),
      setup TEXT CHECK (length(setup) <= 500),
      description TEXT CHECK (length(description) <= 500),
      videoURL TEXT CHECK (videoURL LIKE 'http://%' OR videoURL LIKE 'https://%'),
      defaultSets INTEGER NOT NULL DEFAULT 3 CHECK (defaultSets BETWEEN 1 AND 10),
      defaultReps INTEGER NOT NULL DEFAULT 12 CHECK (defaultReps BETWEEN 1 AND 50),
      defaultRestTime INTEGER NOT NULL DEFAULT 60
        CHECK (defaultRestTime IN (30, 60, 90, 120, 180)),
      defaultWeight REAL CHECK (defaultWeight BETWEEN 0 AND 2000),
      musclesVersion INTEGER NOT NULL DEFAULT 0, -- counts changes of its muscles and groups
      createdAt REAL,
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL
    , updatedAt REAL, changeNumber INTEGER NOT NULL DEFAULT 0, checksum INTEGER) STRICT;
    CREATE TABLE exerciseMuscleGroup (
      exerciseId INTEGER NOT NULL REFERENCES exerciseTemplate (id) ON DELETE CASCADE,
      muscleGroup TEXT NOT NULL, checksum INTEGER,
      PRIMARY KEY (exerciseId, muscleGroup)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE exerciseMuscle (
      exerciseId INTEGER NOT NULL REFERENCES exerciseTemplate (id) ON DELETE CASCADE,
      muscleId INTEGER NOT NULL REFERENCES muscle (id) ON DELETE CASCADE, checksum INTEGER,
      PRIMARY KEY (exerciseId, muscleId)
    ) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE exerciseSearch USING fts5 (
      name, keywords, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
    );
    CREATE TABLE split (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      uuid TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      intro TEXT NOT NULL DEFAULT '' CHECK (length(intro) <= 500),
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL
    , updatedAt REAL, changeNumber INTEGER NOT NULL DEFAULT 0, checksum INTEGER) STRICT;
    CREATE TABLE planItem (
      id INTEGER PRIMARY KEY,
      planId INTEGER NOT NULL REFERENCES workoutPlan (id) ON DELETE CASCADE,
      uuid TEXT NOT NULL UNIQUE,
      position INTEGER NOT NULL CHECK (position >= 0),
      kind TEXT NOT NULL CHECK (kind IN ('repetitions', 'time', 'break')),
      exerciseId INTEGER REFERENCES exerciseTemplate (id) ON DELETE SET NULL,
      exerciseName TEXT CHECK (length(exerciseName) BETWEEN 1 AND 100), -- outlives the exercise
      sets INTEGER CHECK (sets BETWEEN 1 AND 99),
      reps INTEGER CHECK (reps BETWEEN 1 AND 999),
      weight REAL CHECK (weight BETWEEN 0 AND 2000), -- kilograms
      restTime INTEGER CHECK (restTime BETWEEN 0 AND 600), -- seconds between sets
      duration INTEGER, checksum INTEGER, -- seconds
      UNIQUE (planId, position),
      CHECK (CASE kind
        WHEN 'repetitions' THEN exerciseName IS NOT NULL AND sets IS NOT NULL
          AND reps IS NOT NULL AND restTime IS NOT NULL AND duration IS NULL
        WHEN 'time' THEN exerciseName IS NOT NULL AND duration BETWEEN 1 AND 3600
          AND duration IS NOT NULL AND reps IS NULL
        ELSE exerciseName IS NULL AND exerciseId IS NULL AND sets IS NULL AND reps IS NULL
          AND weight IS NULL AND restTime IS NULL AND duration BETWEEN 1 AND 600
          AND duration IS NOT NULL END)
    ) STRICT;
    CREATE TABLE currentSession (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL UNIQUE REFERENCES user (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the session's id
      planId INTEGER REFERENCES workoutPlan (id) ON DELETE SET NULL,
      planTitle TEXT,
      focus TEXT CHECK (length(focus) <= 100),
      intensity TEXT CHECK (length(intensity) <= 100),
      startTime REAL,
      currentExerciseIndex INTEGER NOT NULL DEFAULT 0 CHECK (currentExerciseIndex >= 0)
    , checksum INTEGER) STRICT;
    CREATE TABLE currentExercise (
      id INTEGER PRIMARY KEY,
      sessionId INTEGER NOT NULL REFERENCES currentSession (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the exercise's id, '' where the source names none
      templateId INTEGER REFERENCES exerciseTemplate (id) ON DELETE SET NULL,
      name TEXT CHECK (length(name) BETWEEN 1 AND 100),
      "order" INTEGER NOT NULL CHECK ("order" >= 0),
      startTime REAL,
      endTime REAL,
      currentSetIndex INTEGER NOT NULL DEFAULT 0 CHECK (currentSetIndex >= 0),
      completed INTEGER NOT NULL DEFAULT 0 CHECK (completed IN (0, 1)),
      isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)), checksum INTEGER,
      UNIQUE (sessionId, key),
      UNIQUE (sessionId, "order")
    ) STRICT;
    CREATE TABLE currentSet (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      exerciseId INTEGER NOT NULL REFERENCES currentExercise (id) ON DELETE CASCADE,
      key TEXT NOT NULL, -- the set's id
      setId TEXT,
      "order" INTEGER NOT NULL CHECK ("order" >= 0),
      cause TEXT NOT NULL CHECK (cause IN ('declared', 'detected')),
      targetReps INTEGER CHECK (targetReps BETWEEN 0 AND 999),
      weight REAL CHECK (weight BETWEEN 0 AND 2000),
      startTime REAL,
      endTime REAL,
      restTime REAL CHECK (restTime >= 0),
      correctedReps INTEGER CHECK (correctedReps BETWEEN 0 AND 100000),
      detectedReps INTEGER CHECK (detectedReps >= 0),
      confidence REAL CHECK (confidence BETWEEN 0 AND 1),
      position INTEGER CHECK (position >= 1),
      clockStart REAL,
      clockEnd REAL,
      detector TEXT NOT NULL DEFAULT '',
      isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)), checksum INTEGER, exerciseSource TEXT
      CHECK (exerciseSource IN ('person', 'copy')),
      UNIQUE (userId, key),
      UNIQUE (exerciseId, "order")
    ) STRICT;
    CREATE TABLE currentHealth (
      sessionId INTEGER NOT NULL REFERENCES currentSession (id) ON DELETE CASCADE,
      exerciseId INTEGER REFERENCES currentExercise (id) ON DELETE SET NULL,
      setId INTEGER REFERENCES currentSet (id) ON DELETE SET NULL,
      unixTime REAL NOT NULL,
      heartRateBPM REAL,
      calories REAL
    , checksum INTEGER) STRICT;
    CREATE TABLE "timelineSegment" (
      id INTEGER PRIMARY KEY,
      recordingId INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      setId INTEGER UNIQUE REFERENCES historySet (id) ON DELETE CASCADE,
      currentSetId INTEGER REFERENCES currentSet (id) ON DELETE CASCADE,
      firstSample INTEGER NOT NULL CHECK (firstSample >= 0),
      sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0),
      byteCount INTEGER NOT NULL CHECK (byteCount >= 0), checksum INTEGER,
      UNIQUE (recordingId, position),
      CHECK (setId IS NULL OR currentSetId IS NULL)
    ) STRICT;
    CREATE TABLE healthBlob (
      id INTEGER PRIMARY KEY,
      workoutId INTEGER NOT NULL REFERENCES workoutHistory (id) ON DELETE CASCADE,
      exerciseId INTEGER REFERENCES historyExercise (id) ON DELETE CASCADE,
      setId INTEGER REFERENCES historySet (id) ON DELETE CASCADE,
      readingCount INTEGER NOT NULL CHECK (readingCount > 0),
      data BLOB NOT NULL
    , checksum INTEGER) STRICT;
    CREATE TABLE deletedSamples (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      recordingKey TEXT NOT NULL,
      setKey TEXT, -- NULL: the recording
      firstSample INTEGER NOT NULL CHECK (firstSample >= 0),
      endSample INTEGER CHECK (endSample >= firstSample) -- NULL: all that follow
    , sessionKey TEXT, checksum INTEGER, cloudSyncStatus INTEGER NOT NULL DEFAULT 0, changeNumber INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE movementPattern (
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      exerciseKey TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version >= 0),
      data BLOB NOT NULL, checksum INTEGER,
      PRIMARY KEY (userId, exerciseKey)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE changeCounter (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      value INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE deletion (
      changeNumber INTEGER PRIMARY KEY,
      userId INTEGER,
      entity TEXT NOT NULL,
      key TEXT NOT NULL,
      deletedAt REAL NOT NULL
    , checksum INTEGER) STRICT;
    CREATE TABLE "workoutPlan" (
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
      changeNumber INTEGER NOT NULL DEFAULT 0, checksum INTEGER,
      UNIQUE (userId, autoTitle)
    ) STRICT;
    CREATE TABLE "recording" (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      workoutId INTEGER REFERENCES workoutHistory (id) ON DELETE CASCADE,
      currentSessionId INTEGER REFERENCES currentSession (id) ON DELETE CASCADE,
      sessionKey TEXT NOT NULL DEFAULT '', -- the session's id where the key is a set's
      key TEXT NOT NULL, -- the set's id, or else the digest in hexadecimal digits
      globalKey TEXT GENERATED ALWAYS AS (CASE
        WHEN sessionKey <> ''
          THEN replace(replace(sessionKey, '%', '%25'), '/', '%2F') || '/' || key
        WHEN instr(key, '/') > 0 THEN '/' || key ELSE key END) VIRTUAL,
      name TEXT NOT NULL,
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0),
      deletedSampleCount INTEGER NOT NULL DEFAULT 0, -- with sets that a person deleted
      clock INTEGER NOT NULL, -- 0 the device's, 1 seconds since 1970
      firstTime REAL, -- seconds on that clock
      lastTime REAL,
      startTime REAL, -- the date of the first sample
      isLossless INTEGER NOT NULL CHECK (isLossless IN (0, 1)), checksum INTEGER, segmentsVersion INTEGER NOT NULL DEFAULT 0, cloudSyncStatus INTEGER NOT NULL DEFAULT 0, changeNumber INTEGER NOT NULL DEFAULT 0,
      UNIQUE (userId, sessionKey, key),
      CHECK ((workoutId IS NULL) <> (currentSessionId IS NULL))
    ) STRICT;
    CREATE TABLE "historySet" (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      exerciseId INTEGER NOT NULL REFERENCES historyExercise (id) ON DELETE CASCADE,
      recordingId INTEGER REFERENCES recording (id) ON DELETE SET NULL,
      sessionKey TEXT NOT NULL DEFAULT '', -- the session's id where the source named the set
      key TEXT NOT NULL, -- the set's id, or else the recording's digest, '-' and the position
      globalKey TEXT GENERATED ALWAYS AS (CASE
        WHEN sessionKey <> ''
          THEN replace(replace(sessionKey, '%', '%25'), '/', '%2F') || '/' || key
        WHEN instr(key, '/') > 0 THEN '/' || key ELSE key END) VIRTUAL,
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
      changeNumber INTEGER NOT NULL DEFAULT 0, checksum INTEGER, exerciseSource TEXT
      CHECK (exerciseSource IN ('person', 'copy')),
      UNIQUE (userId, sessionKey, key)
    ) STRICT;
    CREATE TABLE timelineRep (
      segmentId INTEGER NOT NULL REFERENCES timelineSegment (id) ON DELETE CASCADE,
      number INTEGER NOT NULL CHECK (number >= 1),
      clockStart REAL, -- seconds on the samples' clock
      clockEnd REAL,
      confidence REAL CHECK (confidence BETWEEN 0 AND 1), checksum INTEGER,
      PRIMARY KEY (segmentId, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE journalEvent (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      session TEXT NOT NULL,
      line TEXT NOT NULL
    ) STRICT;
    CREATE TABLE syncClock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      device TEXT NOT NULL CHECK (length(device) = 16), -- random: this copy's id in its stamps
      time INTEGER NOT NULL, -- of its last stamp: milliseconds since 1970 · 65536 + a counter
      floor INTEGER NOT NULL, -- up to which stamps were seen elsewhere, and stay as they are
      correction INTEGER NOT NULL, -- milliseconds that the machine's clock is behind the centre's
      isMerging INTEGER NOT NULL CHECK (isMerging IN (0, 1)) -- changes come with their stamps
    ) STRICT;
    CREATE TABLE fieldStamp (
      entity INTEGER NOT NULL, -- as SyncEntity numbers them
      row INTEGER NOT NULL,
      field TEXT NOT NULL,
      stamp TEXT NOT NULL,
      PRIMARY KEY (entity, row, field)
    ) STRICT, WITHOUT ROWID;
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
    CREATE TABLE syncPeer (
      userId INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
      centre TEXT NOT NULL, -- its id
      position INTEGER NOT NULL, -- the last of its changes that is here
      activePlan TEXT -- the plan that is to be active as soon as it is here
    ) STRICT;
    CREATE TABLE syncBlob (
      digest TEXT PRIMARY KEY,
      size INTEGER NOT NULL, -- in bytes, of the whole
      data BLOB NOT NULL -- what has come
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE journalSnapshot (
      journalSetId INTEGER PRIMARY KEY REFERENCES journalSet (id) ON DELETE CASCADE,
      entryId INTEGER NOT NULL, -- the last entry that it knows
      data BLOB NOT NULL -- with a checksum of its own
    ) STRICT;
    INSERT INTO user ("id", "uuid", "name", "cloudSyncStatus", "subscriptionType", "changeNumber", "checksum")
      VALUES (1, '00000000-0000-0000-0000-000000000001', 'local', 0, 0, 1, 2457446949);
    INSERT INTO changeCounter ("id", "value")
      VALUES (1, 1);
    INSERT INTO syncClock ("id", "device", "time", "floor", "correction", "isMerging")
      VALUES (1, lower(hex(randomblob(8))), 0, 0, 0, 0);
    INSERT INTO fieldStamp ("entity", "row", "field", "stamp")
      VALUES (9, 1, '', '0000000000000000' || (SELECT device FROM syncClock));
    CREATE INDEX journalEntryBySet ON journalEntry (journalSetId);
    CREATE INDEX journalSettledByRecording ON journalSettled (recordingId);
    CREATE UNIQUE INDEX userByProviderId ON user (providerId) WHERE providerId IS NOT NULL;
    CREATE INDEX userByLastLogin ON user (lastLoginDate);
    CREATE INDEX userBySubscription ON user (subscriptionValidUntil);
    CREATE UNIQUE INDEX exerciseTemplateByTemplateId ON exerciseTemplate (templateId)
      WHERE templateId IS NOT NULL;
    CREATE INDEX exerciseTemplateByName ON exerciseTemplate (foldedName);
    CREATE INDEX exerciseTemplateByGroup ON exerciseTemplate (muscleGroup, foldedName);
    CREATE INDEX exerciseTemplateByUser ON exerciseTemplate (userId);
    CREATE INDEX exerciseTemplateByType ON exerciseTemplate (typeId);
    CREATE INDEX exerciseMuscleByMuscle ON exerciseMuscle (muscleId);
    CREATE INDEX splitByUser ON split (userId);
    CREATE INDEX planItemByExercise ON planItem (exerciseId);
    CREATE INDEX currentSessionByKey ON currentSession (key);
    CREATE INDEX currentSessionByPlan ON currentSession (planId);
    CREATE UNIQUE INDEX currentExerciseActive ON currentExercise (sessionId) WHERE isActive = 1;
    CREATE INDEX currentExerciseByTemplate ON currentExercise (templateId);
    CREATE UNIQUE INDEX currentSetActive ON currentSet (exerciseId) WHERE isActive = 1;
    CREATE UNIQUE INDEX currentHealthByTime ON currentHealth (sessionId, unixTime);
    CREATE INDEX currentHealthByExercise ON currentHealth (exerciseId);
    CREATE INDEX currentHealthBySet ON currentHealth (setId);
    CREATE INDEX workoutHistoryByDate ON workoutHistory (sortDate, id);
    CREATE INDEX workoutHistoryByUser ON workoutHistory (userId, sortDate, id);
    CREATE INDEX workoutHistoryBySync
      ON workoutHistory (userId, cloudSyncStatus, sortDate, id);
    CREATE INDEX workoutHistoryByStatus ON workoutHistory (userId, status, sortDate, id);
    CREATE INDEX workoutHistoryByKey ON workoutHistory (key);
    CREATE INDEX workoutHistoryByPlan ON workoutHistory (planId);
    CREATE INDEX historyExerciseByName ON historyExercise (userId, name, workoutDate, workoutId);
    CREATE INDEX historyExerciseByTemplate
      ON historyExercise (templateId, userId, workoutDate, workoutId);
    CREATE INDEX historyExerciseByTemplateOfAll
      ON historyExercise (templateId, workoutDate, workoutId);
    CREATE UNIQUE INDEX timelineSegmentByCurrentSet ON timelineSegment (currentSetId)
      WHERE currentSetId IS NOT NULL;
    CREATE INDEX healthBlobByWorkout ON healthBlob (workoutId);
    CREATE INDEX healthBlobByExercise ON healthBlob (exerciseId) WHERE exerciseId IS NOT NULL;
    CREATE INDEX healthBlobBySet ON healthBlob (setId) WHERE setId IS NOT NULL;
    CREATE INDEX deletedSamplesByRecording ON deletedSamples (userId, recordingKey);
    CREATE INDEX deletionByUser ON deletion (userId);
    CREATE INDEX deletionByKey ON deletion (entity, key);
    CREATE INDEX userByChange ON user (changeNumber);
    CREATE INDEX exerciseTemplateByChange ON exerciseTemplate (changeNumber);
    CREATE INDEX splitByChange ON split (changeNumber);
    CREATE INDEX workoutHistoryByChange ON workoutHistory (changeNumber);
    CREATE INDEX historyExerciseByChange ON historyExercise (changeNumber);
    CREATE UNIQUE INDEX workoutPlanActive ON workoutPlan (userId) WHERE isActive = 1;
    CREATE INDEX workoutPlanByOrder ON workoutPlan (userId, "order");
    CREATE INDEX workoutPlanBySplit ON workoutPlan (splitId);
    CREATE INDEX workoutPlanByChange ON workoutPlan (changeNumber);
    CREATE INDEX recordingByWorkout ON recording (workoutId);
    CREATE INDEX recordingByCurrentSession ON recording (currentSessionId)
      WHERE currentSessionId IS NOT NULL;
    CREATE INDEX recordingByKey ON recording (userId, key);
    CREATE INDEX historySetByExercise
      ON historySet (exerciseId, "order", correctedReps, detectedReps, weight, timestamp);
    CREATE INDEX historySetByRecording ON historySet (recordingId, position);
    CREATE INDEX historySetByTimestamp ON historySet (userId, timestamp);
    CREATE INDEX historySetByKey ON historySet (userId, key);
    CREATE INDEX historySetByChange ON historySet (changeNumber);
    CREATE INDEX historySetUnsealed ON historySet (id)
      WHERE checksum IS NULL;
    CREATE INDEX userUnsealed ON user (id)
      WHERE checksum IS NULL;
    CREATE INDEX exerciseTemplateUnsealed ON exerciseTemplate (id)
      WHERE checksum IS NULL;
    CREATE INDEX splitUnsealed ON split (id)
      WHERE checksum IS NULL;
    CREATE INDEX workoutPlanUnsealed ON workoutPlan (id)
      WHERE checksum IS NULL;
    CREATE INDEX planItemUnsealed ON planItem (id)
      WHERE checksum IS NULL;
    CREATE INDEX workoutHistoryUnsealed ON workoutHistory (id)
      WHERE checksum IS NULL;
    CREATE INDEX historyExerciseUnsealed ON historyExercise (id)
      WHERE checksum IS NULL;
    CREATE INDEX recordingUnsealed ON recording (id)
      WHERE checksum IS NULL;
    CREATE INDEX timelineSegmentUnsealed ON timelineSegment (id)
      WHERE checksum IS NULL;
    CREATE INDEX timelineRepUnsealed ON timelineRep (segmentId)
      WHERE checksum IS NULL;
    CREATE INDEX healthBlobUnsealed ON healthBlob (id)
      WHERE checksum IS NULL;
    CREATE INDEX deletedSamplesUnsealed ON deletedSamples (id)
      WHERE checksum IS NULL;
    CREATE INDEX deletionUnsealed ON deletion (changeNumber)
      WHERE checksum IS NULL;
    CREATE INDEX movementPatternUnsealed ON movementPattern (userId)
      WHERE checksum IS NULL;
    CREATE INDEX currentSessionUnsealed ON currentSession (id)
      WHERE checksum IS NULL;
    CREATE INDEX currentExerciseUnsealed ON currentExercise (id)
      WHERE checksum IS NULL;
    CREATE INDEX currentSetUnsealed ON currentSet (id)
      WHERE checksum IS NULL;
    CREATE INDEX currentHealthUnsealed ON currentHealth (sessionId)
      WHERE checksum IS NULL;
    CREATE INDEX muscleUnsealed ON muscle (id)
      WHERE checksum IS NULL;
    CREATE INDEX exerciseTypeUnsealed ON exerciseType (id)
      WHERE checksum IS NULL;
    CREATE INDEX exerciseMuscleUnsealed ON exerciseMuscle (exerciseId)
      WHERE checksum IS NULL;
    CREATE INDEX exerciseMuscleGroupUnsealed ON exerciseMuscleGroup (exerciseId)
      WHERE checksum IS NULL;
    CREATE INDEX journalSetCut ON journalSet (session) WHERE state = 1;
    CREATE INDEX tombstonePending ON tombstone (userId, entity) WHERE isPending = 1;
    CREATE INDEX exerciseTemplatePending ON exerciseTemplate (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX splitPending ON split (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX workoutPlanPending ON workoutPlan (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX workoutHistoryPending ON workoutHistory (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX historyExercisePending ON historyExercise (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX historySetPending ON historySet (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX recordingPending ON recording (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX deletedSamplesPending ON deletedSamples (changeNumber) WHERE cloudSyncStatus = 0;
    CREATE INDEX userPending ON user (changeNumber) WHERE cloudSyncStatus = 0;
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
    CREATE TRIGGER planItemsAreConsecutive BEFORE INSERT ON planItem
      WHEN NEW.position <> (SELECT count(*) FROM planItem WHERE planId = NEW.planId)
    BEGIN
      SELECT RAISE(ABORT, 'the positions of a plan''s items must follow each other from 0');
    END;
    CREATE TRIGGER planItemsStayInPlace BEFORE UPDATE OF position, planId ON planItem
      WHEN OLD.position IS NOT NEW.position OR OLD.planId IS NOT NEW.planId
    BEGIN
      SELECT RAISE(ABORT, 'the positions of a plan''s items must follow each other from 0');
    END;
    CREATE TRIGGER planItemsGoFromTheEnd BEFORE DELETE ON planItem
      WHEN EXISTS (SELECT 1 FROM planItem WHERE planId = OLD.planId AND position > OLD.position)
        AND EXISTS (SELECT 1 FROM workoutPlan WHERE id = OLD.planId)
    BEGIN
      SELECT RAISE(ABORT, 'the positions of a plan''s items must follow each other from 0');
    END;
    CREATE TRIGGER historyExerciseDated AFTER INSERT ON historyExercise BEGIN
      UPDATE historyExercise SET workoutDate =
        (SELECT sortDate FROM workoutHistory w WHERE w.id = NEW.workoutId) WHERE id = NEW.id;
    END;
    CREATE TRIGGER workoutHistoryDated AFTER UPDATE OF date ON workoutHistory
      WHEN OLD.date IS NOT NEW.date
    BEGIN
      UPDATE historyExercise SET workoutDate = NEW.sortDate WHERE workoutId = NEW.id;
    END;
    CREATE TRIGGER userInsertedFeed AFTER INSERT ON user BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE user SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER userUpdatedFeed
      AFTER UPDATE OF uuid, name, email, providerId, birthDate, gender, height, weight, locale, subscriptionType, subscriptionStartDate, subscriptionValidUntil ON user
      WHEN OLD.uuid IS NOT NEW.uuid OR OLD.name IS NOT NEW.name OR OLD.email IS NOT NEW.email OR OLD.providerId IS NOT NEW.providerId OR OLD.birthDate IS NOT NEW.birthDate OR OLD.gender IS NOT NEW.gender OR OLD.height IS NOT NEW.height OR OLD.weight IS NOT NEW.weight OR OLD.locale IS NOT NEW.locale OR OLD.subscriptionType IS NOT NEW.subscriptionType OR OLD.subscriptionStartDate IS NOT NEW.subscriptionStartDate OR OLD.subscriptionValidUntil IS NOT NEW.subscriptionValidUntil
    BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE user SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER exerciseTemplateInsertedFeed AFTER INSERT ON exerciseTemplate BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE exerciseTemplate SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER exerciseTemplateUpdatedFeed
      AFTER UPDATE OF userId, uuid, templateId, name, muscleGroup, muscleSubgroup, typeId, equipment, gripVariation, setup, description, videoURL, defaultSets, defaultReps, defaultRestTime, defaultWeight, musclesVersion ON exerciseTemplate
      WHEN OLD.userId IS NOT NEW.userId OR OLD.uuid IS NOT NEW.uuid OR OLD.templateId IS NOT NEW.templateId OR OLD.name IS NOT NEW.name OR OLD.muscleGroup IS NOT NEW.muscleGroup OR OLD.muscleSubgroup IS NOT NEW.muscleSubgroup OR OLD.typeId IS NOT NEW.typeId OR OLD.equipment IS NOT NEW.equipment OR OLD.gripVariation IS NOT NEW.gripVariation OR OLD.setup IS NOT NEW.setup OR OLD.description IS NOT NEW.description OR OLD.videoURL IS NOT NEW.videoURL OR OLD.defaultSets IS NOT NEW.defaultSets OR OLD.defaultReps IS NOT NEW.defaultReps OR OLD.defaultRestTime IS NOT NEW.defaultRestTime OR OLD.defaultWeight IS NOT NEW.defaultWeight OR OLD.musclesVersion IS NOT NEW.musclesVersion
    BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE exerciseTemplate SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER splitInsertedFeed AFTER INSERT ON split BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE split SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER splitUpdatedFeed
      AFTER UPDATE OF userId, uuid, name, intro ON split
      WHEN OLD.userId IS NOT NEW.userId OR OLD.uuid IS NOT NEW.uuid OR OLD.name IS NOT NEW.name OR OLD.intro IS NOT NEW.intro
    BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE split SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER workoutHistoryInsertedFeed AFTER INSERT ON workoutHistory BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE workoutHistory SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER workoutHistoryUpdatedFeed
      AFTER UPDATE OF userId, key, sessionId, date, planId, planTitle, endTime, focus, intensity, status ON workoutHistory
      WHEN OLD.userId IS NOT NEW.userId OR OLD.key IS NOT NEW.key OR OLD.sessionId IS NOT NEW.sessionId OR OLD.date IS NOT NEW.date OR OLD.planId IS NOT NEW.planId OR OLD.planTitle IS NOT NEW.planTitle OR OLD.endTime IS NOT NEW.endTime OR OLD.focus IS NOT NEW.focus OR OLD.intensity IS NOT NEW.intensity OR OLD.status IS NOT NEW.status
    BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE workoutHistory SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER historyExerciseInsertedFeed AFTER INSERT ON historyExercise BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE historyExercise SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER historyExerciseUpdatedFeed
      AFTER UPDATE OF userId, workoutId, key, exerciseId, name, "order", templateId, startTime, endTime, completed ON historyExercise
      WHEN OLD.userId IS NOT NEW.userId OR OLD.workoutId IS NOT NEW.workoutId OR OLD.key IS NOT NEW.key OR OLD.exerciseId IS NOT NEW.exerciseId OR OLD.name IS NOT NEW.name OR OLD."order" IS NOT NEW."order" OR OLD.templateId IS NOT NEW.templateId OR OLD.startTime IS NOT NEW.startTime OR OLD.endTime IS NOT NEW.endTime OR OLD.completed IS NOT NEW.completed
    BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE historyExercise SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER planItemInsertedFeed AFTER INSERT ON planItem BEGIN
      UPDATE workoutPlan SET itemsVersion = itemsVersion + 1 WHERE id = NEW.planId;
    END;
    CREATE TRIGGER planItemDeletedFeed AFTER DELETE ON planItem BEGIN
      UPDATE workoutPlan SET itemsVersion = itemsVersion + 1 WHERE id = OLD.planId;
    END;
    CREATE TRIGGER planItemUpdatedFeed AFTER UPDATE OF planId, uuid, position, kind, exerciseId,
      exerciseName, sets, reps, weight, restTime, duration ON planItem
    BEGIN
      UPDATE workoutPlan SET itemsVersion = itemsVersion + 1 WHERE id = NEW.planId;
    END;
    CREATE TRIGGER workoutPlanInsertedFeed AFTER INSERT ON workoutPlan BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE workoutPlan SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER workoutPlanUpdatedFeed
      AFTER UPDATE OF userId, uuid, splitId, autoTitle, title, description, "order", isActive, itemsVersion ON workoutPlan
      WHEN OLD.userId IS NOT NEW.userId OR OLD.uuid IS NOT NEW.uuid OR OLD.splitId IS NOT NEW.splitId OR OLD.autoTitle IS NOT NEW.autoTitle OR OLD.title IS NOT NEW.title OR OLD.description IS NOT NEW.description OR OLD."order" IS NOT NEW."order" OR OLD.isActive IS NOT NEW.isActive OR OLD.itemsVersion IS NOT NEW.itemsVersion
    BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE workoutPlan SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER historySetInsertedFeed AFTER INSERT ON historySet BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE historySet SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER historySetUpdatedFeed
      AFTER UPDATE OF userId, exerciseId, "key", "sessionKey", "order", "cause", "targetReps", "detectedReps", "confidence", "correctedReps", "weight", "startTime", "endTime", "restTime" ON historySet
      WHEN OLD.userId IS NOT NEW.userId OR OLD.exerciseId IS NOT NEW.exerciseId OR OLD."key" IS NOT NEW."key" OR OLD."sessionKey" IS NOT NEW."sessionKey" OR OLD."order" IS NOT NEW."order" OR OLD."cause" IS NOT NEW."cause" OR OLD."targetReps" IS NOT NEW."targetReps" OR OLD."detectedReps" IS NOT NEW."detectedReps" OR OLD."confidence" IS NOT NEW."confidence" OR OLD."correctedReps" IS NOT NEW."correctedReps" OR OLD."weight" IS NOT NEW."weight" OR OLD."startTime" IS NOT NEW."startTime" OR OLD."endTime" IS NOT NEW."endTime" OR OLD."restTime" IS NOT NEW."restTime"
    BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE historySet SET changeNumber = (SELECT value FROM changeCounter),
        updatedAt = (julianday('now') - 2440587.5) * 86400.0, cloudSyncStatus = 0 WHERE id = NEW.id;
    END;
    CREATE TRIGGER exerciseTemplateDeletedFeed AFTER DELETE ON exerciseTemplate WHEN OLD.userId IS NULL OR EXISTS (SELECT 1 FROM user WHERE id = OLD.userId) BEGIN
      UPDATE changeCounter SET value = value + 1;
      INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES ((SELECT value FROM changeCounter), OLD.userId, 'exerciseTemplate',
        OLD.uuid, (julianday('now') - 2440587.5) * 86400.0);
    END;
    CREATE TRIGGER historyExerciseDeletedFeed AFTER DELETE ON historyExercise WHEN EXISTS (SELECT 1 FROM user WHERE id = OLD.userId) AND EXISTS (SELECT 1 FROM workoutHistory WHERE id = OLD.workoutId) BEGIN
      UPDATE changeCounter SET value = value + 1;
      INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES ((SELECT value FROM changeCounter), OLD.userId, 'historyExercise',
        (SELECT key FROM workoutHistory WHERE id = OLD.workoutId) || '/' || OLD.key, (julianday('now') - 2440587.5) * 86400.0);
    END;
    CREATE TRIGGER historySetDeletedFeed AFTER DELETE ON historySet WHEN EXISTS (SELECT 1 FROM user WHERE id = OLD.userId) BEGIN
      UPDATE changeCounter SET value = value + 1;
      INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES ((SELECT value FROM changeCounter), OLD.userId, 'historySet',
        OLD.globalKey, (julianday('now') - 2440587.5) * 86400.0);
    END;
    CREATE TRIGGER splitDeletedFeed AFTER DELETE ON split WHEN EXISTS (SELECT 1 FROM user WHERE id = OLD.userId) BEGIN
      UPDATE changeCounter SET value = value + 1;
      INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES ((SELECT value FROM changeCounter), OLD.userId, 'split',
        OLD.uuid, (julianday('now') - 2440587.5) * 86400.0);
    END;
    CREATE TRIGGER userDeletedFeed AFTER DELETE ON user BEGIN
      DELETE FROM deletion WHERE userId = OLD.id;
      UPDATE changeCounter SET value = value + 1;
      INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES ((SELECT value FROM changeCounter), NULL, 'user', OLD.uuid,
        (julianday('now') - 2440587.5) * 86400.0);
    END;
    CREATE TRIGGER workoutHistoryDeletedFeed AFTER DELETE ON workoutHistory WHEN EXISTS (SELECT 1 FROM user WHERE id = OLD.userId) BEGIN
      UPDATE changeCounter SET value = value + 1;
      INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES ((SELECT value FROM changeCounter), OLD.userId, 'workoutHistory',
        OLD.key, (julianday('now') - 2440587.5) * 86400.0);
    END;
    CREATE TRIGGER workoutPlanDeletedFeed AFTER DELETE ON workoutPlan WHEN EXISTS (SELECT 1 FROM user WHERE id = OLD.userId) BEGIN
      UPDATE changeCounter SET value = value + 1;
      INSERT INTO deletion (changeNumber, userId, entity, key, deletedAt) VALUES ((SELECT value FROM changeCounter), OLD.userId, 'workoutPlan',
        OLD.uuid, (julianday('now') - 2440587.5) * 86400.0);
    END;
    CREATE TRIGGER userUnsealed AFTER UPDATE OF "id", "uuid", "name", "cloudSyncStatus", "lastCloudSync", "email", "providerId", "birthDate", "gender", "height", "weight", "locale", "createdAt", "lastLoginDate", "subscriptionType", "subscriptionStartDate", "subscriptionValidUntil", "updatedAt", "changeNumber" ON user
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE user SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER exerciseTemplateUnsealed AFTER UPDATE OF "id", "userId", "uuid", "templateId", "name", "foldedName", "muscleGroup", "muscleSubgroup", "typeId", "equipment", "gripVariation", "setup", "description", "videoURL", "defaultSets", "defaultReps", "defaultRestTime", "defaultWeight", "musclesVersion", "createdAt", "cloudSyncStatus", "lastCloudSync", "updatedAt", "changeNumber" ON exerciseTemplate
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE exerciseTemplate SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER splitUnsealed AFTER UPDATE OF "id", "userId", "uuid", "name", "intro", "cloudSyncStatus", "lastCloudSync", "updatedAt", "changeNumber" ON split
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE split SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER workoutPlanUnsealed AFTER UPDATE OF "id", "userId", "uuid", "splitId", "autoTitle", "title", "description", "order", "isActive", "itemsVersion", "createdAt", "cloudSyncStatus", "lastCloudSync", "updatedAt", "changeNumber" ON workoutPlan
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE workoutPlan SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER planItemUnsealed AFTER UPDATE OF "id", "planId", "uuid", "position", "kind", "exerciseId", "exerciseName", "sets", "reps", "weight", "restTime", "duration" ON planItem
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE planItem SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER workoutHistoryUnsealed AFTER UPDATE OF "id", "userId", "key", "sessionId", "date", "cloudSyncStatus", "lastCloudSync", "planId", "planTitle", "endTime", "focus", "intensity", "status", "updatedAt", "changeNumber" ON workoutHistory
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE workoutHistory SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER historyExerciseUnsealed AFTER UPDATE OF "id", "userId", "workoutId", "key", "exerciseId", "name", "order", "cloudSyncStatus", "lastCloudSync", "templateId", "startTime", "endTime", "completed", "workoutDate", "updatedAt", "changeNumber" ON historyExercise
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE historyExercise SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER timelineSegmentUnsealed AFTER UPDATE OF "id", "recordingId", "position", "setId", "currentSetId", "firstSample", "sampleCount", "byteCount" ON timelineSegment
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE timelineSegment SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER timelineRepUnsealed AFTER UPDATE OF "segmentId", "number", "clockStart", "clockEnd", "confidence" ON timelineRep
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE timelineRep SET checksum = NULL WHERE segmentId = NEW.segmentId AND number = NEW.number;
    END;
    CREATE TRIGGER healthBlobUnsealed AFTER UPDATE OF "id", "workoutId", "exerciseId", "setId", "readingCount", "data" ON healthBlob
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE healthBlob SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER deletionUnsealed AFTER UPDATE OF "changeNumber", "userId", "entity", "key", "deletedAt" ON deletion
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE deletion SET checksum = NULL WHERE changeNumber = NEW.changeNumber;
    END;
    CREATE TRIGGER movementPatternUnsealed AFTER UPDATE OF "userId", "exerciseKey", "version", "data" ON movementPattern
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE movementPattern SET checksum = NULL WHERE userId = NEW.userId AND exerciseKey = NEW.exerciseKey;
    END;
    CREATE TRIGGER currentSessionUnsealed AFTER UPDATE OF "id", "userId", "key", "planId", "planTitle", "focus", "intensity", "startTime", "currentExerciseIndex" ON currentSession
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE currentSession SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER currentExerciseUnsealed AFTER UPDATE OF "id", "sessionId", "key", "templateId", "name", "order", "startTime", "endTime", "currentSetIndex", "completed", "isActive" ON currentExercise
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE currentExercise SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER currentHealthUnsealed AFTER UPDATE OF "sessionId", "exerciseId", "setId", "unixTime", "heartRateBPM", "calories" ON currentHealth
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE currentHealth SET checksum = NULL WHERE rowid = NEW.rowid;
    END;
    CREATE TRIGGER muscleUnsealed AFTER UPDATE OF "id", "name", "description", "muscleGroup" ON muscle
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE muscle SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER exerciseTypeUnsealed AFTER UPDATE OF "id", "name", "description" ON exerciseType
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE exerciseType SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER exerciseMuscleUnsealed AFTER UPDATE OF "exerciseId", "muscleId" ON exerciseMuscle
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE exerciseMuscle SET checksum = NULL WHERE exerciseId = NEW.exerciseId AND muscleId = NEW.muscleId;
    END;
    CREATE TRIGGER exerciseMuscleGroupUnsealed AFTER UPDATE OF "exerciseId", "muscleGroup" ON exerciseMuscleGroup
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE exerciseMuscleGroup SET checksum = NULL WHERE exerciseId = NEW.exerciseId AND muscleGroup = NEW.muscleGroup;
    END;
    CREATE TRIGGER timelineSegmentInsertedFeed AFTER INSERT ON timelineSegment BEGIN
      UPDATE recording SET segmentsVersion = segmentsVersion + 1 WHERE id = NEW.recordingId;
    END;
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
    CREATE TRIGGER exerciseTemplateInsertedStamp AFTER INSERT ON exerciseTemplate WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE (userId = NEW.userId OR NEW.userId IS NULL) AND entity = 1 AND key = NEW.uuid;
    END;
    CREATE TRIGGER exerciseTemplateDeletedStamp AFTER DELETE ON exerciseTemplate BEGIN
      DELETE FROM fieldStamp WHERE entity = 1 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp)
        SELECT u.id, 1, OLD.uuid, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE (u.id = OLD.userId OR OLD.userId IS NULL) AND OLD.uuid IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET deleted = 1, deletedStamp = excluded.deletedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER exerciseTemplateSharedStamp
      AFTER UPDATE OF "userId" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."userId" IS NOT NEW."userId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'shared', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateTemplateIdStamp
      AFTER UPDATE OF "templateId" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."templateId" IS NOT NEW."templateId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'templateId', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateNameStamp
      AFTER UPDATE OF "name" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."name" IS NOT NEW."name")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'name', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateMusclesStamp
      AFTER UPDATE OF "muscleGroup", "muscleSubgroup", "musclesVersion" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."muscleGroup" IS NOT NEW."muscleGroup" OR OLD."muscleSubgroup" IS NOT NEW."muscleSubgroup" OR OLD."musclesVersion" IS NOT NEW."musclesVersion")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'muscles', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateTypeStamp
      AFTER UPDATE OF "typeId" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."typeId" IS NOT NEW."typeId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'type', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateEquipmentStamp
      AFTER UPDATE OF "equipment" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."equipment" IS NOT NEW."equipment")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'equipment', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateGripVariationStamp
      AFTER UPDATE OF "gripVariation" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."gripVariation" IS NOT NEW."gripVariation")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'gripVariation', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateSetupStamp
      AFTER UPDATE OF "setup" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."setup" IS NOT NEW."setup")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'setup', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateDescriptionStamp
      AFTER UPDATE OF "description" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."description" IS NOT NEW."description")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'description', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateVideoURLStamp
      AFTER UPDATE OF "videoURL" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."videoURL" IS NOT NEW."videoURL")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'videoURL', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateDefaultSetsStamp
      AFTER UPDATE OF "defaultSets" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."defaultSets" IS NOT NEW."defaultSets")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'defaultSets', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateDefaultRepsStamp
      AFTER UPDATE OF "defaultReps" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."defaultReps" IS NOT NEW."defaultReps")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'defaultReps', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateDefaultRestTimeStamp
      AFTER UPDATE OF "defaultRestTime" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."defaultRestTime" IS NOT NEW."defaultRestTime")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'defaultRestTime', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER exerciseTemplateDefaultWeightStamp
      AFTER UPDATE OF "defaultWeight" ON exerciseTemplate
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."defaultWeight" IS NOT NEW."defaultWeight")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (1, NEW.id, 'defaultWeight', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER splitInsertedStamp AFTER INSERT ON split WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (2, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 2 AND key = NEW.uuid;
    END;
    CREATE TRIGGER splitDeletedStamp AFTER DELETE ON split BEGIN
      DELETE FROM fieldStamp WHERE entity = 2 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp)
        SELECT u.id, 2, OLD.uuid, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.uuid IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET deleted = 1, deletedStamp = excluded.deletedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER splitNameStamp
      AFTER UPDATE OF "name" ON split
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."name" IS NOT NEW."name")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (2, NEW.id, 'name', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER splitIntroStamp
      AFTER UPDATE OF "intro" ON split
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."intro" IS NOT NEW."intro")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (2, NEW.id, 'intro', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutPlanInsertedStamp AFTER INSERT ON workoutPlan WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (3, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 3 AND key = NEW.uuid;
    END;
    CREATE TRIGGER workoutPlanDeletedStamp AFTER DELETE ON workoutPlan BEGIN
      DELETE FROM fieldStamp WHERE entity = 3 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, deleted, deletedStamp)
        SELECT u.id, 3, OLD.uuid, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.uuid IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET deleted = 1, deletedStamp = excluded.deletedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER workoutPlanTitleStamp
      AFTER UPDATE OF "title" ON workoutPlan
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."title" IS NOT NEW."title")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (3, NEW.id, 'title', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutPlanDescriptionStamp
      AFTER UPDATE OF "description" ON workoutPlan
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."description" IS NOT NEW."description")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (3, NEW.id, 'description', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutPlanOrderStamp
      AFTER UPDATE OF "order" ON workoutPlan
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."order" IS NOT NEW."order")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (3, NEW.id, 'order', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutPlanSplitStamp
      AFTER UPDATE OF "splitId" ON workoutPlan
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."splitId" IS NOT NEW."splitId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (3, NEW.id, 'split', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutPlanItemsStamp
      AFTER UPDATE OF "itemsVersion" ON workoutPlan
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."itemsVersion" IS NOT NEW."itemsVersion")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (3, NEW.id, 'items', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryInsertedStamp AFTER INSERT ON workoutHistory WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 4 AND key = NEW.key;
    END;
    CREATE TRIGGER workoutHistoryDeletedStamp AFTER DELETE ON workoutHistory BEGIN
      DELETE FROM fieldStamp WHERE entity = 4 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 4, OLD.key, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.key IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER workoutHistorySessionIdStamp
      AFTER UPDATE OF "sessionId" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."sessionId" IS NOT NEW."sessionId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'sessionId', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryDateStamp
      AFTER UPDATE OF "date" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."date" IS NOT NEW."date")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'date', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryEndTimeStamp
      AFTER UPDATE OF "endTime" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."endTime" IS NOT NEW."endTime")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'endTime', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryPlanStamp
      AFTER UPDATE OF "planId" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."planId" IS NOT NEW."planId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'plan', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryPlanTitleStamp
      AFTER UPDATE OF "planTitle" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."planTitle" IS NOT NEW."planTitle")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'planTitle', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryFocusStamp
      AFTER UPDATE OF "focus" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."focus" IS NOT NEW."focus")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'focus', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryIntensityStamp
      AFTER UPDATE OF "intensity" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."intensity" IS NOT NEW."intensity")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'intensity', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryStatusStamp
      AFTER UPDATE OF "status" ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."status" IS NOT NEW."status")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (4, NEW.id, 'status', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutHistoryRenamedStamp
      AFTER UPDATE OF key ON workoutHistory
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD.key IS NOT NEW.key)
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 4, OLD.key, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.key IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 4 AND key = NEW.key;
    END;
    CREATE TRIGGER historyExerciseInsertedStamp AFTER INSERT ON historyExercise WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 5 AND key = (SELECT w.key FROM workoutHistory w WHERE w.id = NEW.workoutId) || '/' || NEW.key;
    END;
    CREATE TRIGGER historyExerciseDeletedStamp AFTER DELETE ON historyExercise BEGIN
      DELETE FROM fieldStamp WHERE entity = 5 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 5, (SELECT w.key FROM workoutHistory w WHERE w.id = OLD.workoutId) || '/' || OLD.key, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND (SELECT w.key FROM workoutHistory w WHERE w.id = OLD.workoutId) || '/' || OLD.key IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER historyExerciseWorkoutStamp
      AFTER UPDATE OF "workoutId", "key" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."workoutId" IS NOT NEW."workoutId" OR OLD."key" IS NOT NEW."key")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'workout', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseExerciseIdStamp
      AFTER UPDATE OF "exerciseId" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."exerciseId" IS NOT NEW."exerciseId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'exerciseId', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseNameStamp
      AFTER UPDATE OF "name" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."name" IS NOT NEW."name")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'name', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseOrderStamp
      AFTER UPDATE OF "order" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."order" IS NOT NEW."order")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'order', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseTemplateStamp
      AFTER UPDATE OF "templateId" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."templateId" IS NOT NEW."templateId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'template', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseStartTimeStamp
      AFTER UPDATE OF "startTime" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."startTime" IS NOT NEW."startTime")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'startTime', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseEndTimeStamp
      AFTER UPDATE OF "endTime" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."endTime" IS NOT NEW."endTime")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'endTime', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseCompletedStamp
      AFTER UPDATE OF "completed" ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."completed" IS NOT NEW."completed")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (5, NEW.id, 'completed', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historyExerciseRenamedStamp
      AFTER UPDATE OF workoutId, key ON historyExercise
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD.workoutId IS NOT NEW.workoutId OR OLD.key IS NOT NEW.key)
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 5, (SELECT w.key FROM workoutHistory w WHERE w.id = OLD.workoutId) || '/' || OLD.key, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND (SELECT w.key FROM workoutHistory w WHERE w.id = OLD.workoutId) || '/' || OLD.key IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 5 AND key = (SELECT w.key FROM workoutHistory w WHERE w.id = NEW.workoutId) || '/' || NEW.key;
    END;
    CREATE TRIGGER historySetInsertedStamp AFTER INSERT ON historySet WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 6 AND key = NEW.globalKey;
    END;
    CREATE TRIGGER historySetDeletedStamp AFTER DELETE ON historySet BEGIN
      DELETE FROM fieldStamp WHERE entity = 6 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 6, OLD.globalKey, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.globalKey IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER historySetExerciseStamp
      AFTER UPDATE OF "exerciseId" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."exerciseId" IS NOT NEW."exerciseId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'exercise', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetOrderStamp
      AFTER UPDATE OF "order" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."order" IS NOT NEW."order")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'order', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetCauseStamp
      AFTER UPDATE OF "cause" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."cause" IS NOT NEW."cause")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'cause', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetTargetRepsStamp
      AFTER UPDATE OF "targetReps" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."targetReps" IS NOT NEW."targetReps")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'targetReps', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetCountStamp
      AFTER UPDATE OF "detectedReps", "confidence" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."detectedReps" IS NOT NEW."detectedReps" OR OLD."confidence" IS NOT NEW."confidence")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'count', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetCorrectionStamp
      AFTER UPDATE OF "correctedReps" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."correctedReps" IS NOT NEW."correctedReps")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'correction', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetWeightStamp
      AFTER UPDATE OF "weight" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."weight" IS NOT NEW."weight")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'weight', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetTimeStamp
      AFTER UPDATE OF "startTime", "endTime" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."startTime" IS NOT NEW."startTime" OR OLD."endTime" IS NOT NEW."endTime")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'time', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetRestTimeStamp
      AFTER UPDATE OF "restTime" ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."restTime" IS NOT NEW."restTime")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (6, NEW.id, 'restTime', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER historySetRenamedStamp
      AFTER UPDATE OF sessionKey, key ON historySet
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD.sessionKey IS NOT NEW.sessionKey OR OLD.key IS NOT NEW.key)
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 6, OLD.globalKey, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.globalKey IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 AND OLD.key <> 'moving-' || OLD.id
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 6 AND key = NEW.globalKey;
    END;
    CREATE TRIGGER recordingInsertedStamp AFTER INSERT ON recording WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (7, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 7 AND key = NEW.globalKey;
    END;
    CREATE TRIGGER recordingDeletedStamp AFTER DELETE ON recording BEGIN
      DELETE FROM fieldStamp WHERE entity = 7 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 7, OLD.globalKey, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.globalKey IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER recordingWorkoutStamp
      AFTER UPDATE OF "workoutId" ON recording
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."workoutId" IS NOT NEW."workoutId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (7, NEW.id, 'workout', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      UPDATE changeCounter SET value = value + 1;
      UPDATE recording SET changeNumber = (SELECT value FROM changeCounter), cloudSyncStatus = 0
        WHERE id = NEW.id;
    END;
    CREATE TRIGGER recordingSamplesStamp
      AFTER UPDATE OF "digest", "name", "sampleCount", "deletedSampleCount", "clock", "firstTime", "lastTime", "startTime", "isLossless", "segmentsVersion" ON recording
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."digest" IS NOT NEW."digest" OR OLD."name" IS NOT NEW."name" OR OLD."sampleCount" IS NOT NEW."sampleCount" OR OLD."deletedSampleCount" IS NOT NEW."deletedSampleCount" OR OLD."clock" IS NOT NEW."clock" OR OLD."firstTime" IS NOT NEW."firstTime" OR OLD."lastTime" IS NOT NEW."lastTime" OR OLD."startTime" IS NOT NEW."startTime" OR OLD."isLossless" IS NOT NEW."isLossless" OR OLD."segmentsVersion" IS NOT NEW."segmentsVersion")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (7, NEW.id, 'samples', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      UPDATE changeCounter SET value = value + 1;
      UPDATE recording SET changeNumber = (SELECT value FROM changeCounter), cloudSyncStatus = 0
        WHERE id = NEW.id;
    END;
    CREATE TRIGGER recordingRenamedStamp
      AFTER UPDATE OF sessionKey, key ON recording
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD.sessionKey IS NOT NEW.sessionKey OR OLD.key IS NOT NEW.key)
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 7, OLD.globalKey, 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND OLD.globalKey IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 7 AND key = NEW.globalKey;
    END;
    CREATE TRIGGER recordingInsertedFeed AFTER INSERT ON recording BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE recording SET changeNumber = (SELECT value FROM changeCounter), cloudSyncStatus = 0
        WHERE id = NEW.id;
    END;
    CREATE TRIGGER deletedSamplesInsertedStamp AFTER INSERT ON deletedSamples WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (8, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      UPDATE tombstone SET removed = 0, removedStamp = (SELECT printf('%016x', time) || device FROM syncClock), isPending = 1, deleted = 0,
        deletedStamp = CASE deletedStamp WHEN '' THEN '' ELSE (SELECT printf('%016x', time) || device FROM syncClock) END
      WHERE userId = NEW.userId AND entity = 8 AND key = quote(NEW.recordingKey) || ' ' || quote(NEW.sessionKey) || ' ' || quote(NEW.setKey) || ' '
      || NEW.firstSample || ' ' || quote(NEW.endSample);
    END;
    CREATE TRIGGER deletedSamplesDeletedStamp AFTER DELETE ON deletedSamples BEGIN
      DELETE FROM fieldStamp WHERE entity = 8 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO tombstone (userId, entity, key, removed, removedStamp)
        SELECT u.id, 8, quote(OLD.recordingKey) || ' ' || quote(OLD.sessionKey) || ' ' || quote(OLD.setKey) || ' '
      || OLD.firstSample || ' ' || quote(OLD.endSample), 1, (SELECT printf('%016x', time) || device FROM syncClock) FROM user u
        WHERE u.id = OLD.userId AND quote(OLD.recordingKey) || ' ' || quote(OLD.sessionKey) || ' ' || quote(OLD.setKey) || ' '
      || OLD.firstSample || ' ' || quote(OLD.endSample) IS NOT NULL
          AND (SELECT isMerging FROM syncClock) = 0 
        ON CONFLICT DO UPDATE SET removed = 1, removedStamp = excluded.removedStamp,
          isPending = 1;
    END;
    CREATE TRIGGER deletedSamplesSamplesStamp
      AFTER UPDATE OF "recordingKey", "sessionKey", "setKey", "firstSample", "endSample" ON deletedSamples
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."recordingKey" IS NOT NEW."recordingKey" OR OLD."sessionKey" IS NOT NEW."sessionKey" OR OLD."setKey" IS NOT NEW."setKey" OR OLD."firstSample" IS NOT NEW."firstSample" OR OLD."endSample" IS NOT NEW."endSample")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (8, NEW.id, 'samples', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      UPDATE changeCounter SET value = value + 1;
      UPDATE deletedSamples SET changeNumber = (SELECT value FROM changeCounter), cloudSyncStatus = 0
        WHERE id = NEW.id;
    END;
    CREATE TRIGGER deletedSamplesInsertedFeed AFTER INSERT ON deletedSamples BEGIN
      UPDATE changeCounter SET value = value + 1;
      UPDATE deletedSamples SET changeNumber = (SELECT value FROM changeCounter), cloudSyncStatus = 0
        WHERE id = NEW.id;
    END;
    CREATE TRIGGER userInsertedStamp AFTER INSERT ON user WHEN (SELECT isMerging FROM syncClock) = 0 BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, '', (SELECT printf('%016x', time) || device FROM syncClock));
      
    END;
    CREATE TRIGGER userDeletedStamp AFTER DELETE ON user BEGIN
      DELETE FROM fieldStamp WHERE entity = 9 AND row = OLD.id;
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      
    END;
    CREATE TRIGGER userNameStamp
      AFTER UPDATE OF "name" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."name" IS NOT NEW."name")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'name', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER userEmailStamp
      AFTER UPDATE OF "email" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."email" IS NOT NEW."email")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'email', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER userProviderIdStamp
      AFTER UPDATE OF "providerId" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."providerId" IS NOT NEW."providerId")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'providerId', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER userBirthDateStamp
      AFTER UPDATE OF "birthDate" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."birthDate" IS NOT NEW."birthDate")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'birthDate', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER userGenderStamp
      AFTER UPDATE OF "gender" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."gender" IS NOT NEW."gender")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'gender', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER userHeightStamp
      AFTER UPDATE OF "height" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."height" IS NOT NEW."height")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'height', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER userWeightStamp
      AFTER UPDATE OF "weight" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."weight" IS NOT NEW."weight")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'weight', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER userLocaleStamp
      AFTER UPDATE OF "locale" ON user
      WHEN (SELECT isMerging FROM syncClock) = 0
        AND (OLD."locale" IS NOT NEW."locale")
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.id, 'locale', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      
    END;
    CREATE TRIGGER workoutPlanIsActiveStamp AFTER UPDATE OF isActive ON workoutPlan
      WHEN (SELECT isMerging FROM syncClock) = 0 AND OLD.isActive IS NOT NEW.isActive
    BEGIN
      UPDATE syncClock SET time = max(time + 1,
        (CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER) + correction) << 16);
      INSERT INTO fieldStamp VALUES (9, NEW.userId, 'activePlan', (SELECT printf('%016x', time) || device FROM syncClock))
        ON CONFLICT DO UPDATE SET stamp = excluded.stamp;
      UPDATE changeCounter SET value = value + 1;
      UPDATE user SET changeNumber = (SELECT value FROM changeCounter), cloudSyncStatus = 0
        WHERE id = NEW.userId;
    END;
    CREATE TRIGGER recordingUnsealed AFTER UPDATE OF "id", "userId", "workoutId", "currentSessionId", "sessionKey", "key", "name", "digest", "sampleCount", "deletedSampleCount", "clock", "firstTime", "lastTime", "startTime", "isLossless", "segmentsVersion", "cloudSyncStatus", "changeNumber" ON recording
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE recording SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER deletedSamplesUnsealed AFTER UPDATE OF "id", "userId", "recordingKey", "setKey", "firstSample", "endSample", "sessionKey", "cloudSyncStatus", "changeNumber" ON deletedSamples
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE deletedSamples SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER historySetUnsealed AFTER UPDATE OF "id", "userId", "exerciseId", "recordingId", "sessionKey", "key", "setId", "position", "order", "cause", "targetReps", "detectedReps", "confidence", "correctedReps", "correctedAt", "weight", "startTime", "endTime", "timestamp", "restTime", "clockStart", "clockEnd", "detector", "cloudSyncStatus", "lastCloudSync", "updatedAt", "changeNumber", "exerciseSource" ON historySet
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE historySet SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER currentSetUnsealed AFTER UPDATE OF "id", "userId", "exerciseId", "key", "setId", "order", "cause", "targetReps", "weight", "startTime", "endTime", "restTime", "correctedReps", "detectedReps", "confidence", "position", "clockStart", "clockEnd", "detector", "isActive", "exerciseSource" ON currentSet
      WHEN NEW.checksum IS NOT NULL
    BEGIN
      UPDATE currentSet SET checksum = NULL WHERE id = NEW.id;
    END;
    """#
}

extension HistorySchema {
  /// The fingerprint of this schema. Where it is outdated, opening takes longer.
  static let latestFingerprint =
    "f77dbc078c17c1c6200889ccaeeb46959de52716b04c0a3c1c62bd0ef7e2306b"
}
