"""The HTTP door: JSON-RPC, events and the paths of Mem0's server, for who cannot open a Unix socket."""
