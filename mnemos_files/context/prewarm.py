"""The blocks that are put before an agent: at a start, after a compaction, before an edit."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mnemos_files.context.compose import Block, Fits, Section, always, compose, fault
from mnemos_files.context.request import Request, catching_up, request_of
from mnemos_files.context.reviews import pending_reviews
from mnemos_files.context.sections import (
    applicable_skills,
    conventions,
    failed_attempts,
    hot_files,
    relevant_corrections,
)
from mnemos_files.context.session_sections import (
    current_session,
    failed_sessions,
    recent_sessions,
    session_observations,
)
from mnemos_files.context.surfacing import log_surfaced
from mnemos_files.errors import AmbiguousNameError, CorruptError, NotFoundError
from mnemos_files.safety.frame import frame

Find = Callable[["Store", Request], Section]

SESSION_START: tuple[Find, ...] = (
    conventions,
    pending_reviews,
    recent_sessions,
    applicable_skills,
    relevant_corrections,
    hot_files,
)
RECOVERY: tuple[Find, ...] = (
    current_session,
    session_observations,
    conventions,
    pending_reviews,
    relevant_corrections,
    hot_files,
)
FAILURES: tuple[Find, ...] = (failed_attempts, failed_sessions, applicable_skills)
"""Sections whose items are records of how it went: none of them, and nothing is known."""

PREMORTEM: tuple[Find, ...] = (*FAILURES, conventions, pending_reviews)
"""The sections of each block in their order: a new one is a function and a row here."""

SESSION_TOKENS = 500
PREMORTEM_TOKENS = 800
"""Budgets [tokens] where the caller names none."""

UNKNOWN_SESSION = (
    "this session is not known, so its goal and what was saved in it are left out: use the id "
    "that mnemos_session_start gave"
)
NO_FAILURES = (
    "no recorded failures match this plan: go on, and record what you learn "
    "(mnemos_correct, mnemos_session_end)"
)

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store
UNKNOWN = "some records could not be read, so nothing can be said about past failures"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Gathered:
    """The sections of a table that were found, and those that failed."""

    sections: dict[Find, Section] = field(default_factory=dict)
    lost: list[Find] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def session_block(  # noqa: PLR0913 - plain facts about who begins what
    store: "Store",
    *,
    project: str = "",
    goal: str = "",
    agent: str = "",
    max_tokens: int = SESSION_TOKENS,
    without_session: str = "",
) -> Block:
    """What an agent should know when it begins to work; `without_session` is the one it begins.

    Raises:
        UnavailableError: the vault is gone. A part that fails is left out with a notice.
    """
    request = request_of(store, goal, project=project, agent=agent, session=without_session)
    found = _gathered(store, request, SESSION_START)
    return _handed_out(store, request, "prewarm", _composed(found, max_tokens, always))


def recovery_block(  # noqa: PLR0913 - plain facts about who goes on with what
    store: "Store",
    *,
    session_id: str,
    project: str = "",
    goal: str = "",
    agent: str = "",
    max_tokens: int = SESSION_TOKENS,
    fits: Fits = always,
) -> Block:
    """What an agent should know that has lost its context; an unknown session tells nothing.

    Project and goal are those of the session where the caller names none.

    Raises:
        UnavailableError: the vault is gone. A part that fails is left out with a notice.
    """
    request = request_of(store, goal, project=project, agent=agent, session=session_id)
    found = _gathered(store, _completed(store, request), RECOVERY)
    current = found.sections.get(current_session)
    if current is not None and not current.items:
        found.notices.append(UNKNOWN_SESSION)
    return _handed_out(store, request, "recovery", _composed(found, max_tokens, fits))


def _completed(store: "Store", request: Request) -> Request:
    """The request with what its session says; an agent without context may know the id alone."""
    try:
        session = store.sessions.find(request.session)
    except (AmbiguousNameError, CorruptError, NotFoundError):
        return request  # the section of the session tells
    if session is None:
        return request
    return replace(
        request, project=request.project or session.project, text=request.text or session.goal
    )


def premortem_block(  # noqa: PLR0913 - plain facts about who plans what
    store: "Store",
    *,
    plan: str,
    project: str = "",
    agent: str = "",
    session_id: str = "",
    max_tokens: int = PREMORTEM_TOKENS,
    fits: Fits = always,
) -> Block:
    """How attempts like this plan failed before; `verdict` when nothing recorded speaks about it.

    Raises:
        UnavailableError: the vault is gone. A part that fails is left out with a notice.
    """
    request = request_of(store, plan, project=project, agent=agent, session=session_id)
    found = _gathered(store, request, PREMORTEM)
    block = replace(_composed(found, max_tokens, fits), verdict=_verdict(found))
    return _handed_out(store, request, "premortem", block)


def _gathered(store: "Store", request: Request, table: Sequence[Find]) -> _Gathered:
    """What each row of a table finds, after one look at the disk for all of them."""
    found = _Gathered(notices=list(catching_up(store)))
    for find in table:
        try:
            found.sections[find] = find(store, request)
        except Exception as error:  # noqa: BLE001 - no fault in a part may cost a start its block
            name = find.__name__.replace("_", " ")
            _log.warning("%s were left out", name, exc_info=True)
            found.lost.append(find)
            found.notices.append(f"{name} were left out: {fault(error)}")
    return found


def _composed(found: _Gathered, max_tokens: int, fits: Fits) -> Block:
    """The block of what was found, made smaller until it fits where it will stand."""
    sections = tuple(found.sections.values())
    block = compose(sections, max_tokens, frame)
    while block.text and not fits(block):
        block = compose(sections, block.token_estimate * 3 // 4, frame)
    return replace(block, notices=(*found.notices, *block.notices))


def _verdict(found: _Gathered) -> str:
    if any(found.sections[find].items for find in FAILURES if find in found.sections):
        return ""
    return UNKNOWN if set(FAILURES) & set(found.lost) else NO_FAILURES


def _handed_out(store: "Store", request: Request, channel: str, block: Block) -> Block:
    log_surfaced(store, request, block, channel)
    return block
