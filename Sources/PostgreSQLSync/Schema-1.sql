-- The schema of a center, version 1. docs/sync.md describes it table by table.
--
-- Text that is compared by bytes has COLLATE "C". A released file is never edited: a later version adds one.

CREATE TABLE reptrace.center (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  version integer NOT NULL,
  is_only boolean NOT NULL DEFAULT true UNIQUE CHECK (is_only)
);
INSERT INTO reptrace.center (version) VALUES (0);
COMMENT ON TABLE reptrace.center IS 'The center itself: its id, and the version of its schema.';

CREATE TABLE reptrace.account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  role name NOT NULL UNIQUE,
  position bigint NOT NULL DEFAULT 0,
  latest bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE reptrace.account IS
  'A person: the role that they log in as, the number of the last change of their rows, and their latest stamp''s time.';

-- The account of whoever has logged in.
CREATE FUNCTION reptrace.account_id() RETURNS bigint STABLE PARALLEL SAFE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp LANGUAGE sql
  AS $$ SELECT id FROM reptrace.account WHERE role = session_user $$;
-- Makes it.
CREATE FUNCTION reptrace.join() RETURNS void SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp LANGUAGE sql
  AS $$ INSERT INTO reptrace.account (role) VALUES (session_user) ON CONFLICT DO NOTHING $$;
-- Milliseconds since 1970. Does not go back by more than a minute behind the latest stamp.
CREATE FUNCTION reptrace.time() RETURNS bigint SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp LANGUAGE sql
  AS $$ SELECT CASE WHEN latest > now + 60000 THEN latest ELSE now END
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
      coalesce((SELECT latest FROM reptrace.account WHERE role = session_user), 0) AS latest) t $$;
-- Takes the next numbers for changes, if nobody has taken any since; NULL where somebody has.
-- Whoever calls it holds the account until the end of the transaction.
CREATE FUNCTION reptrace.advance(since bigint, count bigint, newest bigint) RETURNS bigint
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE sql
  AS $$ UPDATE reptrace.account SET position = position + count,
      latest = greatest(latest, least(newest, reptrace.time() + 60000))
    WHERE role = session_user AND position = since RETURNING position $$;

CREATE TABLE reptrace.tombstone (
  account_id bigint NOT NULL DEFAULT reptrace.account_id()
    REFERENCES reptrace.account ON DELETE CASCADE,
  entity integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  deleted boolean NOT NULL,
  deleted_stamp text COLLATE "C" NOT NULL,
  removed boolean NOT NULL,
  removed_stamp text COLLATE "C" NOT NULL,
  is_gone boolean NOT NULL,
  change_number bigint NOT NULL,
  changed_by text NOT NULL,
  PRIMARY KEY (account_id, entity, key)
);
CREATE INDEX tombstone_by_change ON reptrace.tombstone (account_id, change_number)
  WHERE is_gone;
COMMENT ON TABLE reptrace.tombstone IS
  'What has gone, or had gone: by a person''s decision (deleted), or by a machine''s (removed).';

CREATE TABLE reptrace.stream_batch (
  account_id bigint NOT NULL REFERENCES reptrace.account ON DELETE CASCADE,
  session text NOT NULL,
  query text NOT NULL,
  batch bigint NOT NULL,
  PRIMARY KEY (account_id, session)
);
COMMENT ON TABLE reptrace.stream_batch IS
  'The last batch of a stream on Spark from which a session''s sets were written.';

-- The columns of every table with people's data.
CREATE TABLE reptrace.object (
  account_id bigint NOT NULL DEFAULT reptrace.account_id(),
  key text COLLATE "C" NOT NULL,
  stamps json NOT NULL,
  change_number bigint NOT NULL,
  changed_by text NOT NULL,
  PRIMARY KEY (account_id, key)
);
COMMENT ON COLUMN reptrace.object.stamps IS
  'When fields were changed, by a hybrid logical clock; under an empty name, the row.';

