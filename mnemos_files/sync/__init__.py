"""Two histories of one vault: merged memory by memory, exchanged with a remote."""
