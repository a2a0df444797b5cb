"""The steps that turn an epoch into notes, links and facts."""
