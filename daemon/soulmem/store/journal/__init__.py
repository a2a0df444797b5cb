"""What has to be done and what was done: digestion jobs, model calls, budgets, the catalogue of minds."""
