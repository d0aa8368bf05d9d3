"""How sessions ended, with memory put before them and without."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from mnemos_files.model.event import Surfaced
from mnemos_files.report.facts import Ran, named, sessions
from mnemos_files.report.markdown import inline
from mnemos_files.store.store import Store

TOP = 10
"""Memories [1] that are named."""

CAVEAT = (
    "This is a correlation, not a cause: sessions with memory differ from the others in more than "
    "the memory, and agents judge their own success."
)
DIGITS = 4


@dataclass(frozen=True)
class Group:
    """Sessions, and how many of them ended well; the share [0, 1] is None without sessions."""

    sessions: int
    ok: int
    ok_share: float | None


@dataclass(frozen=True)
class ChannelUse:
    """What came through a channel: memories surfaced, in how many sessions, how many were ok."""

    channel: str
    surfacings: int
    sessions: int
    ok: int


@dataclass(frozen=True)
class MemoryUse:
    """A memory: in how many sessions it was surfaced, how many were ok, how often in all."""

    id: str
    title: str
    type: str
    sessions: int
    ok: int
    surfacings: int


@dataclass(frozen=True)
class Efficacy:
    """Sessions that ended from `since` to `until` [UTC].

    `gap` is the share of good ends with memory less that without, None where one is missing.
    `empty_sessions` ended without a file: nothing was saved, touched or told, so they do not count.
    """

    since: datetime
    until: datetime
    with_memory: Group
    without_memory: Group
    gap: float | None
    empty_sessions: int = 0
    channels: list[ChannelUse] = field(default_factory=list)
    memories: list[MemoryUse] = field(default_factory=list)
    caveat: str = CAVEAT


@dataclass(slots=True)
class _Seen:
    """How often something was surfaced, and in which sessions."""

    surfacings: int = 0
    sessions: set[str] = field(default_factory=set)


def efficacy(store: Store, since: datetime) -> Efficacy:
    """How sessions ended from this moment on.

    A session counts as one with memory when anything was ever surfaced in it.

    Raises:
        UnavailableError: the vault is gone.
    """
    ended = [one for one in sessions(store) if one.end is not None and one.end >= since]
    counted = {one.session.id: one for one in ended if one.has_file}
    shown = _surfaced(store, counted)
    reached = {event.session for event in shown}
    with_memory = _group([counted[name] for name in reached])
    without = _group([one for name, one in counted.items() if name not in reached])
    good = {name for name, one in counted.items() if _is_ok(one)}
    return Efficacy(
        since=since,
        until=store.now(),
        with_memory=with_memory,
        without_memory=without,
        gap=_gap(with_memory, without),
        empty_sessions=len(ended) - len(counted),
        channels=_channels(shown, good),
        memories=_memories(store, shown, good),
    )


def lines(report: Efficacy, length: str) -> Iterator[str]:
    """The report for people; `length` is what was asked for."""
    yield f"sessions that ended since {report.since:%Y-%m-%d %H:%M}Z ({length})"
    groups = (("with memory", report.with_memory), ("without memory", report.without_memory))
    for name, group in groups:
        share = "-" if group.ok_share is None else f"{100 * group.ok_share:.0f} %"
        yield f"{name + ':':<16}{group.sessions:>5} sessions, {group.ok} ok, {share}"
    if report.gap is not None:
        yield f"{'gap:':<16}{100 * report.gap:+.0f} points"
    if report.empty_sessions:
        yield f"{report.empty_sessions} more were empty and do not count"
    for one in report.channels:
        told = f"{one.surfacings} surfacings in {one.sessions} sessions, {one.ok} ok"
        yield f"  {one.channel}: {told}"
    for memory in report.memories:
        kind = f"[{memory.type}] " if memory.type else ""
        told = f"{memory.sessions} sessions, {memory.ok} ok, {memory.surfacings} surfacings"
        yield f"  {kind}{memory.title}: {told}  {memory.id}"
    yield report.caveat


def _surfaced(store: Store, counted: Mapping[str, Ran]) -> list[Surfaced]:
    """What was put before a model in these sessions, from the start of the first on."""
    if not counted:
        return []
    start = min(one.session.started for one in counted.values()).replace(microsecond=0)
    return [
        event
        for event in store.journal.since(start)
        if isinstance(event, Surfaced) and event.session in counted
    ]


def _is_ok(one: Ran) -> bool:
    return one.session.status in ("", "ok")


def _group(ran: Collection[Ran]) -> Group:
    good = sum(map(_is_ok, ran))
    return Group(len(ran), good, round(good / len(ran), DIGITS) if ran else None)


def _gap(with_memory: Group, without: Group) -> float | None:
    if with_memory.ok_share is None or without.ok_share is None:
        return None
    return round(with_memory.ok_share - without.ok_share, DIGITS)


def _channels(shown: Iterable[Surfaced], good: set[str]) -> list[ChannelUse]:
    seen: dict[str, _Seen] = defaultdict(_Seen)
    for event in shown:
        one = seen[event.channel]
        one.surfacings += len(event.ids)
        one.sessions.add(event.session)
    found = [
        ChannelUse(
            channel=inline(name, "import") or "unknown",
            surfacings=one.surfacings,
            sessions=len(one.sessions),
            ok=len(one.sessions & good),
        )
        for name, one in seen.items()
    ]
    return sorted(found, key=lambda one: (-one.sessions, -one.surfacings, one.channel))


def _memories(store: Store, shown: Iterable[Surfaced], good: set[str]) -> list[MemoryUse]:
    """Those surfaced in most sessions, then most often."""
    seen: dict[str, _Seen] = defaultdict(_Seen)
    for event in shown:
        for name in event.ids:
            seen[name].surfacings += 1
            seen[name].sessions.add(event.session)
    top = sorted(seen, key=lambda n: (-len(seen[n].sessions), -seen[n].surfacings, n))[:TOP]
    return [
        MemoryUse(
            id=found.id,
            title=found.title,
            type=found.type,
            sessions=len(seen[name].sessions),
            ok=len(seen[name].sessions & good),
            surfacings=seen[name].surfacings,
        )
        for name, found in named(store, top).items()
    ]
