"""What is said of a recall afterwards changes its links: by clients, by judges, by the next message."""
