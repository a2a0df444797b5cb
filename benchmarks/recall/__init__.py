"""Is what was told found: recall sets, hops over links, lists, paraphrases, and what was never told."""
