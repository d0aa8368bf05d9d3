"""Which commit changed which note: the whole history of a vault as one compact text.

A commit is two NUL, its id, a space and its time; then for each note a NUL, the blob ids before and
after (40 zeros = no note), a NUL and the path in the vault. The oldest commit comes first. A path
is found by one search for it between two NUL, which no other field can equal: it ends in `.md`.
"""

import os
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_COMMIT = b"\0\0"
_ID = 40
_BARE = 2 * _ID
"""A record that is not longer [bytes] is of a commit that changed nothing."""

NO_BLOB = b"0" * _ID
"""Stands for "no note here" where an id is wanted."""

Change = tuple[bytes, bytes, bytes]
"""Path of a note, and its blob ids [40 hex digits] before and after."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a commit did to a note: blob ids before and after, "" where there is no note.

    A merge has steps only for notes that differ from those of all its parents. `time` [s] is the
    committer's, but never before that of an earlier commit; `order` puts steps of one trail in
    order, a commit after its parents.
    """

    commit: str
    time: int
    path: str
    before: str
    after: str
    place: int = field(default=0, compare=False)

    @property
    def order(self) -> tuple[int, int]:
        """The greater, the newer."""
        return self.time, self.place


class Made(NamedTuple):
    """A commit as it comes from git: ids in hex, the committer's time [s], what it changed."""

    commit: bytes
    time: int
    parents: Sequence[bytes]
    changes: Sequence[Change]


@dataclass(frozen=True, slots=True)
class Trail:
    """All steps of the commits that `head` ("" = none) names or comes from."""

    head: str = ""
    body: bytes = _COMMIT

    def __iter__(self) -> Iterator[list[Step]]:
        """What each commit did that did anything, those that were read last first."""
        return self.only(None)

    def only(self, commits: Container[str] | None) -> Iterator[list[Step]]:
        """The same of some commits; None = of all."""
        place = len(self.body)
        for record in reversed(self._records()):
            place -= len(record) + len(_COMMIT)
            if len(record) > _BARE and (commits is None or record[:_ID].decode() in commits):
                yield _steps(record, place)

    def steps(self, path: str) -> list[Step]:
        """What commits did to a path, the newest first."""
        wanted = b"\0" + os.fsencode(path) + b"\0"
        found = []
        place = self.body.find(wanted)
        while place >= 0:
            found.append(self._step(place, path))
            place = self.body.find(wanted, place + 1)
        return sorted(found, key=lambda step: step.order, reverse=True)

    def knows(self, path: str) -> bool:
        """True when some commit did something to a path."""
        return b"\0" + os.fsencode(path) + b"\0" in self.body

    def beside(self, commit: str) -> list[Step]:
        """Everything that a commit did to notes; nothing for one that is not here."""
        place = self._place(commit)
        if place < 0:
            return []
        return _steps(self.body[place : self.body.find(_COMMIT, place)], place)

    def time(self, commit: str) -> int | None:
        """The ordering time [s] of a commit, None for one that is not here."""
        place = self._place(commit)
        return _time(self.body, place) if place >= 0 else None

    def paths(self) -> dict[str, Step]:
        """Every path that some commit knew, with the last step there."""
        found: dict[str, Step] = {}
        for steps in self:
            for step in steps:
                if step.path not in found or found[step.path].order < step.order:
                    found[step.path] = step
        return found

    def paths_ending(self, ending: str) -> list[str]:
        """The paths that some commit knew and that end so; the end must have `.md`."""
        wanted = os.fsencode(ending) + b"\0"
        found: dict[bytes, None] = {}
        place = self.body.find(wanted)
        while place >= 0:
            end = place + len(wanted) - 1
            found[self.body[self.body.rfind(b"\0", 0, end) + 1 : end]] = None
            place = self.body.find(wanted, end)
        return [os.fsdecode(path) for path in found]

    def without(self, commits: Container[str]) -> "Trail":
        """The trail without the steps of some commits, and with no head."""
        kept = [one for one in self._records() if one[:_ID].decode("ascii") not in commits]
        return Trail("", _joined(kept))

    def extended(self, head: str, commits: Sequence[Made]) -> "Trail":
        """The trail with more commits, the oldest first."""
        own = {made.commit for made in commits}
        outside = {parent for made in commits for parent in made.parents} - own
        times = {parent: self.time(parent.decode("ascii")) or 0 for parent in outside}
        texts = [self.body]
        for commit, time, parents, changes in commits:
            times[commit] = order = max([time, *[times[parent] for parent in parents]])
            texts.append(b"%b %d" % (commit, order))
            texts += [b"\0%b%b\0%b" % (before, after, path) for path, before, after in changes]
            texts.append(_COMMIT)
        return Trail(head, b"".join(texts))

    def _records(self) -> list[bytes]:
        return [record for record in self.body.split(_COMMIT) if record]

    def _place(self, commit: str) -> int:
        place = self.body.find(_COMMIT + commit.encode("ascii") + b" ") if commit else -1
        return place + len(_COMMIT) if place >= 0 else -1

    def _step(self, place: int, path: str) -> Step:
        start = self.body.rfind(_COMMIT, 0, place) + len(_COMMIT)
        commit = self.body[start : start + _ID].decode("ascii")
        blobs = self.body[place - 2 * _ID : place]
        return Step(commit, _time(self.body, start), path, *_blobs(blobs), start)


def _steps(record: bytes, place: int) -> list[Step]:
    first, *fields = record.split(b"\0")
    commit, time = first[:_ID].decode("ascii"), int(first[_ID + 1 :])
    pairs = zip(fields[::2], fields[1::2], strict=True)
    return [Step(commit, time, os.fsdecode(path), *_blobs(blobs), place) for blobs, path in pairs]


def _blobs(ids: bytes) -> tuple[str, str]:
    before, after = ids[:_ID], ids[_ID:]
    return (
        "" if before == NO_BLOB else before.decode("ascii"),
        "" if after == NO_BLOB else after.decode("ascii"),
    )


def _time(body: bytes, start: int) -> int:
    return int(body[start + _ID + 1 : body.index(b"\0", start)])


def _joined(records: list[bytes]) -> bytes:
    return _COMMIT + b"".join(record + _COMMIT for record in records)
