"""The process and its surroundings: settings, log, clock, service manager."""
