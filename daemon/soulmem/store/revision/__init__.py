"""What is rewritten, taken back, forgotten or erased, and how it is restored."""
