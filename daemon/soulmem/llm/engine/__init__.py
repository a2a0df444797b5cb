"""The engine behind an endpoint: from a task to a valid answer, and which engine a daemon uses."""
