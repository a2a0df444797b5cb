-- The first schema of a mind: one file holds everything that one character remembers.
-- compat: 1
-- Times named *_at are wall-clock UTC milliseconds; t0, stability, due_* and *_exp are experienced milliseconds.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mind (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  name TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  profile TEXT NOT NULL CHECK (profile IN ('companion', 'assistant')),
  persona TEXT NOT NULL DEFAULT '',
  language TEXT NOT NULL DEFAULT '',
  settings TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  wall_anchor_at INTEGER NOT NULL,
  exp_anchor INTEGER NOT NULL
) STRICT;

-- ---------------------------------------------------------------- short-term memory

CREATE TABLE conversation (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  next_seq INTEGER NOT NULL DEFAULT 1,
  user_turns INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE message (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation INTEGER NOT NULL REFERENCES conversation (id),
  seq INTEGER NOT NULL,
  pos INTEGER,
  client_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'correction')),
  speaker TEXT NOT NULL,
  content TEXT NOT NULL,
  at INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL,
  marker TEXT NOT NULL DEFAULT 'none' CHECK (marker IN ('none', 'auto', 'forced')),
  boundary INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  terms BLOB NOT NULL,
  mood TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  deleted INTEGER NOT NULL DEFAULT 0,
  request_hash BLOB NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (conversation, seq),
  UNIQUE (conversation, client_id)
) STRICT;
CREATE UNIQUE INDEX message_pos ON message (conversation, pos) WHERE pos IS NOT NULL;
CREATE INDEX message_marked ON message (conversation, pos) WHERE marker <> 'none';

CREATE TABLE message_version (
  message INTEGER NOT NULL REFERENCES message (id),
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  replaced_at INTEGER NOT NULL,
  PRIMARY KEY (message, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE window (
  conversation INTEGER PRIMARY KEY REFERENCES conversation (id),
  capacity INTEGER NOT NULL CHECK (capacity >= 1),
  win_lo INTEGER NOT NULL,
  block_origin INTEGER NOT NULL,
  hwm INTEGER NOT NULL,
  max_pos INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  fresh_tokens INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE epoch (
  conversation INTEGER NOT NULL REFERENCES conversation (id),
  epoch INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'frozen', 'consolidated')),
  opened_at INTEGER NOT NULL,
  frozen_at INTEGER,
  consolidated_at INTEGER,
  PRIMARY KEY (conversation, epoch)
) STRICT, WITHOUT ROWID;
CREATE INDEX epoch_frozen ON epoch (frozen_at) WHERE state = 'frozen';

CREATE TABLE summary_job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation INTEGER NOT NULL REFERENCES conversation (id),
  epoch INTEGER NOT NULL,
  lo INTEGER NOT NULL,
  hi INTEGER NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'done', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  base_version INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  result TEXT,
  error TEXT,
  CHECK (lo <= hi),
  UNIQUE (conversation, lo)
) STRICT;
CREATE INDEX summary_job_open ON summary_job (conversation, id) WHERE state IN ('pending', 'running');

CREATE TABLE summary (
  conversation INTEGER NOT NULL REFERENCES conversation (id),
  epoch INTEGER NOT NULL,
  version INTEGER NOT NULL,
  text TEXT NOT NULL,
  points TEXT NOT NULL,
  covers_hi INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (conversation, epoch, version)
) STRICT;

-- ---------------------------------------------------------------- the graph

CREATE TABLE note (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN
    ('episodic', 'abstract', 'semantic', 'procedural', 'trigger', 'reflection', 'plan', 'lore')),
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  speaker TEXT NOT NULL DEFAULT '',
  importance REAL NOT NULL DEFAULT 0.4 CHECK (importance BETWEEN 0 AND 1),
  valence REAL NOT NULL DEFAULT 0 CHECK (valence BETWEEN -1 AND 1),
  tags TEXT NOT NULL DEFAULT '[]',
  entities TEXT NOT NULL DEFAULT '[]',
  attributes TEXT NOT NULL DEFAULT '{}',
  pinned INTEGER NOT NULL DEFAULT 0,
  lifecycle TEXT NOT NULL DEFAULT 'working' CHECK (lifecycle IN ('working', 'consolidated', 'forgotten')),
  version INTEGER NOT NULL DEFAULT 1,
  conversation INTEGER REFERENCES conversation (id),
  epoch INTEGER,
  created_at INTEGER NOT NULL,
  created_exp INTEGER NOT NULL,
  recalls INTEGER NOT NULL DEFAULT 0,
  recalled_exp INTEGER,
  due_check INTEGER,
  merged_into INTEGER,
  terms BLOB NOT NULL,
  hash BLOB NOT NULL
) STRICT;
CREATE INDEX note_alive ON note (lifecycle, kind, id);
CREATE INDEX note_fact ON note (terms) WHERE kind = 'semantic';
CREATE INDEX note_pinned ON note (id) WHERE pinned = 1;
CREATE INDEX note_due ON note (due_check) WHERE due_check IS NOT NULL AND lifecycle <> 'forgotten';
CREATE INDEX note_epoch ON note (conversation, epoch);

