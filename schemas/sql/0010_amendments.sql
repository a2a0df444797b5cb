-- What was said is corrected or deleted, and what was made of the former words follows: made anew, or gone for good.
-- compat: 10
-- An older program would take a message whose notes are made anew for one on the shelf, which spoils the word index.
-- message.deleted is 1 for a message that was taken back and is kept, 2 for one of which nothing is left.

-- How often what was said in the epoch was changed: whoever read it before that must not store what he made of it.
ALTER TABLE epoch ADD COLUMN amended INTEGER NOT NULL DEFAULT 0;
-- A note that was purged rested on it: no note is made of it again.
ALTER TABLE message ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
-- Something was deleted since it was sent: its answer is not kept.
ALTER TABLE model_call ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;

-- Messages of epochs that became notes whose notes are to be made anew; until then they are searched themselves.
CREATE TABLE rederive (
  message INTEGER PRIMARY KEY REFERENCES message (id)
) STRICT;

-- What went for good: what it was, when and why, and nothing of what it said.
CREATE TABLE purged (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item TEXT NOT NULL CHECK (item IN ('message', 'note', 'link')),
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  count INTEGER NOT NULL DEFAULT 1 CHECK (count > 0)
) STRICT;
CREATE INDEX purged_at ON purged (at);

-- Deletions after which the file, its log and its word indexes have still to be gone over.
CREATE TABLE erasure (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL
) STRICT;
