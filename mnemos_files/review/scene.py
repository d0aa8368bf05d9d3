"""What a rule may look at beside the memory that it judges."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from mnemos_files.config import Settings
from mnemos_files.model.note import Entry
from mnemos_files.model.problem import Problem
from mnemos_files.review.pairs import Pair, Side
from mnemos_files.review.values import Alike
from mnemos_files.store.changeset import ChangeSet
from mnemos_files.store.text_check import problems_of_text


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule fired: the line [from 1; 0 = the whole file] and what to tell."""

    line: int
    message: str


@dataclass(frozen=True)
class Scene:
    """One change and the vault that results, at a time [UTC]."""

    change: ChangeSet
    pairs: Sequence[Pair]
    now: datetime
    similar: Mapping[str, tuple[Alike, ...]] = field(default_factory=dict)
    _problems: dict[int, tuple[Problem, ...]] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """Those that held before the change."""
        return self.change.settings

    def text_problems(self, side: Side) -> tuple[Problem, ...]:
        """Secrets, hidden text and orders in a memory; looked for once."""
        found = self._problems.get(id(side))
        if found is None:
            allowed = frozenset(self.settings.allowed_secrets)
            path, source = str(side.note.path), side.record.source_kind
            found = tuple(problems_of_text(path, side.text, source, allowed))
            self._problems[id(side)] = found
        return found

    def targets(self, link: str) -> list[Entry]:
        """The notes that a link may mean: one, none, or several."""
        return [self.change.after[path] for path in self.change.resolve(link)]

    @cached_property
    def linked_from(self) -> Mapping[str, tuple[str, ...]]:
        """Paths of the notes from which each link target is named, in any of their properties.

        Looks at every note of the vault; asked for only when a memory goes away.
        """
        found: dict[str, list[str]] = {}
        for path, entry in self.change.after.items():
            for link in entry.outgoing:
                found.setdefault(link, []).append(path)
        return {link: tuple(paths) for link, paths in found.items()}


Finder = Callable[[Scene, Pair], Iterable[Hit]]
SideFinder = Callable[[Scene, Side], Iterable[Hit]]


def brought(find: SideFinder) -> Finder:
    """What is so after a change and was not so before it, whatever its line."""

    def found(scene: Scene, pair: Pair) -> Iterator[Hit]:
        if pair.after is None:
            return
        hits = list(find(scene, pair.after))
        if hits and pair.before is not None:
            before = {hit.message for hit in find(scene, pair.before)}
            hits = [hit for hit in hits if hit.message not in before]
        yield from hits

    return found
