"""Begin and end a working session, and note the files that are worked on."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from mnemos_files.context.compose import Block
from mnemos_files.context.prewarm import SESSION_TOKENS, session_block
from mnemos_files.errors import InvalidQueryError, MnemosError
from mnemos_files.model.event import Touched
from mnemos_files.model.session import GOAL_MAX, STATUSES, Ending, Session
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.code_path import code_path
from mnemos_files.operations.scope import AGENT_DEFAULT, Author, SessionId
from mnemos_files.operations.shown import Screen, shown_name
from mnemos_files.operations.skill_uses import skill_uses
from mnemos_files.operations.texts import LIST_MAX, PART_MAX, TAG_MAX, Texts, clean_list
from mnemos_files.safety.mask import mask

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.idle import Open
    from mnemos_files.store.store import Store

OPEN_SHOWN = 3
PROPOSING = "what you save are proposals on the branch"
NOTE_MAX = 500
PATH_MAX = 1_000


@dataclass(frozen=True)
class Prewarm:
    """What to know before the work begins, as one text within a budget."""

    text: str
    token_estimate: int
    section_count: int
    safety_risk: str


@dataclass(frozen=True)
class OpenSession:
    """A session that nobody ended yet."""

    id: str
    goal: str
    started_at: datetime
    last_activity: datetime


@dataclass(frozen=True)
class ClosedSession:
    """A session that was closed as abandoned: `server-gone` or `stale`."""

    id: str
    goal: str
    reason: str


@dataclass(frozen=True)
class StartResult:
    """A session that began. `open_sessions`: others of this agent and project, latest first."""

    session_id: str
    started_at: datetime
    prewarm: Prewarm | None = None
    open_sessions: list[OpenSession] = field(default_factory=list)
    closed_sessions: list[ClosedSession] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EndResult:
    """A session that ended, with its file and the commit that holds it."""

    id: str
    status: str
    message: str
    path: str
    commit: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TouchResult:
    """A touch that was noted."""

    path: str
    message: str


def session_start(
    store: "Store",
    *,
    project: Annotated[str, Param("project you work on; empty = none", max_length=100)] = "",
    goal: Annotated[str, Param("what you are about to do", max_length=GOAL_MAX)] = "",
    agent_id: Author = "",
) -> StartResult:
    """Begin a session and give what is known about the project and the goal."""
    agent, where = agent_id.strip() or AGENT_DEFAULT, project.strip()
    news = _renewed(store)
    started = store.sessions.start(goal, where, agent)
    session = started.session
    block = _block(store, session, agent_id)
    return StartResult(
        session_id=session.id,
        started_at=session.started,
        prewarm=_prewarm(block) if block.text else None,
        open_sessions=[_open(each) for each in started.open[:OPEN_SHOWN]],
        closed_sessions=[
            ClosedSession(each.session.id, _title(each), each.reason) for each in started.closed
        ],
        notices=[*news, *started.notices, *block.notices],
    )


def session_end(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    session_id: SessionId,
    summary: Annotated[str, Param("what was done, and what is left", max_length=PART_MAX)],
    reflection: Annotated[
        str, Param("what to do the same or otherwise next time", max_length=PART_MAX)
    ] = "",
    status: Annotated[str, Param("how it went", choices=STATUSES)] = "ok",
    outcome_tags: Annotated[
        Texts, Param("short labels of the outcome", max_length=TAG_MAX, max_items=LIST_MAX)
    ] = (),
    skills_used: Annotated[
        Texts,
        Param(
            "skills you applied, by id or name; how each went follows from status, or say "
            "name=success or name=failure",
            max_length=300,
            max_items=LIST_MAX,
        ),
    ] = (),
) -> EndResult:
    """End a session: its file and the journal in one commit."""
    if not session_id.strip():
        raise InvalidQueryError("session_id", "is required", remedy="session_start gives it.")
    name = store.sessions.identify(session_id)
    uses, notices = skill_uses(store, skills_used, status, name)
    ended = store.sessions.end(
        name,
        Ending(
            summary=summary,
            reflection=reflection,
            status=status,
            outcome_tags=clean_list(outcome_tags),
            skills=uses,
        ),
    )
    session, shown = ended.session, shown_name(ended.session.id)
    return EndResult(
        id=shown,
        status=session.status,
        message=f"session {shown} ended ({session.status})",
        path=str(ended.path),
        commit=ended.receipt.commit,
        notices=[*notices, *ended.notices],
    )


def touch(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    path: Annotated[str, Param("file of the code you worked on", max_length=PATH_MAX)],
    project: Annotated[str, Param("project it belongs to", max_length=100)],
    session_id: SessionId = "",
    agent_id: Author = "",
    note: Annotated[str, Param("what was done there", max_length=NOTE_MAX)] = "",
) -> TouchResult:
    """Note that a file of a code repository was worked on; no commit, the file is not opened."""
    name = code_path(store, path)
    session = store.sessions.identify(session_id) if session_id.strip() else ""
    agent = agent_id.strip() or AGENT_DEFAULT
    event = Touched(store.now(), name, project.strip(), agent, session, mask(note.strip()))
    store.journal.append([event])
    return TouchResult(name, f"touched {name}")


def _renewed(store: "Store") -> list[str]:
    """Bring main's news to an agent whose writes are proposals, and say where these go."""
    if store.desk is None:
        return []
    try:
        news = store.desk.renew(store.now())
    except MnemosError as error:
        news = (f"main's news could not be brought in: {error.message}",)
    store.refresh()
    return [f"{PROPOSING} {store.desk.branch}; only you read them until a person approves", *news]


def _block(store: "Store", session: Session, agent: str) -> Block:
    """What is known, for a session that begins; no fault in it costs the start."""
    try:
        return session_block(
            store,
            project=session.project,
            goal=session.goal,
            agent=agent,
            max_tokens=SESSION_TOKENS,
            without_session=session.id,
        )
    except MnemosError as error:
        return Block(notices=(f"no context could be put together: {error.message}",))


def _prewarm(block: Block) -> Prewarm:
    return Prewarm(block.text, block.token_estimate, block.section_count, block.safety_risk)


def _open(other: "Open") -> OpenSession:
    session = other.session
    return OpenSession(session.id, _title(other), session.started, other.last)


def _title(other: "Open") -> str:
    return Screen("agent_inference").text(other.session.title)
