"""The in-memory index of a mind and the score of a hit: terms, vectors, filters, calibration."""
