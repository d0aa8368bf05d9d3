"""One version of a markdown file in the parts that are merged apart. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath

from mnemos_files.errors import CorruptError
from mnemos_files.format.conflict import find_conflicts
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import Split, as_list, decode, edit, read
from mnemos_files.format.keys import LIST_KEYS
from mnemos_files.format.paths import is_skill_path
from mnemos_files.format.record import parse
from mnemos_files.format.skill import read_skill
from mnemos_files.format.skill_fields import METADATA, is_list, split_words
from mnemos_files.format.skill_writing import edit_levels
from mnemos_files.format.spelling import Written

Values = Mapping[str, Value]
_CRLF = "\r\n"
_LF = "\n"
_NEVER = datetime.min.replace(tzinfo=UTC)
_NUMBERS = ("importance",)


@dataclass(frozen=True, slots=True)
class Shape:
    """A file: its parts with LF line ends, and what its keys say.

    `nested` are the keys below `metadata:` of a skill. `newline` is how lines end in the file,
    `id` that of a record of ours ("" for any other note), `changed` when it was changed last.
    """

    split: Split
    newline: str
    top: Values
    nested: Values
    id: str
    type: str
    changed: datetime


def read_shape(path: PurePosixPath, data: bytes) -> Shape:
    """The parts of one version of the file.

    Raises:
        CorruptError: its keys cannot be changed one by one: it is not UTF-8, its block does not
            parse or has a key twice, or a merge conflict is open in it.
    """
    text = decode(data, str(path))
    if find_conflicts(text):
        raise _unsound(path, "has an open merge conflict")
    skill = read_skill(text, str(path)) if is_skill_path(path) else None
    front = read(text, str(path)) if skill is None else skill.front
    nested = {} if skill is None else skill.nested.values
    if front.block.is_broken or front.block.doubled or front.problems:
        raise _unsound(path, "has a front matter that cannot be read")
    if skill is not None and (skill.nested.doubled or (front.values.get(METADATA) and not nested)):
        raise _unsound(path, "has metadata that cannot be read")
    note = parse(path, data)
    record = note.record
    return Shape(
        split=_with_lf(front.split),
        newline=front.split.newline,
        top={key: value for key, value in front.values.items() if skill is None or key != METADATA},
        nested={key: _listed(key, value) for key, value in nested.items()},
        id=record.id if note.is_ours else "",
        type=record.type,
        changed=record.updated or record.created or _NEVER,
    )


def with_keys(path: PurePosixPath, data: bytes, top: Values, nested: Values) -> bytes:
    """The file with these keys and no others; lines of keys that say so already stay.

    Raises:
        CorruptError: a key cannot be changed in place.
        InvalidRecordError: a value that no file can hold.
    """
    shape = read_shape(path, data)
    outer, inner = _changes(shape.top, top), _changes(shape.nested, nested)
    if is_skill_path(path):
        return edit_levels(data, outer, inner, str(path))
    return edit(data, outer, str(path))


def same_values(one: Values, other: Values) -> bool:
    """True when the keys say the same, however they are written."""
    return one.keys() == other.keys() and not _changes(one, other)


def _changes(present: Values, wanted: Values) -> dict[str, Written | None]:
    found: dict[str, Written | None] = {}
    for key in {**present, **wanted}:
        was, now = present.get(key), wanted.get(key)
        if was != now and not (was is not None and now is not None and _means(key, was, now)):
            is_number = key in _NUMBERS and isinstance(now, str) and now.isdecimal()
            found[key] = int(str(now)) if is_number else now
    return found


def _means(key: str, one: Value, other: Value) -> bool:
    return key in LIST_KEYS and as_list(key, one) == as_list(key, other)


def _listed(key: str, value: Value) -> Value:
    return split_words(value) if is_list(key) and isinstance(value, str) else value


def _with_lf(parts: Split) -> Split:
    if parts.newline != _CRLF:
        return parts
    head, block, fence, body = (
        text.replace(_CRLF, _LF) for text in (parts.head, parts.block, parts.fence, parts.body)
    )
    return Split(head, block, fence, body, _LF)


def _unsound(path: PurePosixPath, message: str) -> CorruptError:
    return CorruptError(str(path), 1, f"the file {message}", remedy="Mend it first.")
