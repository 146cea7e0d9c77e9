-- The history, version 1. docs/data-model.md describes how the program uses it.
--
-- Tables are named in snake_case, columns like the Swift properties that hold them.
-- Dates are seconds since 1970, NULL if the source gave none. Times named clock… are seconds on the clock
-- of the recording's samples. Durations are seconds, masses kilograms, lengths metres.
-- `id` is the number of a row in this file; `uuid` and `key` name a thing in every copy of the history.
-- `checksum` is the CRC-32C of the row's other stored columns; NULL accepts the row as it is.

-- A person. Everything else belongs to one.
CREATE TABLE user (
  id INTEGER PRIMARY KEY, -- 1 is the local user, who owns whatever names nobody
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  email TEXT,
  providerId TEXT, -- the person's id at the app's log-in
  birthDate REAL,
  gender TEXT,
  height REAL CHECK (height BETWEEN 0.3 AND 3),
  weight REAL CHECK (weight BETWEEN 1 AND 700),
  locale TEXT,
  createdAt REAL,
  lastLoginDate REAL,
  subscriptionType INTEGER NOT NULL DEFAULT 0 CHECK (subscriptionType IN (0, 1)), -- free, premium
  subscriptionStartDate REAL,
  subscriptionValidUntil REAL,
  checksum INTEGER
) STRICT;
CREATE UNIQUE INDEX user_by_provider ON user (providerId) WHERE providerId IS NOT NULL;
CREATE INDEX user_by_login ON user (lastLoginDate);

-- An exercise of the catalog.
CREATE TABLE exercise (
  id INTEGER PRIMARY KEY,
  userId INTEGER REFERENCES user (id) ON DELETE CASCADE, -- NULL: shared by everybody
  uuid TEXT NOT NULL UNIQUE,
  templateId TEXT, -- its name in the library that it came from
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  foldedName TEXT NOT NULL, -- without accents and case
  muscleGroup TEXT NOT NULL CHECK (muscleGroup IN ('chest', 'back', 'shoulders', 'biceps', 'triceps',
    'arms', 'legs', 'core', 'glutes', 'forearms', 'calves', 'fullBody', 'cardio')),
  muscleSubgroup TEXT CHECK (length(muscleSubgroup) <= 100),
  furtherMuscleGroups TEXT NOT NULL DEFAULT '[]', -- JSON list of groups
  muscles TEXT NOT NULL DEFAULT '[]', -- JSON list of names, sorted
  type TEXT CHECK (length(type) BETWEEN 1 AND 100),
  equipment TEXT CHECK (length(equipment) <= 100),
  gripVariation TEXT CHECK (length(gripVariation) <= 100),
  setup TEXT CHECK (length(setup) <= 500),
  description TEXT CHECK (length(description) <= 500),
  videoURL TEXT CHECK (videoURL LIKE 'http://%' OR videoURL LIKE 'https://%'),
  defaultSets INTEGER NOT NULL DEFAULT 3 CHECK (defaultSets BETWEEN 1 AND 10),
  defaultReps INTEGER NOT NULL DEFAULT 12 CHECK (defaultReps BETWEEN 1 AND 50),
  defaultRestTime INTEGER NOT NULL DEFAULT 60 CHECK (defaultRestTime IN (30, 60, 90, 120, 180)),
  defaultWeight REAL CHECK (defaultWeight BETWEEN 0 AND 2000),
  createdAt REAL,
  checksum INTEGER
) STRICT;
CREATE UNIQUE INDEX exercise_by_template ON exercise (templateId) WHERE templateId IS NOT NULL;
CREATE INDEX exercise_by_name ON exercise (foldedName);
CREATE INDEX exercise_by_group ON exercise (muscleGroup, foldedName);
CREATE INDEX exercise_by_user ON exercise (userId);

-- Plans that belong together: A, B, C, …
CREATE TABLE split (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  intro TEXT NOT NULL DEFAULT '' CHECK (length(intro) <= 500),
  checksum INTEGER
) STRICT;
CREATE INDEX split_by_user ON split (userId);

