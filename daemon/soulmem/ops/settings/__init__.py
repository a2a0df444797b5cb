"""The settings: their sections and rules, where they come from, and their schema."""
