-- How many requests to forget, made in talk, could not be obeyed and are open still.
-- compat: 1

ALTER TABLE catalog ADD COLUMN unmet_requests INTEGER NOT NULL DEFAULT 0;
