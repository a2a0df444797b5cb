"""Digestion as a whole: the order of its steps, and the queue of its rounds."""
