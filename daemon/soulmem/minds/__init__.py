"""The minds that are open: their states, workers, rounds, registry, ticks and health."""