CREATE TABLE reptrace.exercise_template (LIKE reptrace.object INCLUDING ALL,
  shared bigint, template_id text, name text, muscle_group text, muscle_subgroup text,
  further_muscle_groups json, muscles json, type text, equipment text, grip_variation text,
  setup text, description text, video_url text, default_sets bigint, default_reps bigint,
  default_rest_time bigint, default_weight double precision, created_at double precision
);
CREATE TABLE reptrace.split (LIKE reptrace.object INCLUDING ALL,
  name text, intro text
);
CREATE TABLE reptrace.workout_plan (LIKE reptrace.object INCLUDING ALL,
  title text, description text, "order" bigint, split text, items json,
  created_at double precision
);
CREATE TABLE reptrace.workout_history (LIKE reptrace.object INCLUDING ALL,
  session_id text, date double precision, end_time double precision, plan text, plan_title text,
  focus text, intensity text, status text
);
CREATE TABLE reptrace.history_exercise (LIKE reptrace.object INCLUDING ALL,
  workout text, exercise_key text, exercise_id text, name text, "order" bigint, template text,
  start_time double precision, end_time double precision, completed bigint
);
CREATE TABLE reptrace.history_set (LIKE reptrace.object INCLUDING ALL,
  exercise text, exercise_source text, set_id text, "order" bigint, cause text,
  target_reps bigint, detected_reps bigint, confidence double precision, detector text,
  corrected_reps bigint, corrected_at double precision, labelled_reps bigint,
  weight double precision, notes text, start_time double precision, end_time double precision,
  timestamp double precision, rest_time double precision
);
CREATE TABLE reptrace.recording (LIKE reptrace.object INCLUDING ALL,
  workout text, digest text, name text, sample_count bigint, deleted_sample_count bigint,
  clock bigint, first_time double precision, last_time double precision,
  start_time double precision, is_lossless bigint, segments json
);
CREATE TABLE reptrace.deleted_samples (LIKE reptrace.object INCLUDING ALL,
  recording_key text, session_key text, set_key text, first_sample bigint, end_sample bigint
);
CREATE TABLE reptrace."user" (LIKE reptrace.object INCLUDING ALL,
  name text, email text, provider_id text, birth_date double precision, gender text,
  height double precision, weight double precision, locale text, active_plan text
);
DROP TABLE reptrace.object;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY '{exercise_template,split,workout_plan,workout_history,
    history_exercise,history_set,recording,deleted_samples,user}'::text[]
  LOOP
    EXECUTE format('ALTER TABLE reptrace.%I ADD FOREIGN KEY (account_id)
      REFERENCES reptrace.account ON DELETE CASCADE', name);
    EXECUTE format('CREATE INDEX %I ON reptrace.%I (account_id, change_number)',
      name || '_by_change', name);
  END LOOP;
END $$;

-- Deferred, since a push inserts and deletes rows in any order.
ALTER TABLE reptrace.history_exercise ADD FOREIGN KEY (account_id, workout)
  REFERENCES reptrace.workout_history ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE reptrace.history_set ADD FOREIGN KEY (account_id, exercise)
  REFERENCES reptrace.history_exercise ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE reptrace.recording ADD FOREIGN KEY (account_id, workout)
  REFERENCES reptrace.workout_history ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX history_exercise_by_workout ON reptrace.history_exercise (account_id, workout);
CREATE INDEX history_set_by_exercise ON reptrace.history_set (account_id, exercise);
CREATE INDEX recording_by_workout ON reptrace.recording (account_id, workout);

CREATE TABLE reptrace.timeline_blob (
  account_id bigint NOT NULL DEFAULT reptrace.account_id()
    REFERENCES reptrace.account ON DELETE CASCADE,
  digest text COLLATE "C" NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  data bytea NOT NULL,
  PRIMARY KEY (account_id, digest)
);
-- It is compressed already.
ALTER TABLE reptrace.timeline_blob ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE reptrace.timeline_segment (
  account_id bigint NOT NULL,
  recording text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  set_key text,
  first_sample bigint NOT NULL,
  sample_count bigint NOT NULL,
  digest text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, recording, position),
  FOREIGN KEY (account_id, recording) REFERENCES reptrace.recording ON DELETE CASCADE,
  FOREIGN KEY (account_id, digest) REFERENCES reptrace.timeline_blob
    DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX timeline_segment_by_digest ON reptrace.timeline_segment (account_id, digest);

CREATE TRIGGER segments AFTER INSERT OR DELETE OR UPDATE OF segments ON reptrace.recording
  FOR EACH ROW EXECUTE FUNCTION reptrace.write_segments();

CREATE TABLE reptrace.plan_item (
  account_id bigint NOT NULL,
  plan text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  uuid text,
  kind text,
  exercise text,
  exercise_name text,
  sets bigint,
  reps bigint,
  weight double precision,
  rest_time bigint,
  duration bigint,
  PRIMARY KEY (account_id, plan, position),
  FOREIGN KEY (account_id, plan) REFERENCES reptrace.workout_plan ON DELETE CASCADE
);
CREATE TRIGGER items AFTER INSERT OR UPDATE OF items ON reptrace.workout_plan
  FOR EACH ROW EXECUTE FUNCTION reptrace.write_items();

-- The view has the rights of its caller.
CREATE VIEW reptrace.set_overview WITH (security_invoker = true) AS
  SELECT a.role AS person, s.key AS set_key, w.session_id AS session,
    coalesce(t.name, e.name, e.exercise_id) AS exercise,
    to_timestamp(coalesce(s.start_time, w.date)) AS date,
    coalesce(s.corrected_reps, s.detected_reps) AS reps, s.detected_reps AS counted_reps,
    s.corrected_reps, s.target_reps, s.confidence, s.weight, s.rest_time AS rest, s.notes
  FROM reptrace.history_set s
  JOIN reptrace.account a ON a.id = s.account_id
  JOIN reptrace.history_exercise e ON (e.account_id, e.key) = (s.account_id, s.exercise)
  JOIN reptrace.workout_history w ON (w.account_id, w.key) = (s.account_id, e.workout)
  LEFT JOIN reptrace.exercise_template t ON (t.account_id, t.key) = (s.account_id, e.template);

-- Row-level security: each login reads and writes its own rows, including the owner of the tables. No right lets one
-- login block another: unlike the right to update the table, the right to update each column does not allow LOCK TABLE.
DO $$
DECLARE
  written text[] := '{exercise_template,split,workout_plan,workout_history,history_exercise,history_set,
    recording,deleted_samples,user,tombstone}';
  name text;
