"""What a mind holds is written to files: whole, or as other programs read it."""
