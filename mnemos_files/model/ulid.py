"""Ids: 26 letters that sort by time."""

import re
from datetime import UTC, datetime

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PATTERN = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_RANDOM_BITS = 80
_LENGTH = 26


def make_ulid(now: datetime, randomness: bytes) -> str:
    """Id from a time [ms] and 10 random bytes, after the ULID specification (Crockford base 32)."""
    milliseconds = int(now.timestamp() * 1000)
    number = milliseconds << _RANDOM_BITS | int.from_bytes(randomness[:10], "big")
    return "".join(_ALPHABET[number >> 5 * i & 31] for i in range(_LENGTH - 1, -1, -1))


def is_ulid(text: str) -> bool:
    """True for 26 letters of the ULID alphabet, upper case."""
    return _PATTERN.fullmatch(text) is not None


def ulid_time(ulid: str) -> datetime:
    """The time [ms, UTC] in a valid id."""
    number = 0
    for letter in ulid[:10]:
        number = number << 5 | _ALPHABET.index(letter)
    return datetime.fromtimestamp(number / 1000, UTC)
