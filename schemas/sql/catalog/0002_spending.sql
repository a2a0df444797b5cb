-- What each mind spent on language models, by UTC day (days since 1970): budgets outlive a restart, and a deleted mind.
-- compat: 1

CREATE TABLE spending (
  mind TEXT NOT NULL,
  day INTEGER NOT NULL,
  tokens INTEGER NOT NULL CHECK (tokens >= 0),
  cost REAL NOT NULL,
  PRIMARY KEY (mind, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX spending_day ON spending (day);
