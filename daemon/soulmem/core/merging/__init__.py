"""Merging: which notes tell the same once more, and which of them stays."""
