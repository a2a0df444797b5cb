"""Words by what they tell of an event: that it matters, that it is a trifle, that it did not happen."""
