-- How many recalls of user messages still wait to be run.
-- compat: 1

ALTER TABLE catalog ADD COLUMN pending_recalls INTEGER NOT NULL DEFAULT 0;