BEGIN
  FOREACH name IN ARRAY written || '{timeline_blob,timeline_segment,plan_item,stream_batch}'::text[]
  LOOP
    EXECUTE format('
      ALTER TABLE reptrace.%1$I ENABLE ROW LEVEL SECURITY;
      ALTER TABLE reptrace.%1$I FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON reptrace.%1$I USING (account_id = reptrace.account_id())
        WITH CHECK (account_id = reptrace.account_id());
      GRANT SELECT ON reptrace.%1$I TO reptrace_user', name);
  END LOOP;
  FOREACH name IN ARRAY written
  LOOP
    EXECUTE format('GRANT INSERT ON reptrace.%I TO reptrace_user', name);
    EXECUTE (SELECT format('GRANT UPDATE (%s) ON reptrace.%I TO reptrace_user',
        string_agg(quote_ident(attname), ', '), name)
      FROM pg_attribute WHERE attrelid = format('reptrace.%I', name)::regclass AND attnum > 0
        AND attname NOT IN ('account_id', 'entity', 'key'));
  END LOOP;
END $$;
ALTER TABLE reptrace.account ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON reptrace.account FOR SELECT USING (role = session_user);
REVOKE ALL ON FUNCTION reptrace.account_id(), reptrace.join(), reptrace.time(),
  reptrace.advance(bigint, bigint, bigint), reptrace.upload(text, bigint, bigint, bytea),
  reptrace.remove(text, json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reptrace.account_id(), reptrace.join(), reptrace.time(),
  reptrace.advance(bigint, bigint, bigint), reptrace.upload(text, bigint, bigint, bytea),
  reptrace.remove(text, json) TO reptrace_user;
GRANT USAGE ON SCHEMA reptrace TO reptrace_user;
GRANT SELECT ON reptrace.center, reptrace.account, reptrace.set_overview TO reptrace_user;

-- For a stream on Spark, which writes the sets of many people.
GRANT reptrace_user TO reptrace_writer;
GRANT INSERT (role), UPDATE (position, latest) ON reptrace.account TO reptrace_writer;
GRANT INSERT, UPDATE ON reptrace.stream_batch TO reptrace_writer;
GRANT INSERT ON reptrace.timeline_blob TO reptrace_writer;
GRANT DELETE ON reptrace.history_set, reptrace.recording TO reptrace_writer;
