"""Open conflicts of a file, and the file after a person's choice. Pure."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from mnemos_files.errors import InvalidQueryError
from mnemos_files.format.contradiction import (
    DELETED_KEY,
    KEY_PREFIX,
    SKILL_PREFIX,
    Callouts,
    conflicting_keys,
    find_versions,
)
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import decode
from mnemos_files.format.merging.shape import Values, read_shape, with_keys
from mnemos_files.format.merging.values import FILE, TEXT

Chosen = TypeVar("Chosen")

BOTH = 0
"""The choice of all versions."""

_DELETED = DELETED_KEY.removeprefix(KEY_PREFIX)
_GONE = "(deleted)"


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """What waits for a choice: `name` is a key, `TEXT` or `FILE`; the versions from number 1 on."""

    name: str
    versions: tuple[str, ...]


def open_conflicts(path: PurePosixPath, data: bytes) -> tuple[OpenConflict, ...]:
    """Every open conflict of a file, keys first.

    Raises:
        CorruptError: the keys of the file cannot be read.
    """
    text = _lf(decode(data, str(path)))
    places = list(find_versions(text))
    found = []
    if not any(place.is_whole_file for place in places):
        shape = read_shape(path, data)
        known = {**shape.top, **shape.nested}
        markers = conflicting_keys(known)
        found += [_of_key(marker, known, known.get(_name(marker), "")) for marker in markers]
    for place in places:
        if place.is_whole_file:
            found.append(OpenConflict(FILE, (_without(text, place), *place.versions)))
        else:
            found.append(OpenConflict(TEXT, place.versions))
    return tuple(found)


def resolve(path: PurePosixPath, data: bytes, number: int) -> bytes | None:
    """The file with one version [from 1] of everything that is open, or `BOTH`; None = deleted.

    Raises:
        InvalidQueryError: there is no such version, or both cannot stand in one place.
        CorruptError: the keys of the file cannot be changed.
    """
    text = decode(data, str(path))
    is_crlf = "\r\n" in text
    text = _lf(text)
    for place in reversed(list(find_versions(text))):
        if place.is_whole_file:
            if number == BOTH:
                raise _one_only("the whole file")
            text = _chosen((_without(text, place), *place.versions), number)
        else:
            text = _spliced(text, place, number)
    if not text.endswith("\n") and data.endswith(b"\n"):
        text += "\n"
    return _with_keys(path, (text.replace("\n", "\r\n") if is_crlf else text).encode(), number)


def _with_keys(path: PurePosixPath, data: bytes, number: int) -> bytes | None:
    shape = read_shape(path, data)
    levels = (dict(shape.top), dict(shape.nested))
    for values in levels:
        for marker in conflicting_keys(values):
            name, other = _name(marker), values.pop(marker)
            if name == _DELETED:
                if number > 1:
                    return None
                continue
            holder = levels[1] if name in levels[1] else levels[0]
            value = _choice(name, holder.pop(name, ""), other, number)
            if value != "":
                holder[name] = value
    return with_keys(path, data, shape, levels)


def _choice(name: str, kept: Value, other: Value, number: int) -> Value:
    versions = _versions(kept, other)
    if number != BOTH:
        return _chosen(versions, number)
    lists = [each for each in versions if isinstance(each, tuple)]
    if len(lists) != len(versions):
        raise _one_only(name)
    return tuple(dict.fromkeys(item for each in lists for item in each))


def _versions(kept: Value, other: Value) -> tuple[Value, ...]:
    """All values of one key; several other texts stand in a list."""
    is_one = isinstance(kept, tuple) or isinstance(other, str)
    return (kept, other) if is_one else (kept, *other)


def _of_key(marker: str, values: Values, kept: Value) -> OpenConflict:
    name = _name(marker)
    if name == _DELETED:
        return OpenConflict(FILE, ("(as it is)", _GONE))
    return OpenConflict(name, tuple(map(_shown, _versions(kept, values[marker]))))


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _name(marker: str) -> str:
    return marker.removeprefix(KEY_PREFIX).removeprefix(SKILL_PREFIX)


def _chosen(versions: tuple[Chosen, ...], number: int) -> Chosen:
    if not 1 <= number <= len(versions):
        raise InvalidQueryError("take", f"there are versions 1 to {len(versions)}")
    return versions[number - 1]


def _one_only(name: str) -> InvalidQueryError:
    return InvalidQueryError(
        "both", f"{name} can have one value only", remedy="Take one of the versions."
    )


def _spliced(text: str, place: Callouts, number: int) -> str:
    """The text with the chosen version in the lines of the callouts."""
    if number == BOTH:
        chosen = "\n\n".join(version for version in place.versions if version)
    else:
        chosen = _chosen(place.versions, number)
    rows = text.split("\n")
    low, high = place.low, place.high
    if not chosen:
        while high < len(rows) - 1 and not rows[high].strip():
            high += 1
    return "\n".join([*rows[:low], *([chosen] if chosen else []), *rows[high:]])


def _without(text: str, place: Callouts) -> str:
    """The text above the callout at its end."""
    return "\n".join(text.split("\n")[: place.low]).rstrip("\n") + "\n"


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")
