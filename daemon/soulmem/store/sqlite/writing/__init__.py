"""How a file is written: the threads of its connections, many writes in one commit, and writes that need it alone."""
