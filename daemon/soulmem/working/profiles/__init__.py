"""Profiles of people and things, put together from notes when somebody asks."""
