"""What a question asks for: its form, its kind, whose, of whom, in which stretch of time."""
