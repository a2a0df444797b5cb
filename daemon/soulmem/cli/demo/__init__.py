"""`soulmem demo`: a daemon with a simulated clock, a conversation, and what became of it."""
