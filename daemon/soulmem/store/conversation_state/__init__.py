"""Where a conversation stands on disk: its window and epochs, and who may see what was said in it."""
