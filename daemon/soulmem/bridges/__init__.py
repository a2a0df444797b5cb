"""Bridges to other programs, each a client of the socket."""
