-- What links remember of the questions they helped to answer, and what recalls followed, so that feedback finds it.
-- compat: 3
-- A program that knows only schema 3 neither reads nor writes these tables; what it deletes goes from them as well.

CREATE TABLE link_memory (
  link INTEGER NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  backward INTEGER NOT NULL CHECK (backward IN (0, 1)),
  fingerprint TEXT NOT NULL,
  vector BLOB NOT NULL,
  enhanced INTEGER NOT NULL DEFAULT 0,
  penalised INTEGER NOT NULL DEFAULT 0,
  at_exp INTEGER NOT NULL,
  PRIMARY KEY (link, backward, fingerprint)
) STRICT, WITHOUT ROWID;

-- The last lessons of each link and direction: with another embedder its vector is learnt anew from them.
-- `fingerprint` is the embedder whose vector holds the lesson.
CREATE TABLE link_memory_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  link INTEGER NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  backward INTEGER NOT NULL CHECK (backward IN (0, 1)),
  text TEXT NOT NULL,
  weight REAL NOT NULL,
  at_exp INTEGER NOT NULL,
  fingerprint TEXT NOT NULL
) STRICT;
CREATE INDEX link_memory_log_link ON link_memory_log (link, backward, id);
CREATE INDEX link_memory_log_fingerprint ON link_memory_log (fingerprint);

CREATE TABLE recall_trail (
  recall INTEGER PRIMARY KEY REFERENCES recall (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  trail BLOB NOT NULL
) STRICT;
CREATE INDEX recall_trail_at ON recall_trail (at);

-- Each verdict is applied once for each source; another verdict of the same source corrects it, once.
CREATE TABLE feedback (
  recall INTEGER NOT NULL REFERENCES recall (id) ON DELETE CASCADE,
  source TEXT NOT NULL CHECK (source IN ('client', 'message', 'judge')),
  verdict TEXT NOT NULL CHECK (verdict IN ('good', 'bad', 'judged')),
  strength REAL NOT NULL,
  used TEXT NOT NULL DEFAULT '[]',
  at INTEGER NOT NULL,
  at_exp INTEGER NOT NULL,
  enhanced INTEGER NOT NULL,
  penalised INTEGER NOT NULL,
  PRIMARY KEY (recall, source, verdict)
) STRICT, WITHOUT ROWID;
