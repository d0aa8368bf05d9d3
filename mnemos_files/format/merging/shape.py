"""One version of a markdown file in the parts that are merged apart. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath

from mnemos_files.errors import CorruptError
from mnemos_files.format.block import Block
from mnemos_files.format.conflict import find_conflicts
from mnemos_files.format.fields import read_time
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import FrontMatter, Split, as_list, decode, edit, read
from mnemos_files.format.keys import LIST_KEYS
from mnemos_files.format.paths import SKILL, is_skill_path
from mnemos_files.format.reading import is_record
from mnemos_files.format.skill import read_skill
from mnemos_files.format.skill_fields import METADATA, field_values, is_list, split_words
from mnemos_files.format.skill_writing import edit_levels
from mnemos_files.format.spelling import Written
from mnemos_files.model.ulid import is_ulid

Values = Mapping[str, Value]
_CRLF = "\r\n"
_LF = "\n"
_NEVER = datetime.min.replace(tzinfo=UTC)
_NUMBERS = ("importance",)


@dataclass(frozen=True, slots=True)
class _Identity:
    id: str
    type: str
    changed: datetime


@dataclass(frozen=True, slots=True)
class Shape:
    """A file: its parts with LF line ends, and what its keys say.

    `nested` are the keys below `metadata:` of a skill. `newline` is how lines end in the file.
    """

    split: Split
    newline: str
    top: Values
    nested: Values
    identity: _Identity

    @property
    def id(self) -> str:
        """Id of a record of ours, "" for any other note."""
        return self.identity.id

    @property
    def type(self) -> str:
        """Type of a record of ours, `context` for any other note."""
        return self.identity.type

    @property
    def changed(self) -> datetime:
        """When it was changed last, as far as its keys tell."""
        return self.identity.changed


def read_shape(path: PurePosixPath, data: bytes) -> Shape:
    """The parts of one version of the file.

    Raises:
        CorruptError: its keys cannot be changed one by one: it is not UTF-8, its block does not
            parse or has a key twice, or a merge conflict is open in it.
    """
    name = str(path)
    text = decode(data, name)
    if find_conflicts(text):
        raise _unsound(path, "has an open merge conflict")
    if is_skill_path(path):
        return _skill_shape(path, text)
    front = read(text, name)
    _check(path, front, front.block)
    is_ours = is_record(name, front.values)
    kind = front.values.get("type", "context")
    identity = _Identity(
        id=str(front.values.get("id", name)) if is_ours else "",
        type=str(kind) if is_ours else "context",
        changed=_changed(front.values),
    )
    return Shape(_with_lf(front.split), front.split.newline, front.values, {}, identity)


def _skill_shape(path: PurePosixPath, text: str) -> Shape:
    skill = read_skill(text, str(path))
    nested = {key: _listed(key, value) for key, value in skill.nested.values.items()}
    if skill.front.values.get(METADATA) and not nested:
        raise _unsound(path, "has metadata that cannot be read")
    _check(path, skill.front, skill.nested)
    fields = field_values(nested)
    found = fields.get("id", "")
    record_id = found if isinstance(found, str) and is_ulid(found) else ""
    top = {key: value for key, value in skill.front.values.items() if key != METADATA}
    parts = skill.front.split
    identity = _Identity(record_id, SKILL, _changed(fields))
    return Shape(_with_lf(parts), parts.newline, top, nested, identity)


def _check(path: PurePosixPath, front: FrontMatter, nested: Block) -> None:
    if front.block.is_broken or front.block.doubled or front.problems or nested.doubled:
        raise _unsound(path, "has a front matter that cannot be read")


def _changed(values: Values) -> datetime:
    times = (read_time(values.get(key, "")) for key in ("updated", "created"))
    return next((time for time in times if time is not None), _NEVER)


def with_keys(
    path: PurePosixPath, data: bytes, shape: Shape, wanted: tuple[Values, Values]
) -> bytes:
    """The file with these keys of both levels and no others; other lines stay.

    `shape` is that of the file as it is.

    Raises:
        CorruptError: a key cannot be changed in place.
        InvalidRecordError: a value that no file can hold.
    """
    outer, inner = _changes(shape.top, wanted[0]), _changes(shape.nested, wanted[1])
    if not outer and not inner:
        return data
    if is_skill_path(path):
        return edit_levels(data, outer, inner, str(path))
    return edit(data, outer, str(path))


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
