"""Weeks of plain talk by people who never saw a rule, and what a friend would ask about them afterwards."""
