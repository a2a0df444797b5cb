-- How a tendency to act came to mind, so that a recall that is told again tells it as it did the first time.
-- compat: 5
-- A program that knows only schema 5 leaves the column empty: then nothing is said of it.

ALTER TABLE recall_hit ADD COLUMN entry TEXT CHECK (entry IN ('trigger', 'semantic'));

-- Who bears a tag is looked up here: most notes bear none.
CREATE INDEX note_tagged ON note (tags) WHERE tags <> '[]';
