"""Text to verdict: orders, secrets, personal data. Pure."""
