"""The terminal interface: minds, notes and what happens to them, on one screen."""
