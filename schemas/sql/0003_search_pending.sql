-- Messages enter the full-text index later, in crowds; those that wait stand here, written with the message itself.
-- compat: 3
-- An older program would take a waiting message out of an index that it is not in, which spoils that index.

CREATE TABLE search_pending (
  item INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE
) STRICT;
