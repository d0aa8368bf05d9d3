"""One working session of an agent, as a value and as a record."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from mnemos_files.errors import InvalidRecordError
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import is_ulid, ulid_time

STATUSES = ("ok", "failed", "blocked", "abandoned")
"""How a session may have ended."""

AUTO_CLOSED = "auto-closed:"
"""Begins the outcome tag of a session that was closed because nobody worked in it any more."""

TITLE_LENGTH_MAX = 80
GOAL_MAX = 10_000
"""Longest goal [characters]; it stands in one line of the journal until the session has a file."""

_MARKS = "#>*-+` \t"
_JOINERS = "\u200c\u200d"
"""Not to be seen, but part of the spelling of many scripts and emoji."""

_NO_AGENT = ("", "default")
_NAMELESS = "Session of "


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One working session. `status` is one of `STATUSES`, "" while it is open; times are UTC.

    Raises:
        InvalidRecordError: the status is none of these.
    """

    id: str
    started: datetime
    agent: str = ""
    project: str = ""
    goal: str = ""
    ended: datetime | None = None
    status: str = ""
    outcome_tags: tuple[str, ...] = ()
    summary: str = ""
    reflection: str = ""

    def __post_init__(self) -> None:
        if self.status:
            _check_status(self.status)

    @property
    def is_open(self) -> bool:
        """True while it has no end."""
        return self.ended is None

    @property
    def is_auto_closed(self) -> bool:
        """True when it was closed for its agent, who may still come back and end it."""
        return any(tag.startswith(AUTO_CLOSED) for tag in self.outcome_tags)

    @property
    def title(self) -> str:
        """One line that names it: the goal's first words, or else the agent and the time."""
        line = _first_line(self.goal)
        if line:
            return _clipped(line)
        who = "" if self.agent in _NO_AGENT else f"{_clipped(' '.join(self.agent.split()))}, "
        return f"{_NAMELESS}{who}{self.started.astimezone(UTC):%Y-%m-%d %H:%M}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a session ended; `skills` are the ids of skills that were used, with their outcomes.

    Raises:
        InvalidRecordError: the status is none of `STATUSES`.
    """

    summary: str
    reflection: str = ""
    status: str = "ok"
    outcome_tags: tuple[str, ...] = ()
    skills: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        _check_status(self.status)


def to_record(session: Session) -> Record:
    """The record of a session that has no file yet."""
    record = Record(
        id=session.id,
        type="session",
        title=session.title,
        content=session.goal,
        project=session.project,
        agent=session.agent,
        created=session.started.replace(microsecond=0),
    )
    return with_outcome(record, session) if session.ended is not None else record


def with_outcome(record: Record, session: Session) -> Record:
    """The record with this end, status and outcome tags; all other properties stay."""
    outcome: dict[str, str | tuple[str, ...]] = {
        "status": session.status,
        "ended": "" if session.ended is None else _written(session.ended),
        "outcome_tags": session.outcome_tags,
    }
    known = (dict(record.properties) | outcome).items()
    kept = tuple((key, value) for key, value in known if value or key not in outcome)
    return replace(record, properties=kept)


def from_record(record: Record) -> Session:
    """The session that a file describes. A status that is none of ours counts as none.

    The start is `created`, else the time in the id, else the first moment of all.
    """
    properties = dict(record.properties)
    ended = _time(_text(properties.get("ended", "")))
    status = _text(properties.get("status", "")).strip().lower()
    if status not in STATUSES:
        status = "" if ended is None else "ok"
    tags = properties.get("outcome_tags", ())
    return Session(
        id=record.id,
        started=record.created or _start_of(record.id),
        agent=record.agent,
        project=record.project,
        goal=record.content or ("" if record.title.startswith(_NAMELESS) else record.title),
        ended=ended,
        status=status,
        outcome_tags=(tags,) if isinstance(tags, str) and tags else tuple(tags),
        summary=record.section("summary"),
        reflection=record.section("reflection"),
    )


def _check_status(status: str) -> None:
    if status not in STATUSES:
        problem = f"invalid session status {status!r}"
        raise InvalidRecordError("status", problem, remedy=f"Use one of {', '.join(STATUSES)}.")


def _first_line(goal: str) -> str:
    """The first line with a word in it, without the marks of a heading or a list."""
    for line in goal.splitlines():
        shown = "".join(filter(_is_shown, " ".join(line.split())))
        words = shown.lstrip(_MARKS).rstrip("*` ")
        if shown.startswith("#"):
            words = words.rstrip("# ")
        if any(sign.isalnum() for sign in words):
            return words
    return ""


def _is_shown(sign: str) -> bool:
    return sign.isprintable() or sign in _JOINERS


def _clipped(line: str) -> str:
    """The line, cut behind a word when it is too long for a title."""
    if len(line) <= TITLE_LENGTH_MAX:
        return line
    room = TITLE_LENGTH_MAX - 1
    end = line.rfind(" ", room // 2, room + 1)
    return line[: end if end > 0 else room].rstrip(" ,;:.-") + "…"


def _start_of(record_id: str) -> datetime:
    return ulid_time(record_id) if is_ulid(record_id) else datetime.min.replace(tzinfo=UTC)


def _text(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ""


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
