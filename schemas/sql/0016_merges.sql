-- What tells the same becomes one note: which note went into which, and what that changed, so that it can be undone.
-- compat: 10
-- A program that knows only schema 15 takes a note that was merged for one that was forgotten, which it can restore.

-- `loser` went into `survivor`, in the order of `id`. `undo`: what the survivor and its links were before and were made then.
CREATE TABLE merge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  loser INTEGER NOT NULL UNIQUE REFERENCES note (id) ON DELETE CASCADE,
  survivor INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  merged_at INTEGER NOT NULL,
  undo TEXT NOT NULL,
  CHECK (loser <> survivor)
) STRICT;
CREATE INDEX merge_survivor ON merge (survivor);

-- Two notes that are not one: a merge of them was undone, or a model said so; `until` NULL: for good.
CREATE TABLE kept_apart (
  one INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  other INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  until INTEGER,
  PRIMARY KEY (one, other),
  CHECK (one < other)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_apart_other ON kept_apart (other);

-- Notes that are still to be compared with those that lie near them. Notes of before are as they are: only what comes is
-- compared, with them too.
CREATE TABLE merge_due (
  note INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE
) STRICT;
