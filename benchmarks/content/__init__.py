"""Does a mind hold what it was told: invented lives, the questions about them, what must be gone."""
