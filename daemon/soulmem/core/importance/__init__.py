"""How much a text matters, 1 to 10, and how long it is kept because of that."""
