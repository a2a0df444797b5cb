"""Embedding at work: its threads, and the trial of an embedder."""
