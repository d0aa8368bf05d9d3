"""The candidates that a vault holds, from its files."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.model.candidate import TYPE, Candidate, from_record
from mnemos_files.model.query import Query
from mnemos_files.store.store import Store

EVERYTHING = 1_000_000_000
"""More candidates than a vault has."""


@dataclass(frozen=True, slots=True)
class Filed:
    """A candidate without the texts of its file, and where that lies."""

    candidate: Candidate
    path: PurePosixPath


def filed(store: Store) -> list[Filed]:
    """Every candidate of the index as it is now, by id; of several copies the first by path."""
    query = Query(text="", now=store.now(), type=TYPE, include_raw=True, include_stale=True)
    entries = store.index.select(query, order="created", limit=EVERYTHING)
    ours = sorted((one for one in entries if one.is_ours), key=lambda one: str(one.path))
    found: dict[str, Filed] = {}
    for entry in ours:
        found.setdefault(entry.record.id, Filed(from_record(entry.record), entry.path))
    return [found[name] for name in sorted(found)]
