"""What is remembered. Pure: standard library only."""