-- A planned workout.
CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  uuid TEXT NOT NULL UNIQUE,
  splitId INTEGER REFERENCES split (id) ON DELETE SET NULL,
  autoTitle TEXT NOT NULL CHECK (length(autoTitle) BETWEEN 1 AND 100), -- "Workout A", …
  title TEXT CHECK (length(title) BETWEEN 3 AND 100), -- the person's own
  description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 500),
  "order" INTEGER NOT NULL CHECK ("order" >= 0), -- among the person's plans
  isActive INTEGER NOT NULL DEFAULT 0 CHECK (isActive IN (0, 1)), -- the plan that the person follows now
  createdAt REAL,
  checksum INTEGER,
  UNIQUE (userId, autoTitle)
) STRICT;
CREATE UNIQUE INDEX plan_active ON plan (userId) WHERE isActive = 1;
CREATE INDEX plan_by_order ON plan (userId, "order");
CREATE INDEX plan_by_split ON plan (splitId);

-- An exercise or a break of a plan.
CREATE TABLE plan_item (
  id INTEGER PRIMARY KEY,
  planId INTEGER NOT NULL REFERENCES plan (id) ON DELETE CASCADE,
  uuid TEXT NOT NULL UNIQUE,
  position INTEGER NOT NULL CHECK (position >= 0), -- from 0, without gaps
  kind TEXT NOT NULL CHECK (kind IN ('repetitions', 'time', 'break')),
  exerciseId INTEGER REFERENCES exercise (id) ON DELETE SET NULL,
  exerciseName TEXT CHECK (length(exerciseName) BETWEEN 1 AND 100), -- outlives the exercise
  sets INTEGER CHECK (sets BETWEEN 1 AND 99),
  reps INTEGER CHECK (reps BETWEEN 1 AND 999),
  weight REAL CHECK (weight BETWEEN 0 AND 2000),
  restTime INTEGER CHECK (restTime BETWEEN 0 AND 600), -- between sets
  duration INTEGER,
  checksum INTEGER,
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
CREATE INDEX plan_item_by_exercise ON plan_item (exerciseId);

-- A visit to the gym. Its samples are those of its recordings.
CREATE TABLE workout (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  key TEXT NOT NULL, -- the session's id, or else the key of its only recording
  sessionId TEXT, -- the session's id
  status TEXT CHECK (status IN ('active', 'completed', 'interrupted', 'skipped')), -- NULL: only recordings tell of it
  date REAL, -- of its start
  sortDate REAL GENERATED ALWAYS AS (coalesce(date, -1e12)) VIRTUAL, -- undated workouts come last
  endTime REAL,
  planId INTEGER REFERENCES plan (id) ON DELETE SET NULL,
  planTitle TEXT, -- outlives the plan
  focus TEXT CHECK (length(focus) <= 100),
  intensity TEXT CHECK (length(intensity) <= 100),
  checksum INTEGER,
  UNIQUE (userId, key)
) STRICT;
CREATE UNIQUE INDEX workout_active ON workout (userId) WHERE status = 'active';
CREATE INDEX workout_by_date ON workout (sortDate, id);
CREATE INDEX workout_by_user ON workout (userId, sortDate, id);
CREATE INDEX workout_by_status ON workout (userId, status, sortDate, id);
CREATE INDEX workout_by_key ON workout (key);
CREATE INDEX workout_by_plan ON workout (planId);

-- An exercise of a workout.
CREATE TABLE workout_exercise (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  workoutId INTEGER NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  key TEXT NOT NULL, -- its name in the workout: exerciseId, or what a person called it, or ''
  exerciseId TEXT, -- the id that the source gave it
  name TEXT,
  "order" INTEGER NOT NULL CHECK ("order" >= 0), -- in the workout
  templateId INTEGER REFERENCES exercise (id) ON DELETE SET NULL, -- in the catalog
  startTime REAL,
  endTime REAL,
  completed INTEGER CHECK (completed IN (0, 1)), -- whether it was ended; NULL: nobody started it
  isActive INTEGER NOT NULL DEFAULT 0 CHECK (isActive IN (0, 1)), -- started and not ended
  workoutDate REAL, -- its workout's sortDate, for pages by exercise
  checksum INTEGER,
  UNIQUE (workoutId, key)
) STRICT;
CREATE UNIQUE INDEX workout_exercise_active ON workout_exercise (workoutId) WHERE isActive = 1;
CREATE INDEX workout_exercise_by_name ON workout_exercise (userId, name, workoutDate, workoutId);
CREATE INDEX workout_exercise_by_template ON workout_exercise (templateId, userId, workoutDate, workoutId);
CREATE INDEX workout_exercise_by_template_of_all ON workout_exercise (templateId, workoutDate, workoutId);
CREATE TRIGGER workout_exercise_dated AFTER INSERT ON workout_exercise BEGIN
  UPDATE workout_exercise SET workoutDate =
    (SELECT sortDate FROM workout WHERE id = NEW.workoutId) WHERE id = NEW.id;
END;
CREATE TRIGGER workout_dated AFTER UPDATE OF date ON workout WHEN OLD.date IS NOT NEW.date BEGIN
  UPDATE workout_exercise SET workoutDate = NEW.sortDate WHERE workoutId = NEW.id;
END;

-- The samples of one source, in segments.
CREATE TABLE recording (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  workoutId INTEGER NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  sessionKey TEXT NOT NULL DEFAULT '', -- the session's id where the key is a set's
  key TEXT NOT NULL, -- the set's id, or else the digest in hexadecimal digits
  globalKey TEXT GENERATED ALWAYS AS (CASE
    WHEN sessionKey <> '' THEN replace(replace(sessionKey, '%', '%25'), '/', '%2F') || '/' || key
    WHEN instr(key, '/') > 0 THEN '/' || key ELSE key END) VIRTUAL, -- both as one text
  name TEXT NOT NULL, -- under which it was processed last
  digest BLOB NOT NULL CHECK (length(digest) = 32), -- SHA-256 of all its samples
  sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0), -- with deleted ones
  deletedSampleCount INTEGER NOT NULL DEFAULT 0, -- that a person deleted
  clock INTEGER NOT NULL, -- 0 the device's, 1 seconds since 1970
  firstTime REAL, -- of its first sample, on that clock
  lastTime REAL,
  startTime REAL, -- the date of its first sample
  isLossless INTEGER NOT NULL CHECK (isLossless IN (0, 1)),
  streamKey TEXT, -- its name in the stream that it came from
  checksum INTEGER,
  UNIQUE (userId, key, sessionKey)
) STRICT;
CREATE INDEX recording_by_workout ON recording (workoutId);
CREATE UNIQUE INDEX recording_by_stream ON recording (streamKey) WHERE streamKey IS NOT NULL;

