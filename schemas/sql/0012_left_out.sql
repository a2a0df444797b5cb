-- How many sentences a row of the audit stands for: what is left out of one message for one reason is one row.
-- compat: 10
-- A program that knows only schema 11 takes such a row for a refusal.

ALTER TABLE refusal ADD COLUMN count INTEGER NOT NULL DEFAULT 1 CHECK (count > 0);
