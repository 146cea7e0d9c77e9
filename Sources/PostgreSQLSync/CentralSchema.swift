#if PostgreSQL
import HistorySync
import WorkoutHistory

/// The schema `reptrace` of the central database: a table for each entity, with a column for each member.
/// `docs/sync.md` describes it table by table.
///
/// A released step is never edited, nor generated from code that may change.
enum CentralSchema {
  /// Migrations in order. Their number is the schema's version, equal to ``SyncExchange/version``.
  static let steps: [[String]] = [
    [foundation] + tables.map(table) + [references, samples, items, overview, rights]
  ]

  static var version: Int { steps.count }

  /// Returns the column of a member.
  static func column(_ member: SyncMember, of entity: SyncEntity) -> String {
    if entity == .historyExercise, member.name == "key" { return "exercise_key" }
    return snake(member.name)
  }

  static func name(_ entity: SyncEntity) -> String { snake("\(entity)") }

  private static func snake(_ name: String) -> String {
    var text = ""
    var previous: Character?
    for character in name {
      // Consecutive capitals form one word: `videoURL`.
      if character.isUppercase, let previous, !previous.isUppercase { text += "_" }
      text += character.lowercased()
      previous = character
    }
    return text
  }

  static func type(_ kind: SyncMember.Kind) -> String {
    switch kind {
    case .integer: "bigint"
    case .real: "double precision"
    case .text: "text"
    case .json: "json"
    }
  }

  /// Functions that write rows for a login. They run with the rights of the schema's owner, so that no login
  /// needs the right to update or delete whole tables: with it, a login could `LOCK TABLE` and block every
  /// other sync. They modify rows of the login's account only. Each `--init` replaces them, without a new
  /// version of the schema.
  static let functions = """
    -- Appends a part to samples; false if their bytes do not match the digest, or do not begin here. The row
    -- `DIGEST` holds the first part, rows `DIGEST:PLACE` the others until the last has come (";" follows ":"):
    -- writing one row anew with each part would take quadratic time.
    CREATE OR REPLACE FUNCTION reptrace.upload(digest text, size bigint, first bigint, part bytea)
      RETURNS boolean SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp SET enable_seqscan = off LANGUAGE plpgsql AS $$
    DECLARE
      account bigint := reptrace.account_id();
      whole bytea;
      came bigint;
    BEGIN
      IF first = 0 THEN
        INSERT INTO reptrace.timeline_blob (digest, size, data) VALUES ($1, $2, $4)
          ON CONFLICT DO NOTHING;
      END IF;
      -- One device at a time.
      SELECT b.data INTO whole FROM reptrace.timeline_blob b
        WHERE b.account_id = account AND b.digest = $1 FOR NO KEY UPDATE;
      IF whole IS NULL THEN
        RETURN false;
      END IF;
      IF length(whole) < size THEN
        SELECT split_part(b.digest, ':', 2)::bigint + length(b.data) INTO came
          FROM reptrace.timeline_blob b
          WHERE b.account_id = account AND b.digest > $1 || ':' AND b.digest < $1 || ';'
          ORDER BY b.digest DESC LIMIT 1;
        came := coalesce(came, length(whole));
        IF first <= came AND first + length(part) > came THEN
          part := substring(part FROM (came - first + 1)::integer);
          INSERT INTO reptrace.timeline_blob (digest, size, data)
            VALUES ($1 || ':' || lpad(came::text, 10, '0'), $2, part);
          came := came + length(part);
        END IF;
        IF came < size THEN
          RETURN true;
        END IF;
        SELECT string_agg(b.data, '' ORDER BY b.digest) INTO whole
          FROM reptrace.timeline_blob b
          WHERE b.account_id = account AND b.digest >= $1 AND b.digest < $1 || ';';
        DELETE FROM reptrace.timeline_blob b
          WHERE b.account_id = account AND b.digest > $1 || ':' AND b.digest < $1 || ';';
      END IF;
      IF encode(sha256(whole), 'hex') <> $1 THEN
        DELETE FROM reptrace.timeline_blob b WHERE b.account_id = account AND b.digest = $1;
        RETURN false;
      END IF;
      IF came IS NOT NULL THEN
        UPDATE reptrace.timeline_blob b SET data = whole
          WHERE b.account_id = account AND b.digest = $1;
      END IF;
      RETURN true;
    END $$;

    -- Writes a recording's segments as rows, and deletes samples that no recording refers to any more.
    -- Looks up each row by its whole key: PostgreSQL underestimates the number of a person's new rows, and would
    -- scan all of them for each recording.
    CREATE OR REPLACE FUNCTION reptrace.write_segments() RETURNS trigger SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp SET enable_seqscan = off LANGUAGE plpgsql AS $$
    DECLARE
      gone text;
    BEGIN
      IF TG_OP <> 'DELETE' THEN
        DELETE FROM reptrace.timeline_segment
          WHERE account_id = NEW.account_id AND recording = NEW.key;
        INSERT INTO reptrace.timeline_segment
          SELECT NEW.account_id, NEW.key, ordinality - 1, value ->> 'set',
            (value ->> 'firstSample')::bigint, (value ->> 'sampleCount')::bigint,
            value ->> 'digest'
          FROM json_array_elements(NEW.segments) WITH ORDINALITY;
        IF EXISTS (SELECT FROM reptrace.timeline_segment s
            WHERE s.account_id = NEW.account_id AND s.recording = NEW.key
              AND (SELECT length(b.data) <> b.size FROM reptrace.timeline_blob b
                WHERE b.account_id = s.account_id AND b.digest = s.digest)) THEN
          RAISE 'samples of recording % have not come', NEW.key USING ERRCODE = '55P03';
        END IF;
      END IF;
      IF TG_OP <> 'INSERT' THEN
        FOR gone IN SELECT DISTINCT value ->> 'digest' FROM json_array_elements(OLD.segments)
        LOOP
          DELETE FROM reptrace.timeline_blob b
            WHERE b.account_id = OLD.account_id AND b.digest = gone
              AND NOT EXISTS (SELECT FROM reptrace.timeline_segment s
                WHERE s.account_id = OLD.account_id AND s.digest = gone
                  AND (TG_OP <> 'DELETE' OR s.recording <> OLD.key));
        END LOOP;
      END IF;
      RETURN NULL;
    END $$;

    -- Writes the items of a plan as rows.
    CREATE OR REPLACE FUNCTION reptrace.write_items() RETURNS trigger SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM reptrace.plan_item WHERE account_id = NEW.account_id AND plan = NEW.key;
      INSERT INTO reptrace.plan_item
        SELECT NEW.account_id, NEW.key, ordinality - 1, value ->> 'uuid', value ->> 'kind',
          value ->> 'exercise', value ->> 'name', (value ->> 'sets')::bigint,
          (value ->> 'reps')::bigint, (value ->> 'weight')::double precision,
          (value ->> 'restTime')::bigint, (value ->> 'duration')::bigint
        FROM json_array_elements(NEW.items) WITH ORDINALITY;
      RETURN NULL;
    END $$;

    -- Deletes rows of a table by their keys.
    CREATE OR REPLACE FUNCTION reptrace.remove(name text, keys json) RETURNS void SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE format('DELETE FROM reptrace.%I WHERE account_id = reptrace.account_id()
        AND key IN (SELECT json_array_elements_text($1))', name) USING keys;
    END $$;
    """

