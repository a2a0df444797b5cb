"""One OpenAI-compatible endpoint: its address, requests, retries, breaker, limits and budgets."""
