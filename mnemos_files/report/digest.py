"""What happened in a vault since a moment."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from mnemos_files.model.event import EVENTS, SkillUsed, Surfaced
from mnemos_files.model.note import Entry
from mnemos_files.report.facts import Named, named, saved_since, sessions
from mnemos_files.report.markdown import inline
from mnemos_files.report.moments import saved_at
from mnemos_files.store.store import Store

MOST_SURFACED = 5
"""Memories [1] that are named."""

NOTHING = "no activity"

_NAMES = {kind: name for name, kind in EVENTS.items()}


@dataclass(frozen=True)
class SurfacedMemory:
    """A memory and how often it was put before a model."""

    id: str
    title: str
    type: str
    count: int


@dataclass(frozen=True)
class Digest:
    """What happened from `since` to `until` [UTC].

    Counts of memories by type, of ended sessions by status, of memories put before a model in all
    and by channel, of uses of skills by outcome, and of events of the journals by name.
    """

    since: datetime
    until: datetime
    observations: dict[str, int] = field(default_factory=dict)
    sessions_opened: int = 0
    sessions_closed: dict[str, int] = field(default_factory=dict)
    skills_touched: list[str] = field(default_factory=list)
    skill_uses: dict[str, int] = field(default_factory=dict)
    surfaced: int = 0
    surfaced_by_channel: dict[str, int] = field(default_factory=dict)
    most_surfaced: list[SurfacedMemory] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """True when nothing happened."""
        done = (self.observations, self.sessions_opened, self.sessions_closed, self.events)
        return not (any(done) or self.skills_touched)


def digest(store: Store, since: datetime) -> Digest:
    """What happened in the vault from this moment on.

    Raises:
        UnavailableError: the vault is gone.
    """
    events = store.journal.since(since)
    ran = sessions(store)
    shown = [event for event in events if isinstance(event, Surfaced)]
    counts = Counter(name for event in shown for name in event.ids)
    top = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_SURFACED]
    return Digest(
        since=since,
        until=store.now(),
        observations=_shown(Counter(e.record.type for e in saved_since(store, since))),
        sessions_opened=sum(one.start >= since for one in ran),
        sessions_closed=_sorted(
            Counter(
                one.session.status or "ok"
                for one in ran
                if one.end is not None and one.end >= since
            )
        ),
        skills_touched=[*_skill_names(store, since)],
        skill_uses=_sorted(Counter(e.outcome for e in events if isinstance(e, SkillUsed))),
        surfaced=counts.total(),
        surfaced_by_channel=_shown(_by_channel(shown)),
        most_surfaced=[_surfaced(one, counts) for one in named(store, top).items()],
        events=_sorted(Counter(_NAMES[type(event)] for event in events)),
    )


def lines(report: Digest, length: str) -> Iterator[str]:
    """The digest for people; `length` is what was asked for."""
    yield f"since {report.since:%Y-%m-%d %H:%M}Z ({length})"
    if report.is_empty:
        yield NOTHING
        return
    closed = sum(report.sessions_closed.values())
    yield f"saved: {_counted(report.observations)}"
    opened = f"{report.sessions_opened} opened"
    yield f"sessions: {opened}, {closed} closed{_listed(report.sessions_closed)}"
    yield f"skills touched: {', '.join(report.skills_touched) or 'none'}"
    yield f"skill uses: {_counted(report.skill_uses)}"
    yield f"surfaced: {report.surfaced}{_listed(report.surfaced_by_channel)}"
    for one in report.most_surfaced:
        kind = f"[{one.type}] " if one.type else ""
        yield f"  {one.count:>4}  {kind}{one.title}  {one.id}"
    yield f"journal: {_counted(report.events)}"


def _skill_names(store: Store, since: datetime) -> Iterator[str]:
    """Names of skills that were saved since, the last one first."""
    found = [entry for entry in store.skills.all() if _moved(entry) >= since]
    for entry in sorted(found, key=_moved, reverse=True):
        source = entry.record.source_kind if entry.is_ours else "import"
        yield inline(entry.record.title, source)


def _moved(entry: Entry) -> datetime:
    made, updated = saved_at(entry.record), entry.record.updated
    return made if updated is None else max(made, updated)


def _by_channel(shown: Iterable[Surfaced]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for event in shown:
        counts[event.channel] += len(event.ids)
    return counts


def _surfaced(one: tuple[str, Named], counts: Mapping[str, int]) -> SurfacedMemory:
    name, found = one
    return SurfacedMemory(found.id, found.title, found.type, counts[name])


def _shown(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts by names that are fit for a model: anybody may have written them."""
    return _sorted({inline(name, "import") or "unknown": n for name, n in counts.items()})


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    """Most first, then by name."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _counted(counts: Mapping[str, int]) -> str:
    return f"{sum(counts.values())}{_listed(counts)}"


def _listed(counts: Mapping[str, int]) -> str:
    told = ", ".join(f"{name} {count}" for name, count in counts.items())
    return f" ({told})" if told else ""
