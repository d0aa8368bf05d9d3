"""Rules on files that are no memories: journals, settings, links, and what programs run."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from mnemos_files.config import CONFIG_PATH, parse_settings
from mnemos_files.errors import CorruptError
from mnemos_files.review.scene import Hit, Scene
from mnemos_files.review.shown import one_line
from mnemos_files.store.changeset import Touched

JOURNALS = ".mnemos/journal/*.jsonl"
RUNNABLE = (
    ".obsidian/plugins/*",
    ".github/*",
    ".gitlab-ci.yml",
    ".gitattributes",
    ".gitmodules",
    ".githooks/*",
    ".pre-commit-config.yaml",
    ".mcp.json",
    ".claude/*",
    "skills/*/scripts/*",
)
"""Files that programs of others run, or that say what they run."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A setting that protects: its table and key, what counts without it, and what weakens it."""

    table: str
    key: str
    default: object
    is_weaker: Callable[[object, object], bool]


def _left(value: object) -> Callable[[object, object], bool]:
    """It was this and is something else."""
    return lambda old, new: old == value != new


def _grew(old: object, new: object) -> bool:
    """It has items that it had not."""
    return isinstance(new, list) and any(
        item not in (old if isinstance(old, list) else []) for item in new
    )


def _differs(old: object, new: object) -> bool:
    return old != new


GUARDED: tuple[Guarded, ...] = (
    Guarded("safety", "secrets", "refuse", _left("refuse")),
    Guarded("safety", "allow", [], _grew),
    Guarded("vault", "ignore", [], _grew),
    Guarded("vault", "id", "", _differs),
    Guarded("git", "adopt_edits", "on_write", _left("never")),
    Guarded("journal", "commit", "session", _left("session")),
    Guarded("review", "mode", "direct", _left("branch")),
    Guarded("rumination", "enabled", default=True, is_weaker=_left(value=True)),
)
"""What must not become weaker without anybody noticing."""


def journal_rewritten(_scene: Scene, file: Touched) -> Iterator[Hit]:
    """Lines of a journal that are gone or other ones; lines are only ever added."""
    if file.before is None or not fnmatchcase(file.path, JOURNALS):
        return
    if file.after is None:
        yield Hit(0, "a journal was deleted: the counts of reads and uses go with it")
        return
    lost = _lines(file.before) - _lines(file.after)
    if lost:
        yield Hit(0, f"{len(lost)} lines of a journal are gone or were changed")


def settings_invalid(_scene: Scene, file: Touched) -> Iterator[Hit]:
    """Settings that cannot be understood."""
    if file.path == CONFIG_PATH and file.after is not None:
        try:
            parse_settings(file.after.decode("utf-8"))
        except CorruptError as error:
            yield Hit(error.line, error.problem)
        except UnicodeDecodeError as error:
            yield Hit(1, f"byte {error.start} is not UTF-8")


def settings_weakened(_scene: Scene, file: Touched) -> Iterator[Hit]:
    """Settings that protect less than before."""
    if file.path != CONFIG_PATH or file.before is None:
        return
    old, new = _tables(file.before), _tables(file.after or b"")
    for guarded in GUARDED:
        was, now = _value(old, guarded), _value(new, guarded)
        if guarded.is_weaker(was, now):
            name = f"[{guarded.table}] {guarded.key}"
            yield Hit(_line(file.after, guarded.key), one_line(f"{name} was {was}, is {now}"))


def symbolic_link(_scene: Scene, file: Touched) -> Iterator[Hit]:
    """A link in the place of a file: it may lead out of the vault."""
    if file.is_link:
        yield Hit(0, "is a symbolic link; notes are read from files only")


def runnable(_scene: Scene, file: Touched) -> Iterator[Hit]:
    """A file that another program runs."""
    if any(fnmatchcase(file.path, pattern) for pattern in RUNNABLE):
        what = "deleted" if file.after is None else "new" if file.before is None else "changed"
        yield Hit(0, f"{what}: programs run this file, or what it names")


def _lines(data: bytes) -> frozenset[bytes]:
    return frozenset(line for line in data.split(b"\n") if line.strip())


def _tables(data: bytes) -> Mapping[str, object]:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}


def _value(tables: Mapping[str, object], guarded: Guarded) -> object:
    table = tables.get(guarded.table)
    return table.get(guarded.key, guarded.default) if isinstance(table, dict) else guarded.default


def _line(data: bytes | None, key: str) -> int:
    lines = (data or b"").decode("utf-8", "replace").split("\n")
    found = [n for n, line in enumerate(lines, 1) if line.partition("=")[0].strip() == key]
    return found[0] if found else 0
