"""What clients ask of a mind's plans."""
