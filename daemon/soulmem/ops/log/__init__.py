"""The log: the catalogue of events, the bus, throttling, traffic counters, output."""
