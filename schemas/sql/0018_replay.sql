-- What a mind goes over again while it sleeps: which notes wait for that, when each was gone over last, what was tied by it.
-- compat: 10
-- A program that knows only schema 17 goes over nothing; what it deletes is deleted here too.

-- Notes that came or say something else since they were gone over. Those of before are as they are: only what comes waits.
CREATE TABLE replay_due (
  note INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE
) STRICT;

-- When a note was gone over last, wall milliseconds, and how often.
CREATE TABLE replayed (
  note INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  times INTEGER NOT NULL CHECK (times > 0)
) STRICT;
CREATE INDEX replayed_at ON replayed (at);

-- Links that were made by it.
CREATE TABLE replay_link (
  link INTEGER PRIMARY KEY REFERENCES link (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL
) STRICT;
