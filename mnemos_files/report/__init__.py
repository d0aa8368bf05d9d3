"""Reports on what is in the vault and what happened in it."""
