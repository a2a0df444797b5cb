"""Which notes are linked: recall frequency, Hebbian strength, and the check of an engine's links."""
