"""What years of talk, change and silence make of a mind: its size, its speed, and whether it knows how things stand."""