  private static let foundation = """
    CREATE TABLE reptrace.centre (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      version integer NOT NULL,
      is_only boolean NOT NULL DEFAULT true UNIQUE CHECK (is_only)
    );
    INSERT INTO reptrace.centre (version) VALUES (0);
    COMMENT ON TABLE reptrace.centre IS 'The centre itself: its id, and the version of its schema.';

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
    """

  /// Columns for the members of each entity, in the entities' order.
  private static let tables: [(name: String, columns: String)] = [
    (
      "exercise_template",
      """
      shared bigint, template_id text, name text, muscle_group text, muscle_subgroup text,
      further_muscle_groups json, muscles json, type text, equipment text, grip_variation text,
      setup text, description text, video_url text, default_sets bigint, default_reps bigint,
      default_rest_time bigint, default_weight double precision, created_at double precision
      """
    ),
    ("split", "name text, intro text"),
    (
      "workout_plan",
      """
      title text, description text, "order" bigint, split text, items json,
      created_at double precision
      """
    ),
    (
      "workout_history",
      """
      session_id text, date double precision, end_time double precision, plan text,
      plan_title text, focus text, intensity text, status text
      """
    ),
    (
      "history_exercise",
      """
      workout text, exercise_key text, exercise_id text, name text, "order" bigint, template text,
      start_time double precision, end_time double precision, completed bigint
      """
    ),
    (
      "history_set",
      """
      exercise text, exercise_source text, set_id text, "order" bigint, cause text,
      target_reps bigint, detected_reps bigint, confidence double precision, detector text,
      corrected_reps bigint, corrected_at double precision, labelled_reps bigint,
      weight double precision, notes text, start_time double precision,
      end_time double precision, timestamp double precision, rest_time double precision
      """
    ),
    (
      "recording",
      """
      workout text, digest text, name text, sample_count bigint, deleted_sample_count bigint,
      clock bigint, first_time double precision, last_time double precision,
      start_time double precision, is_lossless bigint, segments json
      """
    ),
    (
      "deleted_samples",
      """
      recording_key text, session_key text, set_key text, first_sample bigint, end_sample bigint
      """
    ),
    (
      "user",
      """
      name text, email text, provider_id text, birth_date double precision, gender text,
      height double precision, weight double precision, locale text, active_plan text
      """
    ),
  ]

