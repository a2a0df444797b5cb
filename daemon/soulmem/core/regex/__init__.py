"""Regular expressions that cost nothing at the start: compiled late, and skipped where they cannot match."""
