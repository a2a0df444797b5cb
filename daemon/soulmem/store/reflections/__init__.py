"""What a mind concluded from its notes, what that rests on, and how much was noted since."""
