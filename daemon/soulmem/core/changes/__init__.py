"""Whether a later statement ends or replaces an earlier one, told by its form."""
