"""Plans as values: what is intended for which time, and what gives way to what."""
