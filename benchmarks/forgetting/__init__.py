"""What fades, what stays, and what a year of talk leaves."""
