"""The words that extraction works with: sentences, lexicons, content words, likeness of statements."""
