"""What comes in from files of other programs, and what goes out to them: a client of the socket and nothing more."""
