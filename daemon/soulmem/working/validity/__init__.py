"""What still holds of that which comes to mind: what is over, what was said since, what was told earlier."""
