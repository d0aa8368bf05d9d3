"""Memories of the vault that say nearly what a changed one says, or give another value."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.format.record import parse
from mnemos_files.model.likeness import likeness
from mnemos_files.model.note import Entry
from mnemos_files.model.record import LINK_TYPES, Record
from mnemos_files.review.pairs import Pair
from mnemos_files.review.scene import Scene
from mnemos_files.review.shown import LINE_MAX, one_line
from mnemos_files.review.values import Alike, Conflict


def similar(scene: Scene) -> Mapping[str, tuple[Alike, ...]]:
    """For each changed memory that holds, those that say nearly the same, by path.

    One that it replaces, or that replaces it, does not count.
    """
    wanted = {pair.path: pair for pair in scene.pairs if _is_compared(scene, pair)}
    if not wanted:
        return {}
    found = scene.change.similar(wanted.keys(), scene.now)

    @lru_cache(maxsize=1_000)
    def read(path: str) -> Record | None:
        try:
            return parse(PurePosixPath(path), scene.change.read(path)).record
        except MnemosError:
            return None

    def alike(pair: Pair) -> Iterator[Alike]:
        for one in found.get(pair.path, ()):
            if one.entry.is_ours and not _replaces(scene, pair, one.entry):
                conflict = _conflict(pair.side.record, read(str(one.entry.path)))
                yield _alike(one.entry, one.share, conflict)

    return {path: tuple(alike(pair)) for path, pair in wanted.items()}


def _is_compared(scene: Scene, pair: Pair) -> bool:
    if pair.after is None or not pair.after.note.is_ours:
        return False
    before, after = pair.before, pair.after
    says_same = before is not None and (
        (before.record.title, before.note.body) == (after.record.title, after.note.body)
    )
    return after.record.is_live(scene.now) and not says_same


def _replaces(scene: Scene, pair: Pair, other: Entry) -> bool:
    """True when one of both says that it supersedes, or contradicts, the other."""
    mine, theirs = pair.side.record, other.record
    ends = {"supersedes", "contradicts"} & set(LINK_TYPES)
    here = [link for kind in ends for link in mine.links(kind)]
    there = [link for kind in ends for link in theirs.links(kind)]
    return any(str(other.path) in scene.change.resolve(link) for link in here) or any(
        pair.path in scene.change.resolve(link) for link in there
    )


def _conflict(mine: Record, theirs: Record | None) -> Conflict | None:
    if theirs is None:
        return None
    found = likeness(theirs, mine).difference
    if found is None:
        return None
    return Conflict(found.kind, one_line(found.older), one_line(found.newer))


def _alike(entry: Entry, share: float, conflict: Conflict | None) -> Alike:
    record = entry.record
    return Alike(
        id=record.id,
        path=str(entry.path),
        title=one_line(record.title, LINE_MAX),
        trust_tier=record.trust_tier,
        share=round(share, 2),
        conflict=conflict,
    )
