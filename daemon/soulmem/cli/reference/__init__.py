"""What is generated from the tree of commands: completion for shells, and manual pages."""
