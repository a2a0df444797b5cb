"""The command `soulmem`: a client of the socket, and the daemon's launcher."""
