"""Language models: an endpoint with its budgets, the contract of each task, and an engine that needs no model."""
