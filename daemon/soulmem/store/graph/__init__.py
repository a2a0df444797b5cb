"""Links on disk: their rows, their learned memory, and how they reach the working graph."""
