"""What clients ask of the nights in which a mind goes over its notes."""
