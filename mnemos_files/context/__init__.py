"""What is put in front of an agent: the block of a session, and what a plan should know."""
