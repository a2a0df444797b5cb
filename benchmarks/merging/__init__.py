"""Measures which notes become one."""
