"""Text of a vault for a terminal, which must not obey it."""

import re

_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line end, and those that turn the direction of writing."""


def harmless(text: object) -> str:
    """The text with marks for what a terminal would obey."""
    return _UNSAFE.sub(lambda match: f"\\x{ord(match[0]):02x}", str(text))
