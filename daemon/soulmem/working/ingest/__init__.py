"""A message comes in: stored, indexed, embedded, summarised; edited or erased later."""
