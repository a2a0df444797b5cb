"""Time as integers: calendar arithmetic, ISO 8601, the lunar calendar, and the time a mind experiences."""
