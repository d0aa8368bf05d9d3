"""A markdown file merged: its keys one by one, its text by blocks. Pure.

The lines of both sides are brought together first, so that comments, order, quotes and blank lines
of either stay. Keys that do not say yet what the rules give are then changed one by one, as any
other write changes a file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.errors import CorruptError, MnemosError
from mnemos_files.format.contradiction import (
    DELETED_KEY,
    KEY_PREFIX,
    SKILL_PREFIX,
    show_versions,
    show_whole,
)
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import Split
from mnemos_files.format.merging.block import merge_blocks, with_rows_of
from mnemos_files.format.merging.lines import merge_lines, show_markers
from mnemos_files.format.merging.parts import BodyMerge
from mnemos_files.format.merging.rules import Clash, Sides, Values, merge_key
from mnemos_files.format.merging.shape import Shape, read_shape, with_keys
from mnemos_files.format.merging.text import Show, TextMerge, pick
from mnemos_files.format.merging.values import FILE, TEXT, Merged
from mnemos_files.format.paths import is_skill_path
from mnemos_files.format.record import parse
from mnemos_files.format.skill_fields import as_fields, as_keys
from mnemos_files.model.kind import KINDS

_NOTHING = Split("", "", "", "", "\n")
_STAND_IN = "text"
"""Put below the keys while they are changed: a text with an open conflict would be refused."""

_REPLACED = {"rumination": frozenset(("evidence",))}
"""Parts that a program writes anew as a whole: the newer ones count."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The three versions of one file; `first` is the newer side, `base` None where both are new."""

    path: PurePosixPath
    base: Shape | None
    first: Shape
    second: Shape
    is_first_ours: bool

    @property
    def is_record(self) -> bool:
        """True when the file is a record of ours on one of the sides."""
        return bool(self.first.id or self.second.id)


