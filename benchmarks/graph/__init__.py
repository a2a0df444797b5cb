"""Solvers of association side by side, on made-up graphs."""
