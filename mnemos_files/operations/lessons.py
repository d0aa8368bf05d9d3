"""Corrections and conventions: what went wrong and what holds, kept in parts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidRecordError
from mnemos_files.model.record import Record
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.results import LessonResult
from mnemos_files.operations.scope import AGENT_DEFAULT, Author, SessionId, Subject, quarantine
from mnemos_files.operations.shown import shown_id
from mnemos_files.operations.texts import (
    PART_MAX,
    TITLE_MAX,
    Reason,
    Tags,
    Title,
    clean_list,
    required,
)

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

IMPORTANCE = 8
"""What corrected somebody or binds everybody matters more than the default of 5."""


def correct(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    title: Title,
    tried: Annotated[str, Param("what was done or assumed", max_length=PART_MAX)],
    wrong_because: Annotated[str, Param("why that was wrong", max_length=PART_MAX)],
    fix: Annotated[str, Param("what to do instead", max_length=PART_MAX)],
    trigger_context: Annotated[
        str, Param("when it applies: task, file, error text", max_length=PART_MAX)
    ] = "",
    tags: Tags = (),
    agent_id: Author = "",
    project: Subject = "",
    session_id: SessionId = "",
    importance: Annotated[int, Param("1-10; 0 = 8", low=0, high=10)] = IMPORTANCE,
) -> LessonResult:
    """Add a correction: what was tried, why it was wrong, what to do instead."""
    parts = {
        "tried": tried,
        "wrong_because": wrong_because,
        "fix": fix,
        "trigger_context": trigger_context,
    }
    if not (tried.strip() or wrong_because.strip() or fix.strip()):
        problem = "one of tried, wrong_because and fix must say something"
        raise InvalidRecordError("fix", problem, remedy="Say what to do instead.")
    return _save(
        store,
        Record(
            id="",
            type="correction",
            title=required("title", title, TITLE_MAX),
            content="",
            sections=_sections(parts),
            project=project.strip(),
            tags=clean_list(tags),
            importance=importance or IMPORTANCE,
            agent=agent_id.strip() or AGENT_DEFAULT,
            session=session_id.strip(),
        ),
    )


def convention(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    title: Title,
    rule: Annotated[
        str, Param("the rule itself, so that it can be followed as it stands", max_length=PART_MAX)
    ],
    project: Annotated[str, Param("project it binds; empty = all projects", max_length=100)],
    rationale: Reason = "",
    example: Annotated[str, Param("how it looks when it is kept", max_length=PART_MAX)] = "",
    tags: Tags = (),
    agent_id: Author = "",
) -> LessonResult:
    """Add a convention: a rule that everybody in the project keeps."""
    return _save(
        store,
        Record(
            id="",
            type="convention",
            title=required("title", title, TITLE_MAX),
            content=required("rule", rule),
            sections=_sections({"rationale": rationale, "example": example}),
            project=project.strip(),
            tags=clean_list(tags),
            importance=IMPORTANCE,
            agent=agent_id.strip() or AGENT_DEFAULT,
        ),
    )


def _sections(parts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((key, text) for key, text in parts.items() if text.strip())


def _save(store: "Store", record: Record) -> LessonResult:
    saved = store.put(store.fresh(record))
    return LessonResult(
        id=shown_id(saved.record.id, saved.path),
        title=saved.record.title,
        type=saved.record.type,
        deduped=not saved.is_new,
        path=str(saved.path),
        commit=saved.receipt.commit,
        notices=[*quarantine(saved.record.trust_tier), *saved.receipt.notices],
    )