CREATE TABLE note_version (
  note INTEGER NOT NULL REFERENCES note (id),
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  reason TEXT NOT NULL,
  replaced_at INTEGER NOT NULL,
  PRIMARY KEY (note, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE note_source (
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  message INTEGER NOT NULL REFERENCES message (id),
  quote TEXT,
  PRIMARY KEY (note, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_source_message ON note_source (message);

CREATE TABLE element (
  id INTEGER PRIMARY KEY,
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  level INTEGER NOT NULL CHECK (level IN (0, 1, 2)),
  gist TEXT NOT NULL DEFAULT '',
  anchor TEXT NOT NULL DEFAULT 'none' CHECK (anchor IN ('none', 'spontaneous', 'forced')),
  a0 REAL NOT NULL,
  t0 INTEGER NOT NULL,
  stability INTEGER NOT NULL CHECK (stability > 0),
  last_growth INTEGER,
  due_blur INTEGER NOT NULL,
  due_blank INTEGER NOT NULL
) STRICT;
CREATE INDEX element_note ON element (note);

CREATE TABLE link (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  src INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  dst INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN
    ('association', 'semantic', 'abstract_of', 'trigger', 'evidence', 'supersedes')),
  verb TEXT NOT NULL DEFAULT '',
  origin TEXT NOT NULL CHECK (origin IN ('client', 'model', 'hebb', 'similarity', 'synonym')),
  initial REAL NOT NULL,
  confidence REAL NOT NULL,
  a0 REAL NOT NULL CHECK (a0 > 0 AND a0 <= 1),
  t0 INTEGER NOT NULL,
  stability INTEGER NOT NULL CHECK (stability > 0),
  last_growth INTEGER,
  due_delete INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  valid_from INTEGER,
  valid_to INTEGER,
  forgotten INTEGER NOT NULL DEFAULT 0,
  hash BLOB NOT NULL,
  CHECK (src <> dst),
  UNIQUE (src, dst, kind, verb)
) STRICT;
CREATE INDEX link_dst ON link (dst);
CREATE INDEX link_due ON link (due_delete) WHERE forgotten = 0;

-- ---------------------------------------------------------------- recalls

CREATE TABLE recall (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message INTEGER REFERENCES message (id),
  query TEXT NOT NULL,
  depth TEXT NOT NULL,
  k INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'coalesced')),
  at INTEGER NOT NULL,
  at_exp INTEGER NOT NULL,
  tier TEXT NOT NULL DEFAULT 'vector',
  coalesced_into INTEGER
) STRICT;
CREATE INDEX recall_pending ON recall (id) WHERE state = 'pending';
CREATE INDEX recall_message ON recall (message);

CREATE TABLE recall_epoch (
  conversation INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  recall INTEGER NOT NULL REFERENCES recall (id),
  turn INTEGER NOT NULL,
  PRIMARY KEY (conversation, epoch, recall)
) STRICT, WITHOUT ROWID;

CREATE TABLE recall_hit (
  recall INTEGER NOT NULL REFERENCES recall (id),
  rank INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'message', 'summary')),
  item INTEGER NOT NULL,
  tier TEXT NOT NULL,
  score REAL NOT NULL,
  used INTEGER NOT NULL DEFAULT 0,
  at_exp INTEGER NOT NULL,
  PRIMARY KEY (recall, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_hit_item ON recall_hit (kind, item);

CREATE TABLE reinforcement (
  id INTEGER PRIMARY KEY,
  link INTEGER NOT NULL REFERENCES link (id) ON DELETE CASCADE,
  cause TEXT NOT NULL,
  before REAL NOT NULL,
  after REAL NOT NULL,
  at_exp INTEGER NOT NULL
) STRICT;
CREATE INDEX reinforcement_link ON reinforcement (link);

-- ---------------------------------------------------------------- idle work and safety

CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  step TEXT NOT NULL,
  conversation INTEGER REFERENCES conversation (id),
  epoch INTEGER,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'running', 'done', 'failed', 'preempted')),
  attempts INTEGER NOT NULL DEFAULT 0,
  preempted INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  result TEXT,
  error TEXT
) STRICT;
CREATE UNIQUE INDEX job_once ON job (conversation, epoch, step) WHERE conversation IS NOT NULL;
CREATE INDEX job_open ON job (id) WHERE state NOT IN ('done', 'failed');

CREATE TABLE model_call (
  id INTEGER PRIMARY KEY,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt_hash TEXT NOT NULL,
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  took_ms REAL NOT NULL,
  outcome TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE tombstone (
  kind TEXT NOT NULL CHECK (kind IN ('note', 'link')),
  item INTEGER NOT NULL,
  reason TEXT NOT NULL,
  strength REAL,
  forgotten_at INTEGER NOT NULL,
  purge_at INTEGER NOT NULL,
  PRIMARY KEY (kind, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_purge ON tombstone (purge_at);

CREATE TABLE history (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  item TEXT NOT NULL,
  detail TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX history_item ON history (item);

CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  method TEXT NOT NULL,
  request_hash BLOB NOT NULL,
  result TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);

-- ---------------------------------------------------------------- search: indexes that can be dropped and rebuilt

CREATE TABLE vector (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'message', 'summary')),
  item INTEGER NOT NULL,
  variant TEXT NOT NULL CHECK (variant IN ('self', 'context')),
  fingerprint TEXT NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (kind, item, variant, fingerprint)
) STRICT;

CREATE TABLE embed_pending (
  kind TEXT NOT NULL,
  item INTEGER NOT NULL,
  variant TEXT NOT NULL,
  PRIMARY KEY (kind, item, variant)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE message_search USING fts5 (terms, content = '', detail = 'column');
CREATE VIRTUAL TABLE note_search USING fts5 (terms, content = '', detail = 'column');
