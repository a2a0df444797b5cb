-- Which details were looked at for drift, and when: each once while it is blurred. Empty unless forgetting.drift is on.
-- compat: 5
-- A program that knows only schema 6 lets nothing drift, and what it deletes of elements is deleted here too.

CREATE TABLE drift (
  element INTEGER PRIMARY KEY REFERENCES element (id) ON DELETE CASCADE,
  tried_exp INTEGER NOT NULL
) STRICT;
