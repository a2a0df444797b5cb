"""One file for each task of the `LanguageModel` port, done without a model."""
