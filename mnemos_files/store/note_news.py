"""What became of notes between two commits: for each note the sum of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from mnemos_files.format.paths import stem
from mnemos_files.format.record import parse
from mnemos_files.history.past import Past
from mnemos_files.history.trail import Step
from mnemos_files.model.note import Note
from mnemos_files.model.record import TRUST_TIERS, Record
from mnemos_files.model.ulid import is_ulid
from mnemos_files.store.lineage import Lineage

KINDS = (
    "added",
    "restored",
    "superseded",
    "invalidated",
    "promoted",
    "demoted",
    "renamed",
    "edited",
    "deleted",
    "reverted",
)
"""What can have become of a note; a `reverted` one was changed back, or came and went."""


@dataclass(frozen=True, slots=True)
class NoteNews:
    """One note: what it was before and is after, None = not there; steps come newest first.

    `note` is what it said last. `was_known` is true for a note that had been there even earlier,
    before it was deleted; `has_other_bytes` for a file that is not byte for byte the same.
    """

    path: str
    note: Note
    before: Note | None
    after: Note | None
    steps: tuple[Step, ...]
    was_known: bool = False
    has_other_bytes: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """What became of it, as in `KINDS`."""
        if self.before is None:
            if self.after is None:
                return ("reverted",)
            return ("restored",) if self.was_known else ("added",)
        if self.after is None:
            return ("deleted",)
        found = tuple(_changes(self.before, self.after))
        return found or (("edited",) if self.has_other_bytes else ("reverted",))


def _changes(before: Note, after: Note) -> Iterable[str]:
    old, new = before.record, after.record
    if new.invalidated and not old.invalidated:
        yield "superseded" if new.invalidated_by else "invalidated"
    if old.invalidated and not new.invalidated:
        yield "restored"
    if new.trust_tier != old.trust_tier:
        rank = TRUST_TIERS.index
        yield "promoted" if rank(new.trust_tier) > rank(old.trust_tier) else "demoted"
    if before.path != after.path:
        yield "renamed"
    if _rest(before) != _rest(after) or before.body != after.body:
        yield "edited"


def _rest(note: Note) -> Record:
    """A record without what has a kind of news of its own, and without what comes from its path."""
    record = note.record
    return replace(
        record,
        id="",
        title="" if record.title == stem(note.path) else record.title,
        updated=None,
        invalidated=None,
        invalidated_by="",
        invalidated_reason="",
        valid_until=None if record.invalidated else record.valid_until,
        trust_tier="raw",
        promoted_reason="",
    )


@dataclass(frozen=True, slots=True)
class _Ends:
    """What lay at a path before and after: blobs and notes."""

    blob_before: str = ""
    blob_after: str = ""
    before: Note | None = None
    after: Note | None = None


_NOWHERE = _Ends()


@dataclass(frozen=True, slots=True)
class Reporter:
    """Adds commits up; `read` gives the bytes of a blob."""

    past: Past
    lineage: Lineage
    is_note: Callable[[PurePosixPath], bool]

    def between(self, base: str, head: str) -> list[NoteNews]:
        """What became of each note that commits touched, the one touched last first."""
        steps: dict[str, list[Step]] = {}
        groups = _Groups()
        for commit in self.past.since(base, head):
            for step in commit:
                if self.is_note(PurePosixPath(step.path)):
                    steps.setdefault(step.path, []).append(step)
                    self._join(step, groups)
        net = self.past.net(base, head)
        ends = {path: self._ends(path, own, net) for path, own in steps.items()}
        for path, end in ends.items():
            for note in (end.before, end.after):
                if note is not None and is_ulid(note.record.id):
                    groups.join(path, note.record.id)
        gathered: dict[str, list[str]] = {}
        for path in steps:
            gathered.setdefault(groups.of(path), []).append(path)
        news = [self._sum(paths, steps, ends) for paths in gathered.values()]
        return sorted(news, key=lambda one: one.steps[0].order, reverse=True)

    def _join(self, step: Step, groups: "_Groups") -> None:
        if not step.before and (source := self.lineage.source(step)):
            groups.join(step.path, source.path)

    def _ends(self, path: str, steps: list[Step], net: dict[str, tuple[str, str]]) -> _Ends:
        newest = max(steps, key=lambda step: step.order)
        before, after = net.get(path, (newest.after, newest.after))
        return _Ends(before, after, self._note(path, before), self._note(path, after))

    def _note(self, path: str, blob: str) -> Note | None:
        return parse(PurePosixPath(path), self.lineage.read(blob)) if blob else None

    def _sum(
        self, paths: list[str], steps: dict[str, list[Step]], ends: dict[str, _Ends]
    ) -> NoteNews:
        own = [step for path in paths for step in steps[path]]
        own.sort(key=lambda step: step.order, reverse=True)
        latest = [ends[path] for path in dict.fromkeys(step.path for step in own)]
        after = next((one for one in latest if one.after), _NOWHERE)
        before = next((one for one in reversed(latest) if one.before), _NOWHERE)
        note = after.after or before.before or self._last(own[0])
        return NoteNews(
            str(note.path),
            note,
            before.before,
            after.after,
            tuple(own),
            was_known=before.before is None and self._was_known(own),
            has_other_bytes=before.blob_before != after.blob_after,
        )

    def _last(self, step: Step) -> Note:
        return parse(PurePosixPath(step.path), self.lineage.read(step.after or step.before))

    def _was_known(self, steps: list[Step]) -> bool:
        """True when one of the paths had a file before these steps."""
        touched = {step.commit for step in steps}
        oldest = steps[-1].order
        return any(
            step.commit not in touched and step.order < oldest
            for path in {step.path for step in steps}
            for step in self.past.trail().steps(path)
        )


class _Groups:
    """Names that mean one thing."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def of(self, name: str) -> str:
        """One name for all that were joined."""
        while (above := self._above.get(name, name)) != name:
            name = above
        return name

    def join(self, one: str, other: str) -> None:
        """Say that two names mean one thing."""
        self._above[self.of(one)] = self.of(other)
