"""What was found near each other, kept beside the index: derived, can be deleted at any time."""

import hashlib
import json
import logging
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from pathlib import Path

FORMAT = 2
"""Raised whenever the same notes would give other neighbours."""

NAME = "near.json"
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Neighbours:
    """The nearest notes of one note by their keys: share and cosine [1] for each.

    `is_full` is true when there were more than these: if one of them goes, all are sought anew.
    """

    found: dict[str, Sequence[float]]
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Numbers of the older and the newer note, share and cosine [1], and the verdict."""

    older: int
    newer: int
    share: float
    cosine: float
    verdict: str


@dataclass(slots=True)
class Known:
    """Neighbours by a note's key, and what was judged of pairs by both keys."""

    rows: dict[str, Neighbours] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a comparison came to: pairs with a verdict in their order, of the notes of a `stamp`.

    The stamp is "" when not every pair could be judged.
    """

    stamp: str = ""
    pairs: tuple[Pair, ...] = ()
    known: bytes = b""


def load(folder: Path, judge: str) -> Kept:
    """What was kept for this judge; nothing if there is nothing, or nothing that can be read."""
    try:
        head, _, body = (folder / NAME).read_bytes().partition(b"\n")
        if head == _head(judge, body):
            first, _, known = body.partition(b"\n")
            stamp, pairs = json.loads(first)
            return Kept(stamp, tuple(Pair(*each) for each in pairs), known)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        _log.debug("no neighbours are kept: %s", error)
    return Kept()


def unpack(known: bytes) -> Known:
    """What the last comparison knew of each note."""
    if not known:
        return Known()
    rows, verdicts = json.loads(known)
    return Known({key: Neighbours(*each) for key, each in rows.items()}, verdicts)


def pack(known: Known) -> bytes:
    """The same as one line."""
    rows = {key: [each.found, each.is_full] for key, each in known.rows.items()}
    return _json([rows, known.verdicts])


def save(folder: Path, judge: str, kept: Kept) -> None:
    """Keep it; where that cannot be done nothing is kept."""
    first = _json([kept.stamp, [astuple(each) for each in kept.pairs]])
    body = first + b"\n" + kept.known
    draft = folder / f"{NAME}-{os.getpid()}-{threading.get_ident()}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(_head(judge, body) + b"\n" + body)
        draft.replace(folder / NAME)
    except OSError as error:
        _log.debug("the neighbours are not kept: %s", error)
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("utf-8")


def _head(judge: str, body: bytes) -> bytes:
    digest = hashlib.sha256(body).hexdigest()
    return f"{FORMAT} {judge} {digest}".encode()
