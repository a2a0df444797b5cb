"""Upkeep of a mind: forgetting, drift, gists that were missing, records that may go."""
