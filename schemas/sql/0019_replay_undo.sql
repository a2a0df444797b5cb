-- What a sleeping mind did to the notes it went over, so that a night can be taken back whole.
-- compat: 10
-- A program that knows only schema 18 takes no night back; what it deletes is deleted here too.

-- What was done to one region. `undo`: what its notes were before and were made then, what was tied, concluded, ended and
-- made one; no words of notes. It goes with the job of its night.
CREATE TABLE replay_region (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL,
  undo TEXT NOT NULL
) STRICT;
CREATE INDEX replay_region_job ON replay_region (job);

-- A note that says other words since then. `version`: what it was, as `note_version` has it; `elements`: the details that it
-- had; `rewritten_exp`: when it had been put together anew before. It goes where that version goes.
CREATE TABLE replay_rewrite (
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  region INTEGER NOT NULL REFERENCES replay_region (id) ON DELETE CASCADE,
  elements TEXT NOT NULL,
  rewritten_exp INTEGER,
  PRIMARY KEY (note, version),
  FOREIGN KEY (note, version) REFERENCES note_version (note, version) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX replay_rewrite_region ON replay_rewrite (region);

-- What was taken back is not done again: to two notes, or to one (`other` 0).
CREATE TABLE replay_refused (
  kind TEXT NOT NULL CHECK (kind IN ('link', 'contradiction', 'rephrase', 'retag')),
  one INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  other INTEGER NOT NULL,
  PRIMARY KEY (kind, one, other)
) STRICT, WITHOUT ROWID;