-- Reps of one exercise, declared by the source or found in a recording.
CREATE TABLE workout_set (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  exerciseId INTEGER NOT NULL REFERENCES workout_exercise (id) ON DELETE CASCADE,
  recordingId INTEGER REFERENCES recording (id) ON DELETE SET NULL,
  sessionKey TEXT NOT NULL DEFAULT '', -- the session's id where the source named the set
  key TEXT NOT NULL, -- the set's id, or else the recording's digest, '-' and the position
  globalKey TEXT GENERATED ALWAYS AS (CASE
    WHEN sessionKey <> '' THEN replace(replace(sessionKey, '%', '%25'), '/', '%2F') || '/' || key
    WHEN instr(key, '/') > 0 THEN '/' || key ELSE key END) VIRTUAL, -- both as one text
  setId TEXT, -- the id that the source gave it
  position INTEGER CHECK (position >= 1), -- in the recording; NULL if no longer found there
  "order" INTEGER NOT NULL CHECK ("order" >= 0), -- in the exercise
  cause TEXT NOT NULL CHECK (cause IN ('declared', 'detected')),
  targetReps INTEGER CHECK (targetReps BETWEEN 0 AND 999),
  detectedReps INTEGER CHECK (detectedReps >= 0), -- the program's count; NULL if it did not count
  confidence REAL CHECK (confidence BETWEEN 0 AND 1), -- probability that detectedReps is right
  correctedReps INTEGER CHECK (correctedReps BETWEEN 0 AND 100000), -- a person's count
  correctedAt REAL,
  labelledReps INTEGER CHECK (labelledReps BETWEEN 0 AND 100000), -- the count in its recording's label
  actualReps INTEGER GENERATED ALWAYS AS (coalesce(correctedReps, detectedReps)) VIRTUAL,
  weight REAL CHECK (weight BETWEEN 0 AND 2000),
  notes TEXT CHECK (length(notes) BETWEEN 1 AND 500), -- a person's remarks
  startTime REAL,
  endTime REAL,
  timestamp REAL, -- its end, by which sets are sorted
  restTime REAL, -- until the next set
  clockStart REAL,
  clockEnd REAL,
  detector TEXT NOT NULL DEFAULT '', -- the program that counted
  exerciseSource TEXT CHECK (exerciseSource IN ('person', 'copy')), -- who named the exercise; NULL: the source
  isActive INTEGER NOT NULL DEFAULT 0 CHECK (isActive IN (0, 1)), -- started and not ended
  checksum INTEGER,
  UNIQUE (userId, key, sessionKey)
) STRICT;
CREATE UNIQUE INDEX workout_set_active ON workout_set (exerciseId) WHERE isActive = 1;
CREATE INDEX workout_set_by_exercise ON workout_set (exerciseId, "order");
CREATE INDEX workout_set_by_recording ON workout_set (recordingId, position);
CREATE INDEX workout_set_by_timestamp ON workout_set (userId, timestamp);

