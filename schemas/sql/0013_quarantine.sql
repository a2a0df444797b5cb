-- Steps that were under way when the daemon died, how often, and since when they are set aside for it.
-- compat: 10
-- A program that knows only schema 12 takes what is set aside for a step that failed, and tries it again.

ALTER TABLE job ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0 CHECK (deaths >= 0);
ALTER TABLE job ADD COLUMN quarantined_at INTEGER;
ALTER TABLE summary_job ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0 CHECK (deaths >= 0);
ALTER TABLE summary_job ADD COLUMN quarantined_at INTEGER;
CREATE INDEX job_quarantined ON job (id) WHERE quarantined_at IS NOT NULL;
CREATE INDEX summary_job_quarantined ON summary_job (id) WHERE quarantined_at IS NOT NULL;
