-- Plans: when what a note of the kind `plan` intends is to be done, and what became of it.
-- compat: 10
-- A program that knows only schema 14 takes a plan for a note, which it is; what it deletes is deleted here too.

-- `start_at`, `end_at`: half-open, wall milliseconds; `offset_min`: by how much the clock they were told by is ahead.
-- `parent`: the plan that it is a part of. `status`: what became of it; what runs now and what gave way is worked out.
CREATE TABLE plan_item (
  note INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('day', 'hour', 'action')),
  start_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL CHECK (end_at > start_at),
  offset_min INTEGER NOT NULL DEFAULT 0,
  parent INTEGER REFERENCES plan_item (note) ON DELETE SET NULL,
  status TEXT NOT NULL DEFAULT 'planned' CHECK (status IN ('planned', 'done', 'dropped', 'missed')),
  settled_at INTEGER,
  hash BLOB NOT NULL
) STRICT;
CREATE INDEX plan_item_time ON plan_item (start_at, note);
CREATE INDEX plan_item_due ON plan_item (end_at) WHERE status = 'planned';
CREATE INDEX plan_item_parent ON plan_item (parent) WHERE parent IS NOT NULL;

-- `plan` is not kept from `cut_at` on, for `by` takes its time; `by` 0: nothing does. What is over as a whole is in
-- `ending`. `heard`: the conversation in which that was heard, NULL where it is common.
CREATE TABLE plan_cut (
  plan INTEGER NOT NULL REFERENCES plan_item (note) ON DELETE CASCADE,
  by INTEGER NOT NULL,
  heard INTEGER,
  cut_at INTEGER NOT NULL,
  PRIMARY KEY (plan, by)
) STRICT, WITHOUT ROWID;
CREATE INDEX plan_cut_by ON plan_cut (by);
