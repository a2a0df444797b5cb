"""Dates in text: found, resolved to days, and said absolutely, Chinese and English."""
