"""Values that several floors pass to each other: requests, drafts, answers, notes, audiences."""