def merge_note(path: PurePosixPath, base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """One markdown file of two changed ones; `ours` and `theirs` differ."""
    try:
        versions = _read(path, base, ours, theirs)
        return _merged(versions)
    except MnemosError:
        return _as_a_whole(path, base, ours, theirs)


def keep_changed(path: PurePosixPath, data: bytes) -> Merged:
    """A file that one side deleted and the other changed: the change stays, and says so."""
    try:
        shape = read_shape(path, data)
        if not shape.id:
            return Merged(data, (FILE,))
        marks = {DELETED_KEY: "deleted on one side, changed on the other"}
        wanted: tuple[Values, Values] = ({**shape.top, **marks}, shape.nested)
        if is_skill_path(path):
            marks = {DELETED_KEY.replace(KEY_PREFIX, SKILL_PREFIX): marks[DELETED_KEY]}
            wanted = (shape.top, {**shape.nested, **marks})
        return Merged(with_keys(path, data, shape, wanted), (FILE,))
    except MnemosError:
        return Merged(data, (FILE,))


def _read(path: PurePosixPath, base: bytes | None, ours: bytes, theirs: bytes) -> Versions:
    sides = [(read_shape(path, each), each) for each in (ours, theirs)]
    (first, newer), (second, _) = sorted(
        sides, key=lambda side: (side[0].changed, side[1]), reverse=True
    )
    if base is None and first.id != second.id:
        raise CorruptError(str(path), 1, "two memories have one path", remedy="Move one.")
    old = None if base is None else read_shape(path, base)
    return Versions(path, old, first, second, is_first_ours=newer is ours)


def _merged(versions: Versions) -> Merged:
    keys = _keys(versions)
    kind = str(keys.top.get("type", versions.first.type))
    body, clashes = _body(versions, kind)
    has_markers = bool(clashes) and not versions.is_record
    data, shape = _frame(versions, keys.top, _STAND_IN if has_markers else body)
    data = with_keys(versions.path, data, shape, (keys.top, keys.nested))
    if has_markers:
        data = _with_body(versions, data, body)
    conflicts = (*keys.conflicts, *[TEXT] * clashes)
    return Merged(data, conflicts, is_settled=versions.is_record or not conflicts)


def _with_body(versions: Versions, data: bytes, body: str) -> bytes:
    """The file with this text in place of the stand-in."""
    text = body.replace("\n", _newline(versions)).encode("utf-8")
    return data.removesuffix(_STAND_IN.encode("ascii")) + text


def _newline(versions: Versions) -> str:
    first, second = versions.first.newline, versions.second.newline
    return pick(first if versions.base is None else versions.base.newline, first, second)


@dataclass(frozen=True, slots=True)
class _Keys:
    top: Mapping[str, Value]
    nested: Mapping[str, Value]
    conflicts: list[str]


def _keys(versions: Versions) -> _Keys:
    base, first, second = versions.base, versions.first, versions.second
    kind = first.type if first.id else second.type
    top, tops = _level(Sides({} if base is None else base.top, first.top, second.top), kind)
    if not is_skill_path(versions.path):
        top = _with_others(top, {f"{KEY_PREFIX}{key}": value for key, value in tops.items()})
        return _Keys(top, {}, [*tops])
    below = [as_fields(each.nested) for each in (first, second)]
    fields, others = _level(Sides({} if base is None else as_fields(base.nested), *below), kind)
    # Only keys of the Agent Skills specification may stand at the top.
    marked = {f"{SKILL_PREFIX}{key}": value for key, value in {**tops, **as_keys(others)}.items()}
    return _Keys(top, _with_others(as_keys(fields), marked), [*tops, *as_keys(others)])


def _level(sides: Sides, kind: str) -> tuple[dict[str, Value], dict[str, Value]]:
    """The keys of one level, and the other value of those that contradict themselves."""
    merged: dict[str, Value] = {}
    others: dict[str, Value] = {}
    for key in {**sides.base, **sides.first, **sides.second}:
        value = merge_key(key, sides, kind)
        if isinstance(value, Clash):
            others[key] = value.other
            value = value.kept
        if value is not None:
            merged[key] = value
    return merged, others


def _with_others(keys: Mapping[str, Value], others: Mapping[str, Value]) -> dict[str, Value]:
    return {**keys, **{key: _together(keys.get(key), other) for key, other in others.items()}}


def _together(present: Value | None, other: Value) -> Value:
    """Another version of a value beside one that waits for a choice already."""
    if present is None or present == other:
        return other
    pieces = [(each,) if isinstance(each, str) else each for each in (present, other)]
    return tuple(dict.fromkeys((*pieces[0], *pieces[1])))


def _body(versions: Versions, kind: str) -> tuple[str, int]:
    base = None if versions.base is None else versions.base.split.body
    bodies = (base, versions.first.split.body, versions.second.split.body)
    texts = TextMerge(show_versions if versions.is_record else _markers(versions))
    if not versions.is_record and not is_skill_path(versions.path):
        return texts.merge(*bodies), texts.clashes
    parts = BodyMerge(texts, KINDS.get(kind, KINDS["context"]), _REPLACED.get(kind, frozenset()))
    return parts.merge(*bodies), texts.clashes


def _markers(versions: Versions) -> Show:
    def show(first: str, second: str) -> str:
        sides = (first, second) if versions.is_first_ours else (second, first)
        return show_markers(*sides).removesuffix("\n")

    return show


def _frame(versions: Versions, top: Values, body: str) -> tuple[bytes, Shape]:
    """The file with lines of both sides and this body; its keys may not say yet what they should.

    Raises:
        CorruptError: it cannot be read.
    """
    first, second, newline = versions.first, versions.second, _newline(versions)
    old = _NOTHING if versions.base is None else versions.base.split
    head = pick(old.head, first.split.head, second.split.head)
    fence = pick(old.fence, first.split.fence, second.split.fence)
    if body and fence and not fence.endswith("\n"):
        fence += "\n"
    for block in _blocks(versions, top):
        text = f"{head}{block if fence else ''}{fence}{body}"
        data = text.replace("\n", newline).encode("utf-8")
        try:
            shape = read_shape(versions.path, data)
            if shape.split.body == body:
                return data, shape
        except CorruptError:
            continue
    raise _unmergeable(versions.path)


def _blocks(versions: Versions, top: Values) -> Iterator[str]:
    """Lines to begin with, the best first."""
    base = None if versions.base is None else versions.base.split.block
    first, second = versions.first.split.block, versions.second.split.block
    for block in (merge_blocks(base, first, second), first, second):
        if is_skill_path(versions.path):
            yield block
        else:
            yield with_rows_of(block, (first, second), top)


def _as_a_whole(path: PurePosixPath, base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """The file where keys cannot be told apart: merged by lines, else both versions in one file."""
    by_lines = merge_lines(base, ours, theirs)
    sides = [(parse(path, each), each) for each in (ours, theirs)]
    is_record = any(note.is_ours for note, _ in sides)
    if FILE in by_lines.conflicts or not is_record:
        return by_lines
    known = {problem.rule for note, _ in sides for problem in note.problems}
    merged = parse(path, by_lines.data or b"")
    if by_lines.is_clean and known.issuperset(problem.rule for problem in merged.problems):
        return by_lines
    (_, kept), (_, other) = sorted(sides, key=lambda side: (bool(side[0].problems), side[1]))
    below = show_whole(other.decode("utf-8").replace("\r\n", "\n"))
    end = "" if kept.endswith(b"\n") else "\n"
    newline = "\r\n" if b"\r\n" in kept else "\n"
    return Merged(kept + f"{end}\n{below}\n".replace("\n", newline).encode("utf-8"), (FILE,))


def _unmergeable(path: PurePosixPath) -> CorruptError:
    return CorruptError(str(path), 1, "the two versions cannot be merged", remedy="Merge by hand.")
