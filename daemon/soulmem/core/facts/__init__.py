"""What a text says is so, of whom, and since when: relations, patterns of statements, validity."""
