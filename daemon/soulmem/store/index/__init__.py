"""The search indexes on disk: FTS5 for words, vec0 for vectors."""
