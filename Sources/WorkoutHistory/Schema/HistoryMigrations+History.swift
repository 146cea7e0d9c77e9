extension HistoryMigrations {
  /// What the history lacked for the rest of the model.
  static let history3 = """
    ALTER TABLE workoutHistory ADD COLUMN planId INTEGER REFERENCES workoutPlan (id)
      ON DELETE SET NULL;
    ALTER TABLE workoutHistory ADD COLUMN planTitle TEXT; -- outlives the plan
    ALTER TABLE workoutHistory ADD COLUMN endTime REAL;
    ALTER TABLE workoutHistory ADD COLUMN focus TEXT CHECK (length(focus) <= 100);
    ALTER TABLE workoutHistory ADD COLUMN intensity TEXT CHECK (length(intensity) <= 100);
    -- NULL: nobody started it, its recordings were processed.
    ALTER TABLE workoutHistory ADD COLUMN status TEXT
      CHECK (status IN ('completed', 'interrupted', 'skipped'));
    -- Workouts without a date come last.
    ALTER TABLE workoutHistory ADD COLUMN sortDate REAL
      GENERATED ALWAYS AS (coalesce(date, -1e12)) VIRTUAL;
    DROP INDEX workoutHistoryByDate;
    CREATE INDEX workoutHistoryByDate ON workoutHistory (sortDate, id);
    CREATE INDEX workoutHistoryByUser ON workoutHistory (userId, sortDate, id);
    CREATE INDEX workoutHistoryBySync
      ON workoutHistory (userId, cloudSyncStatus, sortDate, id);
    CREATE INDEX workoutHistoryByStatus ON workoutHistory (userId, status, sortDate, id);
    CREATE INDEX workoutHistoryByKey ON workoutHistory (key);
    CREATE INDEX workoutHistoryByPlan ON workoutHistory (planId);

    ALTER TABLE historyExercise ADD COLUMN templateId INTEGER REFERENCES exerciseTemplate (id)
      ON DELETE SET NULL;
    ALTER TABLE historyExercise ADD COLUMN startTime REAL;
    ALTER TABLE historyExercise ADD COLUMN endTime REAL;
    -- NULL: nobody started it, its recordings were processed.
    ALTER TABLE historyExercise ADD COLUMN completed INTEGER CHECK (completed IN (0, 1));
    ALTER TABLE historyExercise ADD COLUMN workoutDate REAL; -- its workout's sortDate
    UPDATE historyExercise SET workoutDate =
      (SELECT sortDate FROM workoutHistory w WHERE w.id = workoutId);
    DROP INDEX historyExerciseByName;
    CREATE INDEX historyExerciseByName ON historyExercise (userId, name, workoutDate, workoutId);
    CREATE INDEX historyExerciseByTemplate
      ON historyExercise (templateId, userId, workoutDate, workoutId);
    CREATE INDEX historyExerciseByTemplateOfAll
      ON historyExercise (templateId, workoutDate, workoutId);
    CREATE TRIGGER historyExerciseDated AFTER INSERT ON historyExercise BEGIN
      UPDATE historyExercise SET workoutDate =
        (SELECT sortDate FROM workoutHistory w WHERE w.id = NEW.workoutId) WHERE id = NEW.id;
    END;
    CREATE TRIGGER workoutHistoryDated AFTER UPDATE OF date ON workoutHistory
      WHEN OLD.date IS NOT NEW.date
    BEGIN
      UPDATE historyExercise SET workoutDate = NEW.sortDate WHERE workoutId = NEW.id;
    END;

    -- A recording belongs to a workout of the history, or to the one under way.
    CREATE TABLE newRecording (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      workoutId INTEGER REFERENCES workoutHistory (id) ON DELETE CASCADE,
      currentSessionId INTEGER REFERENCES currentSession (id) ON DELETE CASCADE,
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
      UNIQUE (userId, key),
      CHECK ((workoutId IS NULL) <> (currentSessionId IS NULL))
    ) STRICT;
    INSERT INTO newRecording SELECT id, userId, workoutId, NULL, key, name, digest, sampleCount,
      deletedSampleCount, clock, firstTime, lastTime, startTime, isLossless FROM recording;
    DROP TABLE recording;
    ALTER TABLE newRecording RENAME TO recording;
    CREATE INDEX recordingByWorkout ON recording (workoutId);
    CREATE INDEX recordingByCurrentSession ON recording (currentSessionId)
      WHERE currentSessionId IS NOT NULL;

    -- A set need not have been counted by a machine.
    CREATE TABLE newHistorySet (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      exerciseId INTEGER NOT NULL REFERENCES historyExercise (id) ON DELETE CASCADE,
      recordingId INTEGER REFERENCES recording (id) ON DELETE SET NULL,
      key TEXT NOT NULL, -- the set's id, or else the recording's digest, '-' and the position
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
      UNIQUE (userId, key)
    ) STRICT;
    INSERT INTO newHistorySet (id, userId, exerciseId, recordingId, key, setId, position, "order",
        cause, targetReps, detectedReps, confidence, correctedReps, weight, startTime, endTime,
        timestamp, restTime, clockStart, clockEnd, detector, cloudSyncStatus, lastCloudSync)
      SELECT id, userId, exerciseId, recordingId, key, setId, position, "order",
        cause, min(targetReps, 999), detectedReps, confidence, min(correctedReps, 100000),
        min(weight, 2000), startTime, endTime, timestamp, restTime, clockStart, clockEnd,
        detector, cloudSyncStatus, lastCloudSync FROM historySet;
    DROP TABLE historySet;
    ALTER TABLE newHistorySet RENAME TO historySet;
    -- All that statistics need. (An index of a computed column would send SQLite to the rows.)
    CREATE INDEX historySetByExercise
      ON historySet (exerciseId, "order", correctedReps, detectedReps, weight, timestamp);
    CREATE INDEX historySetByRecording ON historySet (recordingId, position);
    CREATE INDEX historySetByTimestamp ON historySet (userId, timestamp);

    -- A segment's first sample is counted in the recording as it was before anything was deleted.
    CREATE TABLE newTimelineSegment (
      id INTEGER PRIMARY KEY,
      recordingId INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      setId INTEGER UNIQUE REFERENCES historySet (id) ON DELETE CASCADE,
      currentSetId INTEGER REFERENCES currentSet (id) ON DELETE CASCADE,
      firstSample INTEGER NOT NULL CHECK (firstSample >= 0),
      sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0),
      byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
      UNIQUE (recordingId, position),
      CHECK (setId IS NULL OR currentSetId IS NULL)
    ) STRICT;
    INSERT INTO newTimelineSegment SELECT id, recordingId, position, setId, NULL,
      coalesce(sum(sampleCount) OVER (PARTITION BY recordingId ORDER BY position
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0),
      sampleCount, byteCount FROM timelineSegment;
    DROP TABLE timelineSegment;
    ALTER TABLE newTimelineSegment RENAME TO timelineSegment;
    CREATE UNIQUE INDEX timelineSegmentByCurrentSet ON timelineSegment (currentSetId)
      WHERE currentSetId IS NOT NULL;

    -- Heart rate and calories that came beside the samples: of a set, an exercise, or a workout.
    -- The format is that of timelines without samples.
    CREATE TABLE healthBlob (
      id INTEGER PRIMARY KEY,
      workoutId INTEGER NOT NULL REFERENCES workoutHistory (id) ON DELETE CASCADE,
      exerciseId INTEGER REFERENCES historyExercise (id) ON DELETE CASCADE,
      setId INTEGER REFERENCES historySet (id) ON DELETE CASCADE,
      readingCount INTEGER NOT NULL CHECK (readingCount > 0),
      data BLOB NOT NULL
    ) STRICT;
    CREATE INDEX healthBlobByWorkout ON healthBlob (workoutId);
    CREATE INDEX healthBlobByExercise ON healthBlob (exerciseId) WHERE exerciseId IS NOT NULL;
    CREATE INDEX healthBlobBySet ON healthBlob (setId) WHERE setId IS NOT NULL;

    -- What a person deleted from a recording: it must not come back with it. No health data: which
    -- samples, by their number, and nothing about what was in them.
    CREATE TABLE deletedSamples (
      id INTEGER PRIMARY KEY,
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      recordingKey TEXT NOT NULL,
      setKey TEXT, -- NULL: the recording
      firstSample INTEGER NOT NULL CHECK (firstSample >= 0),
      endSample INTEGER CHECK (endSample >= firstSample) -- NULL: all that follow
    ) STRICT;
    CREATE INDEX deletedSamplesByRecording ON deletedSamples (userId, recordingKey);

    -- The template of a person's earlier sets of an exercise. Opaque here.
    CREATE TABLE movementPattern (
      userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      exerciseKey TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version >= 0),
      data BLOB NOT NULL,
      PRIMARY KEY (userId, exerciseKey)
    ) STRICT, WITHOUT ROWID;
    """
}
