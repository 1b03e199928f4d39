-- Times are nanoseconds since 1970 (UTC) unless a name says otherwise.
-- Unsigned 64-bit numbers are kept in SQLite's signed ones, bit for bit.
-- A checksum is CRC-32 over the values of its records (see record.rs).

CREATE TABLE machines (
    id          TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL            -- JSON
) STRICT;

CREATE TABLE sessions (
    id               INTEGER PRIMARY KEY,
    title            TEXT    NOT NULL,
    machine_id       TEXT    NOT NULL REFERENCES machines (id),
    plan             TEXT    NOT NULL,   -- JSON: specifications in order
    planned          INTEGER NOT NULL,   -- how many
    started_unix_ns  INTEGER NOT NULL,
    finished_unix_ns INTEGER,            -- NULL while runs are missing
    checksum         INTEGER NOT NULL    -- this record and its machine
) STRICT;

CREATE TABLE runs (
    run_id           TEXT    PRIMARY KEY,
    session_id       INTEGER NOT NULL REFERENCES sessions (id),
    ordinal          INTEGER NOT NULL,   -- place in the plan, from 0
    machine_id       TEXT    NOT NULL REFERENCES machines (id),
    measurement      TEXT    NOT NULL,
    started_unix_ns  INTEGER NOT NULL,
    tool_version     TEXT    NOT NULL,
    valid            INTEGER NOT NULL CHECK (valid IN (0, 1)),
    spec             TEXT    NOT NULL,   -- JSON
    found            TEXT    NOT NULL,   -- JSON: conditions read back
    warnings         TEXT    NOT NULL,   -- JSON
    checksum         INTEGER NOT NULL,   -- this record, its machine, its rows
    samples_checksum INTEGER NOT NULL,   -- its tracks, its chunks
    UNIQUE (session_id, ordinal)
) STRICT;

CREATE TABLE rows (
    run_id      TEXT    NOT NULL REFERENCES runs (run_id),
    ordinal     INTEGER NOT NULL,        -- 0 is the headline
    label       TEXT    NOT NULL,
    unavailable TEXT,                    -- what is missing
    due         INTEGER NOT NULL,
    executed    INTEGER NOT NULL,
    skipped     INTEGER NOT NULL,
    facts       TEXT    NOT NULL,        -- JSON
    early       INTEGER,                 -- values below zero
    min_ns      INTEGER,
    min_index   INTEGER,
    min_at_ns   INTEGER,                 -- after the run's start
    max_ns      INTEGER,
    max_index   INTEGER,
    max_at_ns   INTEGER,                 -- after the run's start
    sum_ns      INTEGER,
    histogram   BLOB,                    -- HdrHistogram V2, deflated
    PRIMARY KEY (run_id, ordinal)
) STRICT;

CREATE TABLE tracks (
    run_id       TEXT    NOT NULL REFERENCES runs (run_id),
    ordinal      INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    attributes   TEXT    NOT NULL,       -- JSON
    column_names TEXT    NOT NULL,       -- JSON: names in order
    PRIMARY KEY (run_id, ordinal)
) STRICT;

CREATE TABLE chunks (
    run_id         TEXT    NOT NULL REFERENCES runs (run_id),
    track_ordinal  INTEGER NOT NULL,
    column_ordinal INTEGER NOT NULL,
    chunk_ordinal  INTEGER NOT NULL,
    length         INTEGER NOT NULL,     -- values in this chunk
    packed         BLOB    NOT NULL,     -- differences, bytes shuffled, zstd
    PRIMARY KEY (run_id, track_ordinal, column_ordinal, chunk_ordinal)
) STRICT;
