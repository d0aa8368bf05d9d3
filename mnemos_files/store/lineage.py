"""One note through its commits: which steps are its own, under which paths."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.format.record import parse
from mnemos_files.history.past import Past
from mnemos_files.history.trail import Step, Trail
from mnemos_files.model.ulid import is_ulid

ID_TAIL = 6
"""Letters of its id at the end of the name of a memory's file."""

LIKE_ENOUGH = 0.5
"""Share of equal lines [bytes of the larger text] that makes a rename, as in git."""

LOOKED_AT_MAX = 200
"""Files that vanished in one commit which are compared with one that came."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a commit made of a note: `id` is the blob, "" where it deleted the note.

    `before` is the blob that it had before, "" where it was new; `former` the path that it had
    before where the commit renamed it, else None.
    """

    id: str
    path: PurePosixPath
    commit: str
    before: str
    former: PurePosixPath | None
    order: tuple[int, int]


def own_id(path: str, data: bytes) -> str:
    """The id in the front matter of a note, "" when it has none."""
    found = parse(PurePosixPath(path), data).record.id
    return "" if found == path else found


@dataclass(frozen=True, slots=True)
class Lineage:
    """Follows notes back; `read` gives the bytes of a blob."""

    past: Past
    trail: Trail
    read: Callable[[str], bytes]

    def of(self, path: str, record_id: str) -> list[Version]:
        """The versions of the note that is or was last at this path, newest first."""
        found: dict[tuple[str, str], Step] = {}
        former: dict[tuple[str, str], Step] = {}
        waiting, seen = [(path, "")], {path}
        while waiting:
            here, renamed_in = waiting.pop()
            for step in self._own(here, renamed_in, record_id):
                key = (step.commit, step.path)
                if key not in found and not step.before and (source := self.source(step)):
                    former[key] = source
                    waiting.append((source.path, step.commit))
                    seen.add(source.path)
                found[key] = step
            if not waiting:
                waiting = [(each, "") for each in self._elsewhere(record_id, seen)]
                seen |= {each for each, _ in waiting}
        return list(_versions(list(found.values()), former))

    def end(self, path: str) -> str:
        """The last path of the note that was at this one: commits may have moved it on."""
        seen = {path}
        while (steps := self.trail.steps(path)) and not steps[0].after:
            moved = self._target(steps[0])
            if not moved or moved in seen:
                break
            path = moved
            seen.add(path)
        return path

    def _target(self, step: Step) -> str:
        """Where a commit moved the file that it took away here, "" when it is just gone."""
        new = [one for one in self.trail.beside(step.commit) if not one.before]
        new.sort(key=lambda one: _distance(one.path, step.path))
        return next((one.path for one in new if self.source(one) == step), "")

    def _own(self, path: str, renamed_in: str, record_id: str) -> list[Step]:
        """Steps at a path that belong to the note, newest first.

        After it was renamed away in a commit, another note may have taken the path.
        """
        steps = self.trail.steps(path)
        if renamed_in:
            limit = self.trail.time(renamed_in) or 0
            steps = [
                step
                for step in steps
                if step.time < limit
                or step.commit == renamed_in
                or not self.past.comes_from(step.commit, renamed_in)
            ]
        newest, *older = _lives(steps) or [[]]
        return newest + [step for life in older if self._is_of(life, record_id) for step in life]

    def _is_of(self, life: list[Step], record_id: str) -> bool:
        """True when an earlier file at a path was the same note: by its id, if it had one."""
        ids = {self._id(step.path, step.after) for step in life if step.after}
        if record_id:
            return record_id in ids
        return ids <= {""} and not any(self._target(step) for step in life if not step.after)

    def source(self, step: Step) -> Step | None:
        """The end of the file that a commit moved here, None when this one was new."""
        gone = [one for one in self.trail.beside(step.commit) if one.before and not one.after]
        gone.sort(key=lambda one: _distance(one.path, step.path))
        same = next((one for one in gone if one.before == step.after), None)
        return same or (self._likest(gone[:LOOKED_AT_MAX], step) if gone else None)

    def _likest(self, gone: list[Step], step: Step) -> Step | None:
        """The file that has the id of the new one, else the one whose text is the most alike."""
        data = self.read(step.after)
        record_id = own_id(step.path, data)
        best, likeness = None, LIKE_ENOUGH
        for one in gone:
            old = self.read(one.before)
            old_id = own_id(one.path, old)
            if record_id and old_id == record_id:
                return one
            if not (record_id and old_id) and (found := _alike(old, data)) > likeness:
                best, likeness = one, found
        return best

    def _elsewhere(self, record_id: str, seen: set[str]) -> list[str]:
        """Other paths at which the record was, when it was deleted here and came back there."""
        if not is_ulid(record_id):
            return []
        paths = self.trail.paths_ending(f"-{record_id[-ID_TAIL:].lower()}.md")
        new = [path for path in paths if path not in seen]
        return [path for path in new if self._is_of(_lives(self.trail.steps(path))[0], record_id)]

    def _id(self, path: str, blob: str) -> str:
        return own_id(path, self.read(blob))


def _lives(steps: list[Step]) -> list[list[Step]]:
    """Steps of one path, newest first, parted where a file came after another one had gone."""
    lives: list[list[Step]] = []
    for step in reversed(steps):
        if not lives or not step.before:
            lives.append([])
        lives[-1].append(step)
    return [life[::-1] for life in lives[::-1]]


def _versions(steps: list[Step], former: dict[tuple[str, str], Step]) -> Iterator[Version]:
    """Steps as versions; what a commit moved counts once, at the new path."""
    left = {(source.commit, source.path) for source in former.values()}
    for step in sorted(steps, key=lambda step: step.order, reverse=True):
        if (step.commit, step.path) in left:
            continue
        source = former.get((step.commit, step.path))
        before, old = (source.before, PurePosixPath(source.path)) if source else (step.before, None)
        yield Version(step.after, PurePosixPath(step.path), step.commit, before, old, step.order)


def _distance(one: str, other: str) -> tuple[bool, bool, str]:
    """Small for paths that look like one file moved: the same end, the same name, the folder."""
    this, that = PurePosixPath(one), PurePosixPath(other)
    tail = this.stem[-ID_TAIL:] != that.stem[-ID_TAIL:]
    return tail, this.name != that.name and this.parent != that.parent, one


def _alike(old: bytes, new: bytes) -> float:
    """Share [0, 1] of the larger text that stands in both, by lines."""
    lines = Counter(old.splitlines()) & Counter(new.splitlines())
    common = sum((len(line) + 1) * count for line, count in lines.items())
    return common / max(len(old), len(new), 1)
