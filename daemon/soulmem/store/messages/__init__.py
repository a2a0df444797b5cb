"""Messages on disk: written, read, summarised, changed, and taken out of the search indexes."""
