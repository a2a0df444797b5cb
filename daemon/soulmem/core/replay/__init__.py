"""Replay: what a sleeping mind goes over again, and what that leaves behind."""
