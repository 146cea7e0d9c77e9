extension HistoryMigrations {
  /// What a stream has received and not settled yet, and where what it has settled went.
  static let journal2 = """
    -- A set, or the samples of a session outside of sets, under way.
    CREATE TABLE journalSet (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE, -- what belongs together in a stream
      kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2), -- declared, found, rest
      sessionId TEXT,
      exerciseId TEXT,
      setId TEXT
    ) STRICT;

    -- Its messages in the order in which they came.
    CREATE TABLE journalEntry (
      id INTEGER PRIMARY KEY,
      journalSetId INTEGER NOT NULL REFERENCES journalSet (id) ON DELETE CASCADE,
      part INTEGER NOT NULL CHECK (part >= 0), -- of the messages in one line
      sessionId TEXT,
      exerciseId TEXT,
      phase TEXT, -- execution, rest, or NULL if unknown
      date REAL, -- of the last control message before, seconds since 1970
      data BLOB NOT NULL -- as received: a line without its end, or a binary frame
    ) STRICT;
    CREATE INDEX journalEntryBySet ON journalEntry (journalSetId);

    -- What control messages said of the messages that follow in a session.
    CREATE TABLE journalContext (
      session TEXT PRIMARY KEY,
      state TEXT NOT NULL -- JSON
    ) STRICT, WITHOUT ROWID;

    -- The recording that something settled has become.
    CREATE TABLE journalSettled (
      key TEXT PRIMARY KEY,
      recordingId INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX journalSettledByRecording ON journalSettled (recordingId);
    """

  /// What was cut by the end of an input goes on later; events are kept until they are written; and
  /// every entry has a checksum.
  static let stream6 = """
    -- 0 under way; 1 finalized by the end of an input, and goes on when more comes; 2 ended, with
    -- entries that came later.
    ALTER TABLE journalSet ADD COLUMN state INTEGER NOT NULL DEFAULT 0
      CHECK (state BETWEEN 0 AND 2);
    -- Whether the history holds the samples from before the entries.
    ALTER TABLE journalSet ADD COLUMN joinsHistory INTEGER NOT NULL DEFAULT 0
      CHECK (joinsHistory IN (0, 1));
    -- Whether the date that the history holds is that of a chunk's sending.
    ALTER TABLE journalSet ADD COLUMN isDatedBySending INTEGER NOT NULL DEFAULT 0
      CHECK (isDatedBySending IN (0, 1));
    ALTER TABLE journalSet ADD COLUMN session TEXT NOT NULL DEFAULT ''; -- in capitals
    CREATE INDEX journalSetCut ON journalSet (session) WHERE state = 1;
    UPDATE journalSet SET state = 2, joinsHistory = 1
      WHERE key IN (SELECT key FROM journalSettled);
    ALTER TABLE journalEntry ADD COLUMN checksum INTEGER; -- CRC-32C; NULL in older stores

    -- Events that may not have been written yet, as lines.
    CREATE TABLE journalEvent (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      session TEXT NOT NULL,
      line TEXT NOT NULL
    ) STRICT;
    """

  /// What is under way is taken up from the last of its entries alone, until a message comes for it; then
  /// it is counted on from a snapshot.
  static let restart8 = """
    -- How far the entry's set was with it: NULL in older stores; times and dates also before the first
    -- sample.
    ALTER TABLE journalEntry ADD COLUMN setSamples INTEGER CHECK (setSamples >= 0);
    ALTER TABLE journalEntry ADD COLUMN setTime REAL; -- of the newest sample, seconds on its clock
    ALTER TABLE journalEntry ADD COLUMN setClock INTEGER; -- as in recording
    ALTER TABLE journalEntry ADD COLUMN setDate REAL; -- of the newest sample, seconds since 1970

    -- The state of live detection in a set under way.
    CREATE TABLE journalSnapshot (
      journalSetId INTEGER PRIMARY KEY REFERENCES journalSet (id) ON DELETE CASCADE,
      entryId INTEGER NOT NULL, -- the last entry that it knows
      data BLOB NOT NULL -- with a checksum of its own
    ) STRICT;
    """
}
