"""Forgetting as formulas: curves, traces, anchors, what may be pruned, and the forecast."""
