"""The user's own service: its unit files, and the manager that runs it."""
