"""Save, link and delete memories."""

import shlex
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidRecordError
from mnemos_files.model.kind import SAVED_TYPES
from mnemos_files.model.record import LINK_TYPES, SOURCE_KINDS, TRUST_TIERS, Record
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.results import DeleteResult, LinkResult, SaveResult
from mnemos_files.operations.scope import AGENT_DEFAULT, Author, MemoryId, SessionId, Subject
from mnemos_files.operations.shown import Screen, shown_id, shown_name
from mnemos_files.operations.texts import (
    CONTENT_MAX,
    LIST_MAX,
    TIME_MAX,
    TITLE_MAX,
    Reason,
    Tags,
    Texts,
    Title,
    clean_list,
    required,
)
from mnemos_files.operations.times import read_time

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

TRUSTED_SOURCES = frozenset({"user", "dream"})
"""Sources whose memories enter curated; what a tool or an agent concludes enters raw."""


def save(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    title: Title,
    content: Annotated[
        str, Param("the memory: what, where, what was learned; markdown", max_length=CONTENT_MAX)
    ],
    type: Annotated[str, Param("kind of memory", choices=SAVED_TYPES)],  # noqa: A002 - contract
    tags: Tags = (),
    importance: Annotated[int, Param("1 = trivia, 10 = must know; 0 = 5", low=0, high=10)] = 5,
    ttl_days: Annotated[int, Param("days until it expires; 0 = never", low=0, high=36500)] = 0,
    agent_id: Author = "",
    project: Subject = "",
    session_id: SessionId = "",
    valid_from: Annotated[str, Param("when the fact begins (ISO 8601)", max_length=TIME_MAX)] = "",
    valid_until: Annotated[str, Param("when the fact ends (ISO 8601)", max_length=TIME_MAX)] = "",
    source_kind: Annotated[str, Param("where it comes from", choices=SOURCE_KINDS)] = "user",
    trust_tier: Annotated[
        str, Param("raw = quarantined; default by source_kind", choices=("", *TRUST_TIERS))
    ] = "",
    derived_from: Annotated[
        Texts, Param("ids of memories it was concluded from", max_length=400, max_items=LIST_MAX)
    ] = (),
    rationale: Reason = "",
    supersedes: Annotated[
        Texts, Param("ids of memories that this one replaces", max_length=400, max_items=LIST_MAX)
    ] = (),
) -> SaveResult:
    """Add a memory, or give the live one that says the same."""
    now = store.now()
    tier = _tier(source_kind, trust_tier)
    record = Record(
        id=store.new_id(now),
        type=type,
        title=required("title", title, TITLE_MAX),
        content=required("content", content),
        sections=(("rationale", rationale),) if rationale.strip() else (),
        project=project.strip(),
        tags=clean_list(tags),
        importance=importance or 5,
        agent=agent_id.strip() or AGENT_DEFAULT,
        session=session_id.strip(),
        created=now.replace(microsecond=0),
        valid_from=read_time("valid_from", valid_from),
        valid_until=read_time("valid_until", valid_until),
        expires=_expiry(now, ttl_days),
        source_kind=source_kind,
        trust_tier=tier,
        derived_from=clean_list(derived_from),
    )
    _check_span(record)
    saved = store.put(record, supersedes=supersedes)
    kept = saved.record
    ended = _ended(store, kept, supersedes) if saved.is_new else []
    waiting = [name for name in supersedes if name not in ended] if saved.is_new else []
    return SaveResult(
        id=shown_id(kept.id, saved.path),
        title=kept.title,
        type=kept.type,
        source_kind=kept.source_kind,
        trust_tier=kept.trust_tier,
        derived_from=list(derived_from) if saved.is_new else [*map(shown_name, kept.derived_from)],
        created_at=kept.created,
        deduped=not saved.is_new,
        path=str(saved.path),
        commit=saved.receipt.commit,
        trust_clamped=bool(trust_tier) and saved.is_new and tier != trust_tier,
        superseded=ended,
        notices=[*saved.receipt.notices, *_waiting(waiting)],
    )


def link(
    store: "Store",
    *,
    source_id: Annotated[str, Param("the newer or dependent memory", max_length=400)],
    target_id: Annotated[str, Param("the memory it points to", max_length=400)],
    link_type: Annotated[str, Param("supersedes also ends the target", choices=LINK_TYPES)],
) -> LinkResult:
    """Link two memories; `supersedes` invalidates the target in the same commit.

    A quarantined source does so only when it is promoted, unless the target is quarantined too.
    """
    linked = store.link(source_id, target_id, link_type)
    done = "linked" if linked.is_new else "already linked:"
    source, target = shown_name(linked.source.id), shown_name(linked.target.id)
    ends = link_type != "supersedes" or linked.source.can_end(linked.target)
    return LinkResult(
        source_id=source,
        target_id=target,
        link_type=link_type,
        created=linked.is_new,
        commit=linked.receipt.commit,
        message=f"{done} {source} {link_type} {target}",
        notices=[*linked.receipt.notices, *_waiting([] if ends else [target])],
    )


def delete(store: "Store", *, id: MemoryId) -> DeleteResult:  # noqa: A002 - contract
    """Remove a memory from the files in one commit."""
    removed = store.remove(id)
    record, path = removed.record, str(removed.path)
    note_id = shown_id(record.id, removed.path)
    kept = (
        ""
        if store.history is None
        else (
            " The git history still holds its text; to purge it: "
            f"mnemos-files purge {shlex.quote(note_id)}"
        )
    )
    return DeleteResult(
        id=note_id,
        title=Screen("import").text(record.title),
        path=path,
        commit=removed.receipt.commit,
        message=f"deleted {note_id}.{kept}",
        notices=list(removed.receipt.notices),
    )


def _ended(store: "Store", record: Record, names: Sequence[str]) -> list[str]:
    """Those of the superseded memories that have ended by this."""
    if record.trust_tier != "raw":
        return list(names)
    return [name for name in names if record.can_end(store.get(name).note.record)]


def _waiting(names: Sequence[str]) -> list[str]:
    """What to say of memories that are superseded and have not ended by it."""
    if not names:
        return []
    listed = ", ".join(map(shown_name, names))
    return [
        f"quarantined (raw) or invalidated itself, so it does not end {listed} as long as it is"
    ]


def _check_span(record: Record) -> None:
    begin, end = record.valid_from, record.valid_until
    if begin and end and end <= begin:
        problem = "is not after valid_from, so the memory would never hold"
        raise InvalidRecordError("valid_until", problem, remedy="Swap them, or leave one out.")


def _tier(source_kind: str, asked: str) -> str:
    """Tier of a new memory: what a tool or an agent brings stays raw until it is promoted."""
    if source_kind in TRUSTED_SOURCES:
        return asked or "curated"
    return "raw"


def _expiry(now: datetime, ttl_days: int) -> datetime | None:
    return (now + timedelta(days=ttl_days)).replace(microsecond=0) if ttl_days > 0 else None