-- A part of a recording: a set, or the rest around sets.
CREATE TABLE segment (
  id INTEGER PRIMARY KEY,
  recordingId INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0), -- in the recording, from 0
  setId INTEGER UNIQUE REFERENCES workout_set (id) ON DELETE CASCADE, -- NULL: rest
  firstSample INTEGER NOT NULL CHECK (firstSample >= 0), -- in the recording, counted with deleted ones
  sampleCount INTEGER NOT NULL CHECK (sampleCount >= 0),
  byteCount INTEGER NOT NULL CHECK (byteCount >= 0), -- of its blob
  digest BLOB NOT NULL CHECK (length(digest) = 32), -- SHA-256 of its blob
  checksum INTEGER,
  UNIQUE (recordingId, position)
) STRICT;

-- Its segments are a field of a recording, also where they go with their sets.
CREATE TRIGGER segment_deleted AFTER DELETE ON segment BEGIN
  UPDATE recording SET name = name WHERE id = OLD.recordingId;
END;

-- The samples, reps and health readings of a segment, in the format of docs/timeline-format.md. Apart, so that
-- lists do not read them.
CREATE TABLE blob (
  segmentId INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
  data BLOB NOT NULL -- with checksums of its own
) STRICT;

-- A copy of the reps in a set's blob, for SQL.
CREATE TABLE segment_rep (
  segmentId INTEGER NOT NULL REFERENCES segment (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  clockStart REAL,
  clockEnd REAL,
  confidence REAL CHECK (confidence BETWEEN 0 AND 1), -- probability that it is a rep
  PRIMARY KEY (segmentId, number)
) STRICT, WITHOUT ROWID;

-- A heart rate or calories that came beside the samples: of a set, an exercise, or the workout.
CREATE TABLE health (
  id INTEGER PRIMARY KEY,
  workoutId INTEGER NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  exerciseId INTEGER REFERENCES workout_exercise (id) ON DELETE CASCADE,
  setId INTEGER REFERENCES workout_set (id) ON DELETE CASCADE,
  unixTime REAL NOT NULL, -- seconds since 1970
  heartRateBPM REAL, -- beats per minute
  calories REAL, -- kilocalories
  checksum INTEGER,
  UNIQUE (workoutId, unixTime)
) STRICT;
CREATE INDEX health_by_exercise ON health (exerciseId) WHERE exerciseId IS NOT NULL;
CREATE INDEX health_by_set ON health (setId) WHERE setId IS NOT NULL;

-- Samples that a person deleted and that must not come back: their numbers, and nothing of what was in them.
CREATE TABLE deleted_samples (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  recordingKey TEXT NOT NULL,
  sessionKey TEXT, -- of the recording; NULL: of whatever session
  setKey TEXT, -- the set that was deleted; NULL: the recording
  firstSample INTEGER NOT NULL CHECK (firstSample >= 0),
  endSample INTEGER CHECK (endSample >= firstSample), -- not among them; NULL: all that follow
  checksum INTEGER
) STRICT;
CREATE INDEX deleted_samples_by_recording ON deleted_samples (userId, recordingKey);

-- The template of a person's earlier sets of an exercise. Opaque here.
CREATE TABLE pattern (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  exerciseKey TEXT NOT NULL, -- the exercise's id, as recordings name it
  version INTEGER NOT NULL CHECK (version >= 0), -- of the format of data
  data BLOB NOT NULL,
  checksum INTEGER,
  UNIQUE (userId, exerciseKey)
) STRICT;

-- The record of changes: when each object, and each of its fields, was changed last. Rows of a workout in
-- progress have none until it ends.
CREATE TABLE stamp (
  entity INTEGER NOT NULL, -- as SyncEntity numbers them
  row INTEGER NOT NULL, -- id in the entity's table
  userId INTEGER, -- the owner; NULL: shared by everybody
  key TEXT NOT NULL, -- the object's name among its owner's
  number INTEGER NOT NULL, -- of its last change in this file
  changedAt INTEGER NOT NULL, -- milliseconds since 1970
  isPending INTEGER NOT NULL CHECK (isPending IN (0, 1)), -- whether the center lacks its last change
  syncedAt REAL, -- when the center had it last
  created TEXT NOT NULL, -- the stamp of fields without their own
  fields TEXT NOT NULL DEFAULT '{}', -- JSON: the stamps of fields that were changed since
  fieldChecksums BLOB NOT NULL, -- four bytes each, in the order of SyncTable's fields
  checksum INTEGER,
  PRIMARY KEY (entity, row)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX stamp_by_number ON stamp (number);
CREATE INDEX stamp_pending ON stamp (entity, number) WHERE isPending = 1;
CREATE INDEX stamp_unsealed ON stamp (entity) WHERE checksum IS NULL;

-- What has gone, or had: by a person's decision, or by a machine's. Either may be taken back.
CREATE TABLE tombstone (
  userId INTEGER NOT NULL, -- the owner; 0 for a person who was deleted
  entity INTEGER NOT NULL, -- as SyncEntity numbers them
  key TEXT NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)), -- by a person
  deletedStamp TEXT NOT NULL DEFAULT '',
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)), -- by a machine
  removedStamp TEXT NOT NULL DEFAULT '',
  isPending INTEGER NOT NULL DEFAULT 1 CHECK (isPending IN (0, 1)), -- whether the center lacks it
  number INTEGER NOT NULL, -- of its last change in this file
  changedAt INTEGER NOT NULL, -- milliseconds since 1970
  checksum INTEGER,
  PRIMARY KEY (userId, entity, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_by_number ON tombstone (number);
CREATE INDEX tombstone_pending ON tombstone (userId, entity) WHERE isPending = 1;
CREATE INDEX tombstone_unsealed ON tombstone (entity) WHERE checksum IS NULL;

-- One row: this copy's hybrid logical clock, and the counter of changes.
CREATE TABLE clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  device TEXT NOT NULL CHECK (length(device) = 16), -- random: this copy's id in its stamps
  time INTEGER NOT NULL, -- of its last stamp: milliseconds since 1970 · 65536 + a counter
  floor INTEGER NOT NULL, -- up to which stamps were seen elsewhere, and stay as they are
  correction INTEGER NOT NULL, -- milliseconds that the machine's clock is behind the center's
  number INTEGER NOT NULL -- of the last change
) STRICT;

