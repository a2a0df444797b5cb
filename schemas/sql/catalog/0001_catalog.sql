-- The catalogue beside the minds: an index that can be rebuilt from their files at any time.
-- compat: 1

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE catalog (
  mind TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  profile TEXT NOT NULL,
  state TEXT NOT NULL,
  messages INTEGER NOT NULL,
  notes INTEGER NOT NULL,
  links INTEGER NOT NULL,
  pending_jobs INTEGER NOT NULL,
  embed_backlog INTEGER NOT NULL,
  due_at INTEGER,
  closed INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
