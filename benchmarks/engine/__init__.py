"""What a language model is asked and what of its drafts is kept."""
