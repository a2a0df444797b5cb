"""The OpenAI door: chat completions of any endpoint pass through it, and leave with a memory."""
