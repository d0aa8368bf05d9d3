"""How the memories of a vault hang together: links between them, and what replaced what."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemos_files.model.note import Entry, Note
from mnemos_files.model.record import LINK_TYPES, Record
from mnemos_files.report.moments import saved_at
from mnemos_files.store.store import Store

SUPERSEDES = "supersedes"
MENTIONS = "mentions"
"""A link in the text or in a property that is none of ours."""

KINDS = (SUPERSEDES, "refines", "contradicts", "derived_from", "caused_by", "related", MENTIONS)
"""Kinds of relations, the one that says most first."""

_NO_MEMORIES = frozenset({"session", "rumination"})
_KEYS = (*LINK_TYPES, "derived_from")


@dataclass(frozen=True, slots=True, order=True)
class Relation:
    """One memory's link to another one, by their paths; `kind` is one of `KINDS`."""

    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class Loose:
    """A link of a memory that leads to no memory: nowhere, to several notes, or to another note.

    `path` is that of the other note, "" without one; `fits` counts the notes that it may mean.
    """

    kind: str
    link: str
    path: str
    fits: int


@dataclass(frozen=True, slots=True)
class Ended:
    """Why and since when a memory does not hold; `by` is the path of what replaced it, or ""."""

    why: str
    at: datetime
    by: str = ""


@dataclass(frozen=True, slots=True)
class Relations:
    """The memories by path, oldest first, and what is known of them together.

    `chains` hold the paths of each supersession that a memory is part of, oldest first.
    """

    memories: Mapping[str, Entry]
    relations: tuple[Relation, ...]
    loose: Mapping[str, Sequence[Loose]]
    ended: Mapping[str, Ended]
    chains: Mapping[str, Sequence[str]]

    def of(self, paths: Iterable[str]) -> list[Relation]:
        """The relations between some of the memories."""
        chosen = set(paths)
        return [one for one in self.relations if {one.source, one.target} <= chosen]


def relate(store: Store) -> Relations:
    """Every memory of the index as it is now, also quarantined and ended ones."""
    found = [entry for entry in store.index.entries.values() if is_memory(entry)]
    found.sort(key=lambda entry: (saved_at(entry.record), str(entry.path)))
    memories = {str(entry.path): entry for entry in found}
    relations, loose = _resolved(store, memories)
    return Relations(
        memories=memories,
        relations=relations,
        loose=loose,
        ended=dict(_ended(store, memories, relations)),
        chains=_chains(memories, relations),
    )


def is_memory(entry: Entry | Note) -> bool:
    """True for a memory or a skill of ours; sessions, doubts and people's notes are none."""
    return entry.is_ours and entry.record.type not in _NO_MEMORIES


def groups(paths: Iterable[str], relations: Iterable[Relation]) -> list[list[str]]:
    """The paths that hang together, each group and the groups in the order of the paths."""
    neighbours: dict[str, list[str]] = defaultdict(list)
    for one in relations:
        neighbours[one.source].append(one.target)
        neighbours[one.target].append(one.source)
    order = {path: number for number, path in enumerate(paths)}
    found, seen = [], set[str]()
    for path in order:
        if path in seen:
            continue
        group, waiting = {path}, [path]
        while waiting:
            new = {each for each in neighbours[waiting.pop()] if each in order} - group
            group |= new
            waiting += new
        seen |= group
        found.append(sorted(group, key=order.__getitem__))
    return found


def _resolved(
    store: Store, memories: Mapping[str, Entry]
) -> tuple[tuple[Relation, ...], Mapping[str, Sequence[Loose]]]:
    relations: dict[Relation, None] = {}
    loose: dict[str, list[Loose]] = defaultdict(list)
    for path, entry in memories.items():
        for kind, link in _links(entry.record):
            paths = store.resolve(link)
            if len(paths) == 1 and paths[0] in memories:
                relations[Relation(path, paths[0], kind)] = None
            else:
                other = paths[0] if len(paths) == 1 else ""
                loose[path].append(Loose(kind, link, other, len(paths)))
        by = entry.record.invalidated_by
        paths = store.resolve(by) if by else ()
        if len(paths) == 1 and paths[0] in memories:
            relations[Relation(paths[0], path, SUPERSEDES)] = None
    known = {(one.source, one.target) for one in relations}
    mentions = dict.fromkeys(_mentions(store, memories))
    relations |= {one: None for one in mentions if (one.source, one.target) not in known}
    found = [one for one in relations if one.source != one.target]
    return tuple(sorted(found, key=_by_kind)), loose


def _links(record: Record) -> Iterator[tuple[str, str]]:
    return ((kind, link) for kind in _KEYS for link in record.links(kind))


def _mentions(store: Store, memories: Mapping[str, Entry]) -> Iterator[Relation]:
    for path, entry in memories.items():
        own = {entry.record.session, entry.record.invalidated_by}
        own |= {link for _, link in _links(entry.record)}
        for link in entry.outgoing:
            paths = store.resolve(link) if link not in own else ()
            if len(paths) == 1 and paths[0] in memories:
                yield Relation(path, paths[0], MENTIONS)


def _by_kind(one: Relation) -> tuple[int, str, str]:
    return KINDS.index(one.kind), one.source, one.target


def _ended(
    store: Store, memories: Mapping[str, Entry], relations: Iterable[Relation]
) -> Iterator[tuple[str, Ended]]:
    """Ends as the index has them: what a person wrote into the newer memory only counts there."""
    now = store.now()
    newer: dict[str, str] = {}
    for one in relations:  # the last one counts: they are sorted, so it is always the same
        if one.kind == SUPERSEDES and memories[one.source].record.trust_tier != "raw":
            newer[one.target] = one.source
    for path, entry in memories.items():
        named = entry.record.invalidated_by
        paths = store.resolve(named) if named else ()
        by = paths[0] if len(paths) == 1 and paths[0] in memories else newer.get(path, "")
        end = _end(entry.record, now, is_replaced=bool(by))
        if end is not None:
            yield path, Ended(*end, by)


def _end(record: Record, now: datetime, *, is_replaced: bool) -> tuple[str, datetime] | None:
    ends = (
        ("replaced" if is_replaced else "invalidated", record.invalidated),
        ("held until then", record.valid_until),
        ("expired", record.expires),
    )
    over = [(why, at) for why, at in ends if at is not None and at <= now]
    return min(over, key=lambda end: end[1]) if over else None


def _chains(
    memories: Mapping[str, Entry], relations: Iterable[Relation]
) -> Mapping[str, Sequence[str]]:
    links = [one for one in relations if one.kind == SUPERSEDES]
    ends = {path for one in links for path in (one.source, one.target)}
    chains = groups((path for path in memories if path in ends), links)
    return {path: tuple(chain) for chain in chains for path in chain}
