"""From bytes to requests and back: socket, frames, rights, limits, connections."""
