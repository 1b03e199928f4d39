-- How many runs a session has saved, so that one that another program removes is missed. Sessions of before have no line.
CREATE TABLE saved_runs (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id),
    runs INTEGER NOT NULL
) STRICT;
