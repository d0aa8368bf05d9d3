"""Secrets in a text: what must not enter a history that keeps everything. Pure."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mnemos_files.safety import named_secrets as named
from mnemos_files.safety import token_shapes as shapes

FINGERPRINT_LENGTH = 12
"""Hex digits [1] of a fingerprint: enough to name one value, too few to check guesses by."""

KINDS = shapes.KINDS | named.KINDS

_MASK = re.compile(rf"\[secret: (?:{'|'.join(sorted(KINDS))})\]")


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that looks like a secret: what it is, and where it stands in the text."""

    kind: str
    start: int
    end: int


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Secrets in the order of the text, none overlapping another.

    Well-known shapes (tokens of services, private keys, addresses with a password) are found
    anywhere; other values only beside a word such as password, token or key. Placeholders,
    digests, ids and public keys are none.
    """
    # A mask is none; only signs that no value has may stand in its place.
    text = _MASK.sub(lambda mask: "<" * len(mask[0]), text) if "[secret: " in text else text
    # Most texts have few long words, and only in them can a token stand.
    dense = "\n".join(word for word in text.split() if len(word) >= shapes.SHORTEST)
    found = [*shapes.shaped_secrets(text, dense), *named.named_secrets(text, dense)]
    return _apart(Secret(*each) for each in found)


def fingerprint(value: str) -> str:
    """What names a value without telling it: the first digits of its SHA-256."""
    digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:FINGERPRINT_LENGTH]


def _apart(found: Iterable[Secret]) -> tuple[Secret, ...]:
    """Those that overlap as one, with the kind of the one that was named first."""
    apart: list[tuple[int, Secret]] = []
    for rank, secret in sorted(enumerate(found), key=lambda pair: (pair[1].start, pair[0])):
        if not apart or secret.start >= apart[-1][1].end:
            apart.append((rank, secret))
            continue
        best, last = min(apart[-1], (rank, secret), key=lambda pair: pair[0])
        start, end = apart[-1][1].start, max(apart[-1][1].end, secret.end)
        apart[-1] = (best, Secret(last.kind, start, end))
    return tuple(secret for _, secret in apart)
