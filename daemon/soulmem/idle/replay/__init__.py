"""Replay: a sleeping mind goes over what is new with what belongs to it."""
