-- The ledger of model calls in full, and what the write gate refused.
-- compat: 1
-- The first schema's model_call was never written to, so nothing is carried over; a program that knows only the first
-- schema neither reads nor writes either table, and opens the file as before.

DROP TABLE model_call;

CREATE TABLE model_call (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  lane TEXT NOT NULL CHECK (lane IN ('interactive', 'idle')),
  prompt_hash TEXT NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 1),
  run TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL DEFAULT 'running' CHECK (outcome IN
    ('running', 'ok', 'repaired', 'invalid', 'failed', 'timeout', 'preempted', 'lost')),
  tokens_in INTEGER NOT NULL DEFAULT 0 CHECK (tokens_in >= 0),
  tokens_out INTEGER NOT NULL DEFAULT 0 CHECK (tokens_out >= 0),
  estimated INTEGER NOT NULL DEFAULT 0,
  took_ms REAL NOT NULL DEFAULT 0,
  cost REAL NOT NULL DEFAULT 0,
  rung TEXT NOT NULL DEFAULT '',
  answer TEXT,
  error TEXT NOT NULL DEFAULT '',
  finished_at INTEGER,
  CHECK ((outcome = 'running') = (finished_at IS NULL)),
  CHECK (answer IS NULL OR outcome IN ('ok', 'repaired'))
) STRICT;
CREATE INDEX model_call_work ON model_call (key, prompt_hash);
CREATE INDEX model_call_at ON model_call (at);
CREATE INDEX model_call_running ON model_call (id) WHERE outcome = 'running';
CREATE INDEX model_call_answer ON model_call (id) WHERE answer IS NOT NULL;

CREATE TABLE refusal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  task TEXT NOT NULL,
  engine TEXT NOT NULL,
  conversation INTEGER,
  epoch INTEGER,
  reason TEXT NOT NULL,
  text TEXT NOT NULL,
  quote TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '',
  message INTEGER
) STRICT;
CREATE INDEX refusal_reason ON refusal (reason);
