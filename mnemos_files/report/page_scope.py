"""What a page is about: the memories in its scope, and what each is called on it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256

from mnemos_files.model.decay import Decay, importance_left
from mnemos_files.model.note import Entry
from mnemos_files.model.record import Record
from mnemos_files.model.tally import Uses
from mnemos_files.model.ulid import is_ulid
from mnemos_files.report.page_text import line
from mnemos_files.report.page_values import Mention
from mnemos_files.report.relations import Relation, Relations
from mnemos_files.store.store import Store

TITLE_BYTES = 160
NAME_BYTES = 80
GLOBAL = "All projects"
"""How memories without a project are headed: they hold everywhere."""

NO_USE = Uses()


@dataclass(frozen=True)
class Scope:
    """The memories that a page tells of, and what is known of all of them.

    `found` has those of the scope only; relations to others are left out of it.
    """

    store: Store
    found: Relations
    now: datetime
    uses: Mapping[str, Uses]
    near: Mapping[str, Sequence[Relation]]
    """The relations of each memory, from it and to it."""
    anchors: dict[str, str] = field(default_factory=dict)
    flagged: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    """Memories that were mentioned so far."""
    _titles: dict[str, str] = field(default_factory=dict)

    def entry(self, path: str) -> Entry | None:
        """A note of the vault, also one outside of the scope."""
        return self.found.memories.get(path) or self.store.index.entry(path)

    def record(self, path: str) -> Record:
        """The record of a memory in scope."""
        return self.found.memories[path].record

    def use(self, path: str) -> Uses:
        """How a memory was used."""
        return self.uses.get(self.record(path).id, NO_USE)

    def holds(self, path: str) -> bool:
        """True for a memory that nothing has ended."""
        return path not in self.found.ended

    def left(self, path: str) -> int:
        """What a memory's importance counts for now [1 to 10]."""
        decay = Decay(*self.store.settings.decay)
        return importance_left(self.record(path), self.use(path).last, self.now, decay)

    def title(self, path: str) -> str:
        """One line that names a note."""
        if path not in self._titles:
            entry = self.entry(path)
            said = entry.record.title if entry is not None else ""
            self._titles[path] = line(said, TITLE_BYTES) or line(path, TITLE_BYTES)
        return self._titles[path]

    def mention(self, path: str) -> Mention:
        """A note where it is named, with a way to its card if it has one."""
        if path not in self.found.memories:
            return Mention(self.title(path))
        self.named.add(path)
        return Mention(self.title(path), self.anchors.get(path, ""), self.marks(path))

    def marks(self, path: str) -> tuple[str, ...]:
        """What a reader must know of a memory before reading it."""
        ended = self.found.ended.get(path)
        return (
            *((ended.why,) if ended is not None else ()),
            *(("raw",) if self.record(path).trust_tier == "raw" else ()),
            *(("flagged",) if path in self.flagged else ()),
        )


def scope(store: Store, found: Relations, project: str) -> Scope:
    """The memories of a project and those of all projects; "" takes everything."""
    kept = {
        path: entry
        for path, entry in found.memories.items()
        if not project or entry.record.project in ("", project)
    }
    relations = tuple(found.of(kept))
    near: dict[str, list[Relation]] = defaultdict(list)
    for one in relations:
        near[one.source].append(one)
        near[one.target].append(one)
    ended = {path: end for path, end in found.ended.items() if path in kept}
    return Scope(
        store=store,
        found=replace(found, memories=kept, relations=relations, ended=ended),
        now=store.now(),
        near=near,
        uses=store.journal.tally().uses,
        flagged={path for path, entry in kept.items() if entry.record.flags},
    )


def anchors(memories: Mapping[str, Entry], chosen: Iterable[str]) -> dict[str, str]:
    """An anchor for each of some memories: its id, or a digest of its path if that is no name."""
    counts = Counter(entry.record.id for entry in memories.values())
    ids = {path: memories[path].record.id for path in chosen}
    return {
        path: f"m-{name if is_ulid(name) and counts[name] == 1 else digest(path)}"
        for path, name in ids.items()
    }


def digest(text: str) -> str:
    """A short name for any text [16 hex digits]."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def heading(project: str) -> str:
    """How a project is called on the page."""
    return line(project, NAME_BYTES) or GLOBAL


def day(moment: datetime | None) -> str:
    """The day of a moment [UTC], "" without one."""
    return "" if moment is None else f"{moment:%Y-%m-%d}"


def section_anchor(project: str) -> str:
    """Anchor of a project's section."""
    return f"p-{digest(project)}"
