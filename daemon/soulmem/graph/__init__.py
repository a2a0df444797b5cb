"""The working graph of a mind in memory, and how recall walks it: pure numerics on NumPy arrays."""
