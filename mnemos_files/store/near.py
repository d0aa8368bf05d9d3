"""Pairs of records that say nearly the same, judged by their texts as they lie on disk."""

from collections.abc import Callable
from datetime import datetime

from mnemos_files.errors import MnemosError
from mnemos_files.format.record import parse
from mnemos_files.index.near import Judge, NearPair
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Entry
from mnemos_files.model.record import Record
from mnemos_files.store.store import Store

__all__ = ["NearPair", "near_pairs"]

READ_MAX = 2_000
"""Records [1] with their texts that stay in memory while pairs are judged."""


def near_pairs(
    store: Store, now: datetime, name: str, judge: Callable[[Record, Record], str]
) -> list[NearPair]:
    """Near pairs of records of ours of which `judge` says something, the most alike first.

    It gets the older record and the newer one with their texts, once for each two texts; `name`
    must change whenever it would say something else.
    """
    read: dict[str, Record | None] = {}

    def record(entry: Entry) -> Record | None:
        if len(read) > READ_MAX:
            read.clear()
        path = str(entry.path)
        if path not in read:
            read[path] = _record(store, entry)
        return read[path]

    def judged(older: Entry, newer: Entry) -> str | None:
        one, other = record(older), record(newer)
        return None if one is None or other is None else judge(one, other)

    found = store.index.near(now, Judge(name, judged))
    return [pair for pair in found if pair.older.is_ours and pair.newer.is_ours]


def _record(store: Store, entry: Entry) -> Record | None:
    """The record as its file has it; None when the file is not the one that the index knows."""
    try:
        data, _ = store.place.vault.read(entry.path)
    except MnemosError:
        return None
    return parse(entry.path, data).record if blob_id(data) == entry.blob else None
