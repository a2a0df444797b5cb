"""Is what a context holds enough to answer from: answers of a model, scored after the LoCoMo protocol."""