  private static func table(name: String, columns: String) -> String {
    let table = "reptrace.\"\(name)\""
    return """
      CREATE TABLE \(table) (
        account_id bigint NOT NULL DEFAULT reptrace.account_id()
          REFERENCES reptrace.account ON DELETE CASCADE,
        key text COLLATE "C" NOT NULL,
        \(columns),
        stamps json NOT NULL,
        change_number bigint NOT NULL,
        changed_by text NOT NULL,
        PRIMARY KEY (account_id, key)
      );
      CREATE INDEX \(name)_by_change ON \(table) (account_id, change_number);
      COMMENT ON COLUMN \(table).stamps IS
        'When fields were changed, by a hybrid logical clock; under an empty name, the row.';
      """
  }

  /// Deferred, since a push inserts and deletes rows in any order.
  private static let references = """
    ALTER TABLE reptrace.history_exercise ADD FOREIGN KEY (account_id, workout)
      REFERENCES reptrace.workout_history ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
    ALTER TABLE reptrace.history_set ADD FOREIGN KEY (account_id, exercise)
      REFERENCES reptrace.history_exercise ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
    ALTER TABLE reptrace.recording ADD FOREIGN KEY (account_id, workout)
      REFERENCES reptrace.workout_history ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
    CREATE INDEX history_exercise_by_workout ON reptrace.history_exercise (account_id, workout);
    CREATE INDEX history_set_by_exercise ON reptrace.history_set (account_id, exercise);
    CREATE INDEX recording_by_workout ON reptrace.recording (account_id, workout);
    """

  private static let samples = """
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
    """

  private static let items = """
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
    """

  /// The view has the rights of its caller.
  private static let overview = """
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
    """

  /// Row-level security: each login reads and writes its own rows, including the owner of the tables. No right
  /// lets one login block another.
  private static let rights: String = {
    let written = tables.map(\.name) + ["tombstone"]
    let own = written + ["timeline_blob", "timeline_segment", "plan_item", "stream_batch"]
    let policies = own.map { name -> String in
      let table = "reptrace.\"\(name)\""
      return """
        ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
        ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;
        CREATE POLICY own ON \(table) USING (account_id = reptrace.account_id())
          WITH CHECK (account_id = reptrace.account_id());
        GRANT SELECT ON \(table) TO reptrace_user;

        """
    }.joined()
    // Unlike the right to update the table, the right to update each column does not allow LOCK TABLE.
    let grants = written.map { name -> String in
      """
      GRANT INSERT ON reptrace."\(name)" TO reptrace_user;
      DO $$ BEGIN
        EXECUTE (SELECT format('GRANT UPDATE (%s) ON reptrace.%I TO reptrace_user',
            string_agg(quote_ident(attname), ', '), '\(name)')
          FROM pg_attribute WHERE attrelid = 'reptrace.\(name)'::regclass AND attnum > 0
            AND attname NOT IN ('account_id', 'entity', 'key'));
      END $$;

      """
    }.joined()
    return policies + grants + """
      ALTER TABLE reptrace.account ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON reptrace.account FOR SELECT USING (role = session_user);
      REVOKE ALL ON FUNCTION reptrace.account_id(), reptrace.join(), reptrace.time(),
        reptrace.advance(bigint, bigint, bigint), reptrace.upload(text, bigint, bigint, bytea),
        reptrace.remove(text, json) FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION reptrace.account_id(), reptrace.join(), reptrace.time(),
        reptrace.advance(bigint, bigint, bigint), reptrace.upload(text, bigint, bigint, bytea),
        reptrace.remove(text, json) TO reptrace_user;
      GRANT USAGE ON SCHEMA reptrace TO reptrace_user;
      GRANT SELECT ON reptrace.centre, reptrace.account, reptrace.set_overview TO reptrace_user;

      -- For a stream on Spark, which writes the sets of many people.
      GRANT reptrace_user TO reptrace_writer;
      GRANT INSERT (role), UPDATE (position, latest) ON reptrace.account TO reptrace_writer;
      GRANT INSERT, UPDATE ON reptrace.stream_batch TO reptrace_writer;
      GRANT INSERT ON reptrace.timeline_blob TO reptrace_writer;
      GRANT DELETE ON reptrace.history_set, reptrace.recording TO reptrace_writer;
      """
  }()
}
#endif
