"""A conversation as it runs: the sliding window, its summaries, a shift of topic."""