-- The center to which a person's rows go.
CREATE TABLE sync_peer (
  userId INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  center TEXT NOT NULL, -- its id
  position INTEGER NOT NULL, -- of the center's last change that is here
  activePlan TEXT -- the plan that is to be active as soon as it is here
) STRICT;

-- Samples on their way here. A row is the whole (`DIGEST`), or a part of it (`DIGEST:PLACE`).
CREATE TABLE sync_blob (
  digest TEXT PRIMARY KEY, -- SHA-256 of the whole
  size INTEGER NOT NULL, -- of the whole, in bytes
  data BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- A set, or the samples of a session outside of sets, that a stream is receiving.
CREATE TABLE journal_set (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE, -- its name in the stream
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2), -- declared, found, rest
  session TEXT NOT NULL DEFAULT '', -- the session's id in capitals
  sessionId TEXT,
  exerciseId TEXT,
  setId TEXT,
  state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2), -- open; cut by the end of an input; ended
  joinsHistory INTEGER NOT NULL DEFAULT 0 CHECK (joinsHistory IN (0, 1)), -- the history has the samples before its entries
  isDatedBySending INTEGER NOT NULL DEFAULT 0 CHECK (isDatedBySending IN (0, 1)), -- the history's date is that of a sending
  snapshotEntry INTEGER, -- the last entry that the snapshot knows
  snapshot BLOB -- the state of live detection, with a checksum of its own
) STRICT;
CREATE INDEX journal_set_cut ON journal_set (session) WHERE state = 1;

