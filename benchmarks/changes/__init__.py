"""Fits what tells a change, and which of two answers counts."""
