"""A mind that is open: its identity, its verification, and what of it is held in memory."""
