extension HistoryMigrations {
  /// Users with all that is known of them, the catalogue, plans, the workout under way, and what
  /// the history lacked for them. Ranges are those of ``HistoryRules``.
  static let workouts3 = users3 + catalog3 + plans3 + current3 + history3

  private static let users3 = """
    ALTER TABLE user ADD COLUMN email TEXT;
    ALTER TABLE user ADD COLUMN providerId TEXT;
    ALTER TABLE user ADD COLUMN birthDate REAL;
    ALTER TABLE user ADD COLUMN gender TEXT;
    ALTER TABLE user ADD COLUMN height REAL CHECK (height BETWEEN 0.3 AND 3); -- metres
    ALTER TABLE user ADD COLUMN weight REAL CHECK (weight BETWEEN 1 AND 700); -- kilograms
    ALTER TABLE user ADD COLUMN locale TEXT;
    ALTER TABLE user ADD COLUMN createdAt REAL;
    ALTER TABLE user ADD COLUMN lastLoginDate REAL;
    ALTER TABLE user ADD COLUMN subscriptionType INTEGER NOT NULL DEFAULT 0
      CHECK (subscriptionType IN (0, 1)); -- free, premium
    ALTER TABLE user ADD COLUMN subscriptionStartDate REAL;
    ALTER TABLE user ADD COLUMN subscriptionValidUntil REAL;
    CREATE UNIQUE INDEX userByProviderId ON user (providerId) WHERE providerId IS NOT NULL;
    CREATE INDEX userByLastLogin ON user (lastLoginDate);
    CREATE INDEX userBySubscription ON user (subscriptionValidUntil);

    """

  private static let catalog3 = """
    CREATE TABLE exerciseType (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
      description TEXT
    ) STRICT;
    CREATE TABLE muscle (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
      description TEXT,
      muscleGroup TEXT
    ) STRICT;

    -- An exercise that can be done: of the library that all share (no user), or a person's own.
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
    ) STRICT;
    CREATE UNIQUE INDEX exerciseTemplateByTemplateId ON exerciseTemplate (templateId)
      WHERE templateId IS NOT NULL;
    CREATE INDEX exerciseTemplateByName ON exerciseTemplate (foldedName);
    CREATE INDEX exerciseTemplateByGroup ON exerciseTemplate (muscleGroup, foldedName);
    CREATE INDEX exerciseTemplateByUser ON exerciseTemplate (userId);
    CREATE INDEX exerciseTemplateByType ON exerciseTemplate (typeId);

    -- Further groups beside the first.
    CREATE TABLE exerciseMuscleGroup (
      exerciseId INTEGER NOT NULL REFERENCES exerciseTemplate (id) ON DELETE CASCADE,
      muscleGroup TEXT NOT NULL,
      PRIMARY KEY (exerciseId, muscleGroup)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE exerciseMuscle (
      exerciseId INTEGER NOT NULL REFERENCES exerciseTemplate (id) ON DELETE CASCADE,
      muscleId INTEGER NOT NULL REFERENCES muscle (id) ON DELETE CASCADE,
      PRIMARY KEY (exerciseId, muscleId)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX exerciseMuscleByMuscle ON exerciseMuscle (muscleId);

    -- Words are found without regard to accents and case.
    CREATE VIRTUAL TABLE exerciseSearch USING fts5 (
      name, keywords, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
    );

    """

  private static let plans3 = """
    CREATE TABLE split (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      uuid TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      intro TEXT NOT NULL DEFAULT '' CHECK (length(intro) <= 500),
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL
    ) STRICT;
    CREATE INDEX splitByUser ON split (userId);

    CREATE TABLE workoutPlan (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      uuid TEXT NOT NULL UNIQUE,
      splitId INTEGER REFERENCES split (id) ON DELETE SET NULL,
      autoTitle TEXT NOT NULL CHECK (autoTitle GLOB 'Treino [A-Z]*'),
      title TEXT CHECK (length(title) BETWEEN 3 AND 100),
      description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 500),
      "order" INTEGER NOT NULL CHECK ("order" >= 0),
      isActive INTEGER NOT NULL DEFAULT 0 CHECK (isActive IN (0, 1)),
      itemsVersion INTEGER NOT NULL DEFAULT 0, -- counts changes of its items
      createdAt REAL,
      cloudSyncStatus INTEGER NOT NULL DEFAULT 0 CHECK (cloudSyncStatus IN (0, 1)),
      lastCloudSync REAL,
      UNIQUE (userId, autoTitle)
    ) STRICT;
    CREATE UNIQUE INDEX workoutPlanActive ON workoutPlan (userId) WHERE isActive = 1;
    CREATE INDEX workoutPlanByOrder ON workoutPlan (userId, "order");
    CREATE INDEX workoutPlanBySplit ON workoutPlan (splitId);

    -- Exercises and breaks in order.
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
      duration INTEGER, -- seconds
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
    CREATE INDEX planItemByExercise ON planItem (exerciseId);
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

    """

  private static let current3 = """
    -- The workout under way: light, no sensor data, at most one a user. It is gone when it ends.
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
    ) STRICT;
    CREATE INDEX currentSessionByKey ON currentSession (key);
    CREATE INDEX currentSessionByPlan ON currentSession (planId);

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
      isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)),
      UNIQUE (sessionId, key),
      UNIQUE (sessionId, "order")
    ) STRICT;
    CREATE UNIQUE INDEX currentExerciseActive ON currentExercise (sessionId) WHERE isActive = 1;
    CREATE INDEX currentExerciseByTemplate ON currentExercise (templateId);

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
      isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)),
      UNIQUE (userId, key),
      UNIQUE (exerciseId, "order")
    ) STRICT;
    CREATE UNIQUE INDEX currentSetActive ON currentSet (exerciseId) WHERE isActive = 1;

    -- Heart rate and calories of the workout under way, until they become blobs.
    CREATE TABLE currentHealth (
      sessionId INTEGER NOT NULL REFERENCES currentSession (id) ON DELETE CASCADE,
      exerciseId INTEGER REFERENCES currentExercise (id) ON DELETE SET NULL,
      setId INTEGER REFERENCES currentSet (id) ON DELETE SET NULL,
      unixTime REAL NOT NULL,
      heartRateBPM REAL,
      calories REAL
    ) STRICT;
    CREATE UNIQUE INDEX currentHealthByTime ON currentHealth (sessionId, unixTime);
    CREATE INDEX currentHealthByExercise ON currentHealth (exerciseId);
    CREATE INDEX currentHealthBySet ON currentHealth (setId);

    """
}
