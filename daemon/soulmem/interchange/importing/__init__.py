"""What was read is handed to a daemon, in calls that it takes, and what became of it is counted."""
