"""What all embedders share: how a text is prepared, and what an installed model says of itself."""
