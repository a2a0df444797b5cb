"""The memory on disk: one SQLite file a mind, and every SQL statement of the daemon."""
