"""Plans where something is recalled or told: which belong to a question, and how they are shown."""
