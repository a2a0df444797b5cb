"""The process: its clock, scheduler, memory, and what it tells systemd."""
