-- Messages enter the full-text index later, in crowds; those that wait stand here, written with the message itself.
-- compat: 3
-- An older program would take a waiting message out of an index that it is not in, which spoils that index.

CREATE TABLE search_pending (
  item INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE
) STRICT;

-- A vector that is asked for again while it is being made: the one under way is of former words and does not count.
ALTER TABLE embed_pending ADD COLUMN asked INTEGER NOT NULL DEFAULT 1;
