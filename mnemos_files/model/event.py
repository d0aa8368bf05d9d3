"""What happened, as the journal keeps it: events are no memories and make no commit of their own.

`at` is UTC, to the microsecond. `session` and `agent` are "" where nobody said. The first field of
each event after `at` is the one without which it means nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

CHANNELS = ("prewarm", "recovery", "context", "premortem", "prompt_hook", "pre_tool")
"""Ways in which a memory is put before a model unasked."""

OUTCOMES = ("success", "failure")


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """An agent began to work; `process` [pid] is the server's, of use on its own machine only.

    A second start of the same session takes it up again.
    """

    at: datetime
    session: str
    project: str = ""
    agent: str = ""
    goal: str = ""
    process: int = 0


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """A session ended with this status, and why when nobody ended it by hand."""

    at: datetime
    session: str
    status: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Touched:
    """An agent worked on a file of a project."""

    at: datetime
    path: str
    project: str = ""
    agent: str = ""
    session: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Accessed:
    """Somebody asked for these records by name."""

    at: datetime
    ids: tuple[str, ...]
    agent: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Surfaced:
    """These records were put before a model through one of `CHANNELS`."""

    at: datetime
    ids: tuple[str, ...]
    channel: str = ""
    project: str = ""
    agent: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class SkillUsed:
    """A skill was applied, with one of `OUTCOMES`."""

    at: datetime
    skill: str
    outcome: str
    agent: str = ""
    session: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Dreamed:
    """A pass over the whole vault did what these keys name; `note` says it in a line.

    A key names a deed and what it was done for. Where the key is known and the files do not show
    the deed, a person has undone it, so it is not done again.
    """

    at: datetime
    keys: tuple[str, ...]
    step: str = ""
    note: str = ""


Event = SessionStarted | SessionEnded | Touched | Accessed | Surfaced | SkillUsed | Dreamed

EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {
        "session_start": SessionStarted,
        "session_end": SessionEnded,
        "touch": Touched,
        "get": Accessed,
        "surface": Surfaced,
        "skill_use": SkillUsed,
        "dream": Dreamed,
    }
)
"""Every event by the name that it has in a journal."""

DEEDS = (Touched, Accessed, SkillUsed, Dreamed)
"""Events of work that was done; a start and what it surfaced are none."""
