"""The times of plans: the rows beside their notes."""
