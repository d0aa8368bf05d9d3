"""The text of a target as it was when it was doubted."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.format.record import parse
from mnemos_files.model.candidate import Candidate
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.store.store import Store

REVISIONS_MAX = 100
"""Commits of one file that are looked through."""


def old_text(store: Store, candidate: Candidate, target: Note | None, resolver: Note) -> str:
    """All that the old version says, title and reason of the doubt with it.

    A target that answers its own candidate was changed in its file, so the history is asked.
    """
    said = [candidate.name, candidate.reason]
    if target is not None and target.path == resolver.path:
        before = _before(store, candidate, target)
        said.append(_texts(before) if before else "")
    elif target is not None:
        said.append(_texts(target.record))
    return "\n".join(said)


def _before(store: Store, candidate: Candidate, target: Note) -> Record | None:
    """The newest committed version that is not later than the doubt and says something else.

    Without one the newest that says something else, without that the present one; None when no
    version is known.
    """
    now = _texts(target.record)
    older: Record | None = None
    for when, record in _versions(store, target.path):
        if _texts(record) == now:
            continue
        older = record
        if candidate.since is None or when <= candidate.since:
            break
    if older is not None:
        return older
    return target.record if store.history is not None else None


def _versions(store: Store, path: PurePosixPath) -> Iterator[tuple[datetime, Record]]:
    """Committed versions of a file with the times of their commits, newest first."""
    history = store.history
    if history is None:
        return
    try:
        for revision in history.log(REVISIONS_MAX, path):
            blob = history.tree(revision.commit).get(str(path))
            if blob:
                yield revision.when, parse(path, history.read_blob(blob)).record
    except MnemosError:  # a damaged or shallow history tells less
        return


def _texts(record: Record) -> str:
    return "\n".join([record.title, record.content, *(text for _, text in record.sections)])
