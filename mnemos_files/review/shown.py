"""Texts of a vault made fit to be shown: no secrets, nothing that cannot be seen."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache

from mnemos_files.format.keys import KEYS
from mnemos_files.model.record import Record
from mnemos_files.model.skill import TEXT_KEY
from mnemos_files.review.pairs import Pair, Side
from mnemos_files.review.values import Difference, Piece
from mnemos_files.review.words import pieces, shortened
from mnemos_files.safety.present import masked

TEXT_MAX = 600
"""Characters [1] of what a memory says that a review gives."""

LINE_MAX = 200
"""Characters [1] of a title, a name or a message."""

_KEPT_BY_TOOLS = (TEXT_KEY,)
"""Properties that say nothing to a person."""


@lru_cache(maxsize=4_096)  # names of agents, projects and authors come again and again
def one_line(text: str, limit: int = LINE_MAX) -> str:
    """The text on one line, harmless, and cut."""
    return shortened(" ".join(masked(text).split()), limit)


def body(side: Side) -> str:
    """What a memory says below its front matter, harmless, and cut."""
    return shortened(masked(side.note.body).strip(), TEXT_MAX)


def differences(pair: Pair) -> tuple[Difference, ...]:
    """Every property and part of the text that is another one, in the order of a file."""
    if pair.before is None or pair.after is None:
        return ()
    before, after = dict(_parts(pair.before)), dict(_parts(pair.after))
    names = [*after, *(name for name in before if name not in after)]
    changed = [name for name in names if before.get(name, "") != after.get(name, "")]
    changed = [name for name in changed if name not in _KEPT_BY_TOOLS]
    return tuple(Difference(name, _pieces(before, after, name)) for name in changed)


def _pieces(before: dict[str, str], after: dict[str, str], name: str) -> tuple[Piece, ...]:
    return pieces(masked(before.get(name, "")), masked(after.get(name, "")))


def _parts(side: Side) -> Iterator[tuple[str, str]]:
    """Names and texts of all that a memory has, properties first."""
    record = side.record
    for key in KEYS:
        if key != "id" or record.id != str(side.note.path):  # one without an id has its path
            yield key, _written(getattr(record, key))
    yield from ((one_line(key), _written(value)) for key, value in record.properties)
    yield "text", record.content
    yield from ((f"## {_heading(record, key)}", text) for key, text in record.sections)


def _heading(record: Record, key: str) -> str:
    return next(section.heading for section in record.kind.sections if section.key == key)


def _written(value: object) -> str:
    """A value of a property as a file has it."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)
