"""What commands share: the session with the daemon, tables, charts, log lines."""
