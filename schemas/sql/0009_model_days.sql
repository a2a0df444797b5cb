-- What model calls came to, day by day, once they are not kept one by one any more.
-- compat: 8
-- A program that knows only schema 8 enters calls as before; its sums leave out the days that stand here.

-- The day is a UTC day, counted from 1970.
CREATE TABLE model_day (
  day INTEGER NOT NULL,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  outcome TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls > 0),
  tokens_in INTEGER NOT NULL CHECK (tokens_in >= 0),
  tokens_out INTEGER NOT NULL CHECK (tokens_out >= 0),
  cost REAL NOT NULL,
  took_ms REAL NOT NULL,
  PRIMARY KEY (day, task, model, outcome)
) STRICT, WITHOUT ROWID;
