"""What a question asks for: its form, its concepts, and the stretch of time it means."""
