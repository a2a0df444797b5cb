"""The socket: JSON-RPC 2.0, one object a line, and the methods behind it."""
