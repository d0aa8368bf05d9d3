"""How much a text costs in a model's context."""

BYTES_PER_TOKEN = 4
"""UTF-8 bytes [1] that count as one token: the estimator that clients of this tool set know."""


def byte_count(text: str) -> int:
    """Length in UTF-8 [bytes]."""
    return len(text) if text.isascii() else len(text.encode("utf-8"))


def estimate_tokens(text: str) -> int:
    """Tokens [1] that a text is taken to cost: its bytes by four, rounded up."""
    return -(-byte_count(text) // BYTES_PER_TOKEN)
