"""Text as such, Chinese and English: terms, characters, quotations, shingles, repetitions."""
