"""Every verb that a client can call."""
