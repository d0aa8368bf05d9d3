"""What the events of a vault add up to.

Sums and extremes only: but for events of the same microsecond their order does not matter, so
journals of several machines are taken in as they come.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from mnemos_files.model.event import (
    Accessed,
    Dreamed,
    Event,
    SessionEnded,
    SessionStarted,
    SkillUsed,
    Surfaced,
    Touched,
)

NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Uses:
    """How often a record was read or put before a model, and a skill applied; last times, UTC.

    `surfaced` is when it was first put before a model unasked.
    """

    accesses: int = 0
    last: datetime | None = None
    skill_uses: int = 0
    skill_successes: int = 0
    last_use: datetime | None = None
    surfaced: datetime | None = None


@dataclass(frozen=True, slots=True)
class Heat:
    """How often a file was touched, and when last."""

    path: str
    touches: int
    last: datetime


@dataclass(frozen=True, slots=True)
class SessionTrace:
    """What the journal knows of a session.

    `started` is its first start, `ended` its last end, None when it is open or was taken up again.
    `last` is the time of the last event in it, `touched` its files in the order of their first
    touch, `machine` the one whose journal has the start (a `process` means nothing elsewhere),
    `skills` the ids of those that were applied in it.
    """

    started: SessionStarted
    ended: SessionEnded | None
    last: datetime
    touched: tuple[str, ...]
    machine: str = ""
    skills: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Tally:
    """Everything that was counted up to one moment; never changes."""

    uses: Mapping[str, Uses] = field(default_factory=dict)
    sessions: Mapping[str, SessionTrace] = field(default_factory=dict)
    touches: Mapping[tuple[str, str, str], tuple[int, datetime]] = field(default_factory=dict)
    """Count and last time by project, path and agent."""
    deeds: Mapping[str, datetime] = field(default_factory=dict)
    """Last time of everything that a pass over the vault has done, by key."""

    def heat(self, project: str, agent: str = "") -> list[Heat]:
        """Touched files of a project, most touched first, then latest; "" means every agent."""
        sums: dict[str, tuple[int, datetime]] = {}
        for (where, path, who), (count, last) in self.touches.items():
            if where == project and agent in ("", who):
                before = sums.get(path, (0, NEVER))
                sums[path] = (before[0] + count, max(before[1], last))
        found = [Heat(path, count, last) for path, (count, last) in sums.items()]
        found.sort(key=lambda heat: heat.path)
        return sorted(found, key=lambda heat: (heat.touches, heat.last), reverse=True)


@dataclass(slots=True)
class Trace:
    """What is known of one session so far, its start maybe not among it."""

    started: SessionStarted | None = None
    machine: str = ""
    resumed: datetime = NEVER
    ended: SessionEnded | None = None
    last: datetime = NEVER
    touched: dict[str, datetime] = field(default_factory=dict)
    skills: set[str] = field(default_factory=set)

    def start(self, event: SessionStarted, machine: str) -> None:
        """Take in a start."""
        self.resumed = max(self.resumed, event.at)
        if self.started is None or event.at < self.started.at:
            self.started, self.machine = event, machine

    def end(self, event: SessionEnded) -> None:
        """Take in an end."""
        if self.ended is None or event.at >= self.ended.at:
            self.ended = event

    def touch(self, path: str, at: datetime) -> None:
        """Take in the touch of a file."""
        self.touched[path] = min(at, self.touched.get(path, at))

    def view(self) -> SessionTrace | None:
        """The session as a value, None while its start is not known."""
        if self.started is None:
            return None
        paths = sorted(self.touched, key=lambda path: self.touched[path])
        is_over = self.ended is not None and self.ended.at >= self.resumed
        ended = self.ended if is_over else None
        skills = frozenset(self.skills)
        return SessionTrace(self.started, ended, self.last, tuple(paths), self.machine, skills)


class Count:
    """Adds events up. Not thread-safe; `tally` gives values that no later event changes."""

    def __init__(self) -> None:
        self.uses: dict[str, list[Any]] = {}  # the fields of `Uses`
        self.traces: dict[str, Trace] = {}
        self.touches: dict[tuple[str, str, str], tuple[int, datetime]] = {}
        self.deeds: dict[str, datetime] = {}
        self._dirty_uses: set[str] = set()
        self._dirty_traces: set[str] = set()
        self._is_behind = False
        self._seen = Tally()

    def add(self, events: Iterable[Event], machine: str = "") -> None:
        """Take in events of a machine's journal."""
        self._is_behind = True
        for event in events:
            _ADDING[type(event)](self, event, machine)

    @property
    def size(self) -> int:
        """How many sums there are."""
        return len(self.uses) + len(self.traces) + len(self.touches) + len(self.deeds)

    def restore(
        self,
        uses: dict[str, list[Any]],
        traces: dict[str, Trace],
        touches: dict[tuple[str, str, str], tuple[int, datetime]],
        deeds: dict[str, datetime],
    ) -> None:
        """Begin with sums that were counted before."""
        self.uses, self.traces, self.touches, self.deeds = uses, traces, touches, deeds
        self._dirty_uses, self._dirty_traces = set(uses), set(traces)
        self._is_behind = True

    def tally(self) -> Tally:
        """All events so far."""
        if not self._is_behind:
            return self._seen
        uses = dict(self._seen.uses)
        uses.update((name, Uses(*self.uses[name])) for name in self._dirty_uses)
        views = {name: self.traces[name].view() for name in self._dirty_traces}
        sessions = dict(self._seen.sessions)
        sessions.update((name, view) for name, view in views.items() if view is not None)
        self._dirty_uses.clear()
        self._dirty_traces.clear()
        self._is_behind = False
        self._seen = Tally(
            MappingProxyType(uses),
            MappingProxyType(sessions),
            MappingProxyType(dict(self.touches)),
            MappingProxyType(dict(self.deeds)),
        )
        return self._seen

    def _trace(self, session: str, at: datetime) -> Trace:
        trace = self.traces.get(session)
        if trace is None:
            trace = self.traces[session] = Trace()
        self._dirty_traces.add(session)
        trace.last = max(trace.last, at)
        return trace

    def _use(self, name: str) -> list[Any]:
        self._dirty_uses.add(name)
        use = self.uses.get(name)
        if use is None:
            use = self.uses[name] = [0, None, 0, 0, None, None]
        return use

    def _started(self, event: SessionStarted, machine: str) -> None:
        self._trace(event.session, event.at).start(event, machine)

    def _ended(self, event: SessionEnded, _machine: str) -> None:
        self._trace(event.session, event.at).end(event)

    def _touched(self, event: Touched, _machine: str) -> None:
        key = (event.project, event.path, event.agent)
        count, last = self.touches.get(key, (0, event.at))
        self.touches[key] = (count + 1, max(last, event.at))
        if event.session:
            self._trace(event.session, event.at).touch(event.path, event.at)

    def _accessed(self, event: Accessed | Surfaced, _machine: str) -> None:
        at, uses = event.at, self.uses
        self._dirty_uses.update(event.ids)
        for name in event.ids:
            use = uses.get(name)
            if use is None:
                uses[name] = [1, at, 0, 0, None, None]
            else:
                use[0] += 1
                use[1] = at if use[1] is None else max(use[1], at)
        if event.session:
            self._trace(event.session, at)

    def _surfaced(self, event: Surfaced, machine: str) -> None:
        self._accessed(event, machine)
        for name in event.ids:
            use = self.uses[name]
            if use[5] is None or event.at < use[5]:
                use[5] = event.at

    def _dreamed(self, event: Dreamed, _machine: str) -> None:
        for key in event.keys:
            self.deeds[key] = max(event.at, self.deeds.get(key, event.at))

    def _skill_used(self, event: SkillUsed, _machine: str) -> None:
        use = self._use(event.skill)
        use[2] += 1
        use[3] += event.outcome == "success"
        use[4] = event.at if use[4] is None else max(use[4], event.at)
        if event.session:
            self._trace(event.session, event.at).skills.add(event.skill)


_ADDING: Mapping[type[Event], Callable[[Count, Any, str], None]] = {
    SessionStarted: Count._started,  # noqa: SLF001 - the table of this class
    SessionEnded: Count._ended,  # noqa: SLF001 - the class above
    Touched: Count._touched,  # noqa: SLF001 - the class above
    Accessed: Count._accessed,  # noqa: SLF001 - the class above
    Surfaced: Count._surfaced,  # noqa: SLF001 - the class above
    SkillUsed: Count._skill_used,  # noqa: SLF001 - the class above
    Dreamed: Count._dreamed,  # noqa: SLF001 - the class above
}
