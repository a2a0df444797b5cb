"""Whole minds on their way out of a daemon and into one, piece by piece."""
