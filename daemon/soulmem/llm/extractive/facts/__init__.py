"""Facts that sentences state about their speakers and about others, read by patterns."""
