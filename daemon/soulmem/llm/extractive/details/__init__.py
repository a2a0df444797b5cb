"""The details of a text that can fade by themselves, found without a model."""
