"""What is known about a question, a session or a plan, ready to be put into a context."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from mnemos_files.context.compose import Block
from mnemos_files.context.prewarm import (
    PREMORTEM_TOKENS,
    SESSION_TOKENS,
    premortem_block,
    recovery_block,
)
from mnemos_files.context.query import QUERY_TOKENS, Answered, query_block
from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.scope import AgentId, Project, SessionId
from mnemos_files.operations.shown import shown_name
from mnemos_files.operations.size import ANSWER_MAX, cost
from mnemos_files.operations.texts import QUERY_MAX

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

TOKENS_MAX = 20_000
"""Largest budget that is taken; an answer that clients would cut ends earlier, on whole notes."""

MODES = ("", "query", "recovery")


@dataclass(frozen=True)
class ContextNote:
    """One memory whose whole text stands in a block."""

    id: str
    title: str
    type: str
    importance: int


@dataclass(frozen=True)
class ContextResult:
    """A block of recalled text: data, not orders.

    A query gives `observations`, a recovery `mode` and `section_count`. `text` is "" when nothing
    is known.
    """

    text: str
    token_estimate: int
    safety_risk: str
    mode: str | None = None
    section_count: int | None = None
    observations: list[ContextNote] | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PremortemResult:
    """How similar attempts failed; `verdict` when no failure is recorded that is like the plan."""

    text: str
    token_estimate: int
    section_count: int
    safety_risk: str
    verdict: str | None = None
    notices: list[str] = field(default_factory=list)


def context(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    query: Annotated[str, Param("what you are about to work on", max_length=QUERY_MAX)] = "",
    mode: Annotated[
        str, Param("recovery = what a session knew, after a compaction", choices=MODES)
    ] = "",
    max_tokens: Annotated[
        int, Param("budget; 0 = 2000, for recovery 500", low=0, high=TOKENS_MAX)
    ] = 0,
    agent_id: AgentId = "",
    project: Project = "",
    session_id: SessionId = "",
    goal: Annotated[str, Param("for recovery: what the session is for", max_length=QUERY_MAX)] = "",
) -> ContextResult:
    """What is known about a question, or what a session needs to go on."""
    if mode == "recovery":
        block = recovery_block(
            store,
            session_id=_needed("session_id", session_id, "Name the session that shall go on."),
            project=project,
            goal=goal,
            agent=agent_id,
            max_tokens=max_tokens or SESSION_TOKENS,
            fits=lambda block: cost(_recovered(store, block)) <= ANSWER_MAX,
        )
        return _recovered(store, block)
    answered = query_block(
        store,
        query=_needed("query", query, "Say what it is about, or pass mode=recovery, session_id."),
        project=project,
        agent=agent_id,
        session_id=session_id,
        max_tokens=max_tokens or QUERY_TOKENS,
        fits=lambda answered: cost(_answer(store, answered)) <= ANSWER_MAX,
    )
    return _answer(store, answered)


def premortem(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    plan: Annotated[str, Param("what you are about to do, and how", max_length=QUERY_MAX)],
    agent_id: AgentId = "",
    project: Project = "",
    session_id: SessionId = "",
    max_tokens: Annotated[int, Param("budget; 0 = 800", low=0, high=TOKENS_MAX)] = 0,
) -> PremortemResult:
    """How attempts like this plan failed before."""
    block = premortem_block(
        store,
        plan=_needed("plan", plan, "Say what you are about to do, and how."),
        project=project,
        agent=agent_id,
        session_id=session_id,
        max_tokens=max_tokens or PREMORTEM_TOKENS,
        fits=lambda block: cost(_forewarned(store, block)) <= ANSWER_MAX,
    )
    return _forewarned(store, block)


def _needed(name: str, text: str, remedy: str) -> str:
    if not text.strip():
        raise InvalidQueryError(name, "is required", remedy=remedy)
    return text


def _recovered(store: "Store", block: Block) -> ContextResult:
    return ContextResult(
        text=block.text,
        token_estimate=block.token_estimate,
        safety_risk=block.safety_risk,
        mode="recovery",
        section_count=block.section_count,
        notices=_notices(store, block),
    )


def _answer(store: "Store", answered: Answered) -> ContextResult:
    return ContextResult(
        text=answered.block.text,
        token_estimate=answered.block.token_estimate,
        safety_risk=answered.block.safety_risk,
        observations=[
            ContextNote(shown_name(note.id), note.title, note.type, note.importance)
            for note in answered.notes
        ],
        notices=_notices(store, answered.block),
    )


def _forewarned(store: "Store", block: Block) -> PremortemResult:
    return PremortemResult(
        text=block.text,
        token_estimate=block.token_estimate,
        section_count=block.section_count,
        safety_risk=block.safety_risk,
        verdict=block.verdict or None,
        notices=_notices(store, block),
    )


def _notices(store: "Store", block: Block) -> list[str]:
    return [*block.notices, *store.urgent_notices()]
