"""Merging: what tells the same becomes one, while a mind is idle."""
