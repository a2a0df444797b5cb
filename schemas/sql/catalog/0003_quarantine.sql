-- How many steps of a mind are set aside because the daemon died over them.
-- compat: 1

ALTER TABLE catalog ADD COLUMN quarantined INTEGER NOT NULL DEFAULT 0;
