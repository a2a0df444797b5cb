"""Numbers and amounts in text, Chinese and English: what they come to, and how to say them roughly."""
