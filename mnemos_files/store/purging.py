"""Forgetting for real: a memory or a text is taken out of every commit of the history."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mnemos_files.errors import InvalidQueryError, NotFoundError, RefusedError, UnavailableError
from mnemos_files.format.paths import check_relative, id_tail
from mnemos_files.format.record import parse
from mnemos_files.history.holding import check_gone
from mnemos_files.history.repo import History
from mnemos_files.history.rewriting import Outcome, Removal, Rewriting
from mnemos_files.model.record import Record
from mnemos_files.store.store import Store

MARK = "purged"
"""Name of links to what was purged, with the tail of its id."""

REMOVED = "removed"
"""What stands in place of a purged text."""

PATTERN_MIN = 4
"""Shortest text [characters] that can be purged: shorter ones stand inside of many words."""

LOCK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person wants purged: memories by id or path, or texts; `is_regex` for the texts."""

    names: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    is_regex: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What a purge comes to.

    `files` are the paths that the memories have had, `versions` their texts [blob ids].
    `commits` counts [commits with a new id, commits that go]. `files_changed` are files of today
    whose text changes, `refs` the branches and tags that move. `loose` are files that git does not
    have and that hold a text, `left` what holds it in the history even after the purge.
    """

    files: tuple[str, ...]
    versions: frozenset[str]
    patterns: tuple[re.Pattern[bytes], ...]
    outcome: Outcome
    loose: tuple[str, ...] = ()

    @property
    def left(self) -> tuple[str, ...]:
        """Files and commits that hold a text even so: binary files, names of authors."""
        return self.outcome.left

    @property
    def commits(self) -> tuple[int, int]:
        """Commits that change or go, and those that go."""
        return self.outcome.commits

    @property
    def refs(self) -> tuple[str, ...]:
        """Branches and tags that move."""
        return tuple(one.name for one in self.outcome.moved if one.new)

    @property
    def remote_refs(self) -> tuple[str, ...]:
        """What was known of remotes, which still hold the text; forgotten here."""
        return tuple(one.name for one in self.outcome.moved if one.name.startswith("refs/remotes/"))

    @property
    def files_changed(self) -> tuple[str, ...]:
        """Files of today whose text or name changes, as they are called then."""
        return tuple(one.path for one in self.outcome.touched if one.new)

    @property
    def files_deleted(self) -> tuple[str, ...]:
        """Files of today that go."""
        return tuple(one.path for one in self.outcome.touched if not one.new)


@dataclass(frozen=True, slots=True)
class Purging:
    """One purge, rehearsed; hold it open while a person decides."""

    store: Store
    plan: Plan
    rewriting: Rewriting

    def carry_out(self) -> None:
        """Take it over: history, files, index; afterwards no object holds it.

        Raises:
            RefusedError: something moved since the rehearsal; nothing was changed.
            UnavailableError: a step failed, or an object still holds the text.
        """
        with self.store.place.lock.hold(LOCK_SECONDS):
            self.rewriting.adopt(self.plan.outcome)
        self.store.rebuild()
        left = self.rewriting.holders(self.plan.versions) if self.plan.versions else []
        for pattern in self.plan.patterns:
            left += self.rewriting.holders(pattern)
        check_gone(left)


@contextmanager
def purging(store: Store, wanted: Wanted) -> Iterator[Purging]:
    """A rehearsed purge; nothing has changed yet, but that a journal with the text is committed.

    Raises:
        NotFoundError: no commit holds what is wanted.
        InvalidQueryError: a text is too short, or no regular expression.
        RefusedError, UnavailableError: the history cannot be rewritten now.
    """
    history = _history(store)
    _check_state(store, history)
    store.refresh()
    with tempfile.TemporaryDirectory(prefix="mnemos-purge-") as name:
        rewriting = history.rewriting(Path(name))
        patterns = tuple(_pattern(text, is_regex=wanted.is_regex) for text in wanted.texts)
        _commit_events(store, patterns)
        found = [_memory(store, history, rewriting, one) for one in wanted.names]
        removal = Removal(
            paths=tuple(path for one in found for path in one.paths),
            rules=(*_text_rules(wanted), *(rule for one in found for rule in one.rules)),
            names=tuple(pattern.pattern.decode() for pattern in patterns),
            titles=tuple(pair for one in found for pair in one.titles),
        )
        if patterns and not any(rewriting.holders(pattern) for pattern in patterns):
            raise NotFoundError(wanted.texts[0], remedy="No object of the history holds it.")
        plan = Plan(
            files=removal.paths,
            versions=frozenset(blob for one in found for blob in one.blobs),
            patterns=patterns,
            outcome=rewriting.rehearse(removal),
            loose=tuple(rewriting.loose(patterns)),
        )
        yield Purging(store, plan, rewriting)


def finish(store: Store) -> bool:
    """Do what a purge that was cut short still owes; False when there is none.

    Raises:
        UnavailableError: a step failed.
    """
    history = _history(store)
    with tempfile.TemporaryDirectory(prefix="mnemos-purge-") as name:
        with store.place.lock.hold(LOCK_SECONDS):
            is_done = history.rewriting(Path(name)).finish()
        if is_done:
            store.rebuild()
        return is_done


@dataclass(frozen=True, slots=True)
class _Memory:
    """All that the history holds of one memory."""

    paths: tuple[str, ...]
    blobs: frozenset[str]
    titles: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]


def _history(store: Store) -> History:
    history = store.history
    if history is None:
        raise UnavailableError(
            "this vault has no git history", remedy="Delete the file: nothing else holds it."
        )
    return history


def _check_state(store: Store, history: History) -> None:
    """Commit what is owed.

    Raises:
        RefusedError: no commit can be made now.
    """
    if why := history.blocked():
        raise RefusedError("git-state", why)
    if store.place.has_debts():
        store.recover()


def _commit_events(store: Store, patterns: Sequence[re.Pattern[bytes]]) -> None:
    """Commit the journal where lines hold a text, or the end of a session would commit it later."""
    lines = store.journal.batch().values()
    if any(pattern.search(data) for data in lines for pattern in patterns):
        store.commit_journal()


def _memory(store: Store, history: History, rewriting: Rewriting, name: str) -> _Memory:
    """What the history holds of a memory, by id or path; of a path alone where nothing has an id.

    Raises:
        NotFoundError: nothing.
    """
    known = store.index.entry(name)
    record_id = (known.record.id if known is not None and known.is_ours else "") or name
    texts = dict(rewriting.blobs_with(record_id.encode()))
    places = rewriting.paths_of(texts)
    records = [
        (blob, path, record)
        for blob, paths in places.items()
        for path in paths
        if (record := _record(history, path, texts[blob])).id == record_id
    ]
    if records:
        paths = sorted({path for _, path, _ in records})
        titles = sorted({(record_id, record.title) for _, _, record in records if record.title})
        blobs = frozenset(blob for blob, _, _ in records)
        return _Memory(tuple(paths), blobs, tuple(titles), _link_rules(paths, record_id))
    path = history.in_repository(check_relative(name))
    blobs = rewriting.blobs_at(path)
    if not blobs:
        raise NotFoundError(name, remedy="Give an id, or a path that the history has had.")
    return _Memory((path,), blobs, (), _link_rules([path]))


def _record(history: History, path: str, data: bytes) -> Record:
    return parse(PurePosixPath(history.in_vault(path) or path), data).record


def _link_rules(paths: Sequence[str], record_id: str = "") -> tuple[str, ...]:
    """What takes the memory's name out of links: they name `purged-<tail>` from then on."""
    tail = id_tail(record_id) if record_id else ""
    mark = f"{MARK}-{tail}" if tail else MARK
    rules = []
    for path in paths:
        plain = path.removesuffix(".md")
        stem = plain.rpartition("/")[2]
        if tail and stem.endswith(f"-{tail}"):  # no other text has this name: it goes everywhere
            rules.append(f"regex:{_escaped(stem)}==>{mark}")
            names = re.escape(mark)
        else:
            names = "|".join(_escaped(name) for name in (plain, stem) if name != "SKILL")
        inner = rf"(?:[^\[\]\n]*/)?(?:{names})(?:\.md)?(?:[#|][^\[\]\n]*)?"
        rules.append(rf"regex:\[\[{inner}\]\]==>[[{mark}]]")
    return tuple(dict.fromkeys(rules))


def _escaped(name: str) -> str:
    """A regular expression for a name, as a line of rules can hold it."""
    return re.escape(name).replace("==>", "=[=]>").replace("\\\n", r"\n").replace("\\\r", r"\r")


def _text_rules(wanted: Wanted) -> tuple[str, ...]:
    kind = "regex" if wanted.is_regex else "literal"
    return tuple(f"{kind}:{text}==>{REMOVED}" for text in wanted.texts)


def _pattern(text: str, *, is_regex: bool) -> re.Pattern[bytes]:
    """The text as it is looked for.

    Raises:
        InvalidQueryError: it cannot be purged.
    """
    problem = ""
    if len(text.strip()) < PATTERN_MIN:
        problem = f"is shorter than {PATTERN_MIN} characters"
    elif "\n" in text or "\r" in text or "==>" in text:
        problem = "has a line end or ==> in it"
    if problem:
        raise InvalidQueryError("pattern", problem, remedy="Give a part of it that has none.")
    try:
        return re.compile((text if is_regex else re.escape(text)).encode())
    except re.error as error:
        raise InvalidQueryError("pattern", f"is no regular expression: {error}") from error
