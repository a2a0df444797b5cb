"""What recurs in what was noted, how it is said, and when it is time to think about it."""