-- A message of it, in the order of arrival.
CREATE TABLE journal_entry (
  id INTEGER PRIMARY KEY,
  journalSetId INTEGER NOT NULL REFERENCES journal_set (id) ON DELETE CASCADE,
  part INTEGER NOT NULL CHECK (part >= 0), -- of the messages in one line
  sessionId TEXT,
  exerciseId TEXT,
  phase TEXT, -- execution, rest; NULL if unknown
  date REAL, -- of the last control message before
  data BLOB NOT NULL, -- as received: a line without its end, or a binary frame
  setSamples INTEGER CHECK (setSamples >= 0), -- number of samples of the set with it
  setTime REAL, -- of the newest sample, on its clock
  setClock INTEGER, -- as in recording
  setDate REAL, -- of the newest sample
  checksum INTEGER NOT NULL -- CRC-32C of the message and its context
) STRICT;
CREATE INDEX journal_entry_by_set ON journal_entry (journalSetId);

-- What the control messages of a session say of messages that follow.
CREATE TABLE journal_context (
  session TEXT PRIMARY KEY, -- the session's id in capitals
  state TEXT NOT NULL -- JSON
) STRICT, WITHOUT ROWID;

-- An event that may not have been written yet.
CREATE TABLE journal_event (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL, -- in capitals; '' if there is none
  line TEXT NOT NULL
) STRICT;

-- For people: a row for each set.
CREATE VIEW set_overview AS
  SELECT s.id AS set_id, s.key AS set_key, w.sessionId AS session, u.name AS user,
    r.name AS recording, coalesce(t.name, e.name, e.exerciseId) AS exercise,
    datetime(coalesce(s.startTime, w.date), 'unixepoch') AS date,
    coalesce(s.correctedReps, s.detectedReps) AS reps, s.detectedReps AS counted_reps,
    s.correctedReps AS corrected_reps, s.targetReps AS target_reps, s.confidence AS confidence,
    s.weight AS weight, s.clockEnd - s.clockStart AS duration, s.restTime AS rest, s.notes AS notes
  FROM workout_set s
  JOIN workout_exercise e ON e.id = s.exerciseId
  JOIN workout w ON w.id = e.workoutId
  JOIN user u ON u.id = s.userId
  LEFT JOIN exercise t ON t.id = e.templateId
  LEFT JOIN recording r ON r.id = s.recordingId
  WHERE w.status IS NOT 'active';

-- For people: a row for each rep of a set.
CREATE VIEW rep AS
  SELECT g.setId AS set_id, p.number AS number, p.clockStart - r.firstTime AS time,
    CASE r.clock WHEN 1 THEN p.clockStart ELSE r.startTime + p.clockStart - r.firstTime END AS unix_time,
    p.clockEnd - p.clockStart AS duration,
    60.0 / nullif(p.clockStart - lag(p.clockStart)
      OVER (PARTITION BY p.segmentId ORDER BY p.number), 0) AS tempo,
    p.confidence AS confidence, p.clockStart AS clock_start, p.clockEnd AS clock_end
  FROM segment_rep p
  JOIN segment g ON g.id = p.segmentId
  JOIN recording r ON r.id = g.recordingId
  WHERE g.setId IS NOT NULL;

INSERT INTO user (id, uuid, name) VALUES (1, '00000000-0000-0000-0000-000000000001', 'local');
INSERT INTO clock VALUES (1, lower(hex(randomblob(8))), 0, 0, 0, 0);
