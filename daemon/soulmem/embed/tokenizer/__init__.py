"""Cutting text into the pieces of a vocabulary, as the multilingual encoder was trained with."""
