-- What is so no more: which notes another note has superseded, ended or corrected, since when, and since when that is known.
-- compat: 10
-- A program that knows only schema 10 tells what is outdated as if it still held; what it deletes is deleted here too.

-- Since when what the note says is so, wall milliseconds; NULL: nobody said.
ALTER TABLE note ADD COLUMN valid_from INTEGER;
-- When it was compared with what was known, wall milliseconds; NULL: not yet, or not since it says what it says.
ALTER TABLE note ADD COLUMN reconciled_at INTEGER;
CREATE INDEX note_unreconciled ON note (id) WHERE reconciled_at IS NULL AND lifecycle <> 'forgotten';
-- Notes of before are as they are: only what comes is compared, with them too.
UPDATE note SET reconciled_at = created_at;

-- `note` holds no more, or a part of it, because `by` says so; `by` may be gone, and it holds no more all the same.
-- `relation`: of what (`core/relations`), '' of the whole. `said`: the words of the note that are outdated.
-- `heard`: the conversation in which that was heard, NULL where it is common. `valid_to` NULL: it never held.
CREATE TABLE ending (
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  by INTEGER NOT NULL,
  relation TEXT NOT NULL DEFAULT '',
  said TEXT NOT NULL DEFAULT '',
  event TEXT NOT NULL CHECK (event IN ('supersede', 'invalidate', 'correct')),
  heard INTEGER,
  valid_to INTEGER,
  expired_at INTEGER NOT NULL,
  whole INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (note, by, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX ending_by ON ending (by);

-- Of whom and of what a note says something, to find what else is known of the same.
CREATE TABLE claim (
  subject TEXT NOT NULL,
  relation TEXT NOT NULL,
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  PRIMARY KEY (subject, relation, note)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_note ON claim (note);
