"""While somebody talks: messages come in, recalls go out, background workers keep up."""
