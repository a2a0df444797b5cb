"""While nobody talks: digestion of what was said, and upkeep of what is known."""
