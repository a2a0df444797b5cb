"""Whether the words about a date look ahead or back, Chinese and English."""
