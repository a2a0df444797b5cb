"""Files that somebody else wrote, read piece by piece, so that none of them can take more memory than a piece."""
