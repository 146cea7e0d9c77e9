-- Functions that write rows for a login. They run with the rights of the schema's owner, so that no login needs the
-- right to update or delete whole tables: with it, a login could LOCK TABLE and block every other sync. They modify
-- rows of the login's account only. Each `reptrace sync --init` replaces them, without a new version of the schema.

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
