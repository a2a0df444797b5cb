"""Notes and their details on disk: rows, writes, retention, and what search may know of them."""
