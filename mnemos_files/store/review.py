"""What came into a vault since a commit, and what a person should look at in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError, UnavailableError
from mnemos_files.history.repo import History
from mnemos_files.history.values import Revision
from mnemos_files.model.problem import Problem
from mnemos_files.safety.hidden import hidden_places
from mnemos_files.safety.mask import mask
from mnemos_files.safety.sanitise import sanitise
from mnemos_files.store.check import all_problems
from mnemos_files.store.store import Store

SHOWN_MAX = 160
"""Characters [1] of a hidden text that are shown."""
HIDDEN_MAX = 5
"""Hidden texts [1] of one note that are shown."""

_MARKS = (
    ("<!--", ""),
    ("-->", ""),
    ("%%", ""),
    ("]:", "] :"),
    ("<", "\u2039"),
    (">", "\u203a"),
)


@dataclass(frozen=True, slots=True)
class FromOutside:
    """A note that a commit brought or changed which none of our tools made.

    `hidden` are its texts that a rendered page does not show, harmless to read: one line each,
    without invisible characters, secrets masked. `when` is UTC.
    """

    path: str
    commit: str
    author: str
    when: datetime
    hidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """Problems of the notes that are new or changed, and those of them that came from outside."""

    problems: tuple[Problem, ...]
    from_outside: tuple[FromOutside, ...]


def review(store: Store, revision: str) -> Review:
    """What to look at in the notes that differ from a commit: a branch, a tag, an id, HEAD~1.

    Raises:
        InvalidQueryError: the revision names no commit.
        UnavailableError: there is no history.
    """
    history = store.history
    if history is None:
        raise UnavailableError("the vault has no history", remedy="Leave --since out.")
    base = history.resolve(revision)
    store.finish()
    changed = frozenset(_changed(store, history, base))
    vault = store.place.vault
    problems = all_problems(store.index, vault, store.settings, only=changed)
    outside = _from_outside(store, history.since(base), changed)
    return Review(tuple(problems), tuple(outside))


def _changed(store: Store, history: History, base: str) -> Iterator[str]:
    """Notes on disk whose text is not that of the commit."""
    before = history.tree(base)
    for path, entry in store.index.entries.items():
        blob = before.get(path, "")
        if entry.blob != blob and not (blob and _is_same(store, history, path, blob)):
            yield path


def _is_same(store: Store, history: History, path: str, blob: str) -> bool:
    """True when only the line ends differ that git converts."""
    place = PurePosixPath(path)
    try:
        return history.blob_id(place, store.place.vault.read(place)[0]) == blob
    except MnemosError:
        return False


def _from_outside(
    store: Store, revisions: list[Revision], changed: frozenset[str]
) -> Iterator[FromOutside]:
    last: dict[str, Revision] = {}
    for revision in revisions:
        if "Mnemos-Op" not in dict(revision.trailers):
            for path in revision.paths:
                last.setdefault(path, revision)
    for path in sorted(changed & last.keys()):
        revision = last[path]
        author = _harmless(f"{revision.author_name} <{revision.author_email}>")
        hidden = _hidden(store, path)
        yield FromOutside(path, revision.commit, author, revision.when, hidden)


def _hidden(store: Store, path: str) -> tuple[str, ...]:
    try:
        text = store.place.vault.read(PurePosixPath(path))[0].decode("utf-8", "replace")
    except MnemosError:
        return ()
    places = list(hidden_places(text))
    shown = [_harmless(_in_the_open(text[start:end])) for start, end in places[:HIDDEN_MAX]]
    more = len(places) - len(shown)
    return (*shown, *((f"and {more} more",) if more else ()))


def _in_the_open(text: str) -> str:
    """A hidden text without the marks that hide it, so that it is shown and not taken out."""
    for mark, plain in _MARKS:
        text = text.replace(mark, plain)
    return text


def _harmless(text: str) -> str:
    """One line that neither ends a frame nor moves a terminal."""
    line = " ".join(mask(sanitise(text)).split())
    return line if len(line) <= SHOWN_MAX else f"{line[: SHOWN_MAX - 1]}…"
