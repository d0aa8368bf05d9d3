"""Read one memory: as it is, or as it was."""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import NotFoundError
from mnemos_files.model.decay import Decay, importance_left
from mnemos_files.model.event import Accessed
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.results import GetResult
from mnemos_files.operations.scope import MemoryId
from mnemos_files.operations.shown import Screen, clip, shown_id, shown_name, source_of
from mnemos_files.operations.size import ANSWER_MAX, cost, page
from mnemos_files.operations.standpoint import (
    LINKS_MAX,
    Standpoint,
    Today,
    backlinks_of,
    id_of,
    links_of,
    open_then,
)
from mnemos_files.operations.times import AsOf, KnownAt, Times, ValidAt, read_times

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store
    from mnemos_files.store.values import Opened

SECTIONS_MAX = 2_000
PAGE_MIN = 4_000
PROPERTIES_MAX = 15
COMMIT_DIGITS = 12


def get(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    id: MemoryId,  # noqa: A002 - contract
    offset: Annotated[int, Param("where to begin [characters]", low=0)] = 0,
    as_of: AsOf = "",
    known_at: KnownAt = "",
    valid_at: ValidAt = "",
) -> GetResult:
    """One memory in full, read from its file, or from the commit of another time."""
    times = read_times(as_of, known_at, valid_at)
    from mnemos_files.format.anchors import split_anchor  # noqa: PLC0415 - with the store

    if "[[" in id:
        return _answer(store, split_anchor(id), offset, times)
    try:
        return _answer(store, (id, ""), offset, times)
    except NotFoundError:
        name, place = split_anchor(id)
        if name in ("", id):
            raise
    return _answer(store, (name, place), offset, times)


def _answer(store: "Store", place: tuple[str, str], offset: int, times: Times) -> GetResult:
    """A note by its name; the text begins at a heading or block of it, when one is named."""
    name, anchor = place
    if times.past is None:
        opened = store.get(name)
        screen = Screen(source_of(opened.note.record, is_ours=opened.note.is_ours))
        whole = _of_today(store, opened, screen)
    else:
        then, opened = open_then(store, name, times.past)
        screen = Screen(source_of(opened.note.record, is_ours=opened.note.is_ours))
        whole = _of_then(_described(then, opened, screen), then.commit, times.past)
    whole = replace(whole, live=times.is_live(opened.standing, store.now()))
    whole = replace(whole, notices=[*whole.notices, *_trust(opened)])
    if not anchor:
        return _paged(whole, opened, offset, screen)
    return _paged_from(anchor, whole, opened, offset, screen)


def _paged(whole: GetResult, opened: "Opened", offset: int, screen: Screen) -> GetResult:
    """The answer with a page of the text; parts stand beside a short one."""
    record = opened.note.record
    is_long = sum(len(text) for _, text in record.sections) > SECTIONS_MAX
    if not is_long and not offset:
        sections = {key: screen.text(text) for key, text in record.sections}
        whole = replace(whole, sections=sections)
    text = screen.text(_text(opened.note) if is_long or not record.content else record.content)
    return _with_page(whole, text, offset, screen)


def _paged_from(
    anchor: str, whole: GetResult, opened: "Opened", offset: int, screen: Screen
) -> GetResult:
    """The answer with a page of the whole text, from a heading or block on."""
    from mnemos_files.format.anchors import NOWHERE, find_anchor  # noqa: PLC0415 - with the store

    text = screen.text(_text(opened.note))
    at = find_anchor(text, anchor, opened.note.record.kind)
    if at == NOWHERE:
        told = f"it has no heading or block #{shown_name(anchor)}: this is its beginning"
        whole, at = replace(whole, notices=[*whole.notices, told]), 0
    return _with_page(whole, text, offset or at, screen)


def _with_page(whole: GetResult, text: str, offset: int, screen: Screen) -> GetResult:
    whole = replace(whole, risk=screen.risk_or_none, rules=screen.rules)
    part = page(text, offset, max(PAGE_MIN, ANSWER_MAX - cost(whole)))
    end = offset + len(part)
    return replace(
        whole,
        content=part,
        total_chars=len(text),
        offset=offset,
        next_offset=end if end < len(text) else None,
    )


def _text(note: Note) -> str:
    """The text of a note with its parts; what a skill is for stands in its front matter."""
    if note.record.kind.name != "skill":
        return note.body
    return f"{note.record.content}\n\n{note.body}"


def _of_today(store: "Store", opened: "Opened", screen: Screen) -> GetResult:
    """What is known of a note now, this read among its uses."""
    record = opened.note.record
    left = _left(store, record)
    store.journal.note([Accessed(store.now(), (record.id,))])
    uses = store.journal.tally().uses.get(record.id)
    mark = store.last_change(opened.note.path)
    return replace(
        _described(Today(store), opened, screen),
        last_author=screen.text(mark.author) if mark else None,
        last_commit=mark.commit if mark else None,
        access_count=uses.accesses if uses else 0,
        decayed_importance=left if left < record.importance else None,
        notices=list(store.urgent_notices()),
    )


def _left(store: "Store", record: Record) -> int:
    """The importance that counts as long as nobody reads it."""
    uses = store.journal.tally().uses.get(record.id)
    decay = Decay(*store.settings.decay)
    return importance_left(record, uses.last if uses else None, store.now(), decay)


def _of_then(whole: GetResult, commit: str, moment: datetime) -> GetResult:
    told = f"as of {moment:%Y-%m-%dT%H:%M:%SZ}, commit {commit[:COMMIT_DIGITS]}; now it may differ"
    return replace(whole, at_commit=commit, notices=[told])


def _described(at: Standpoint, opened: "Opened", screen: Screen) -> GetResult:
    """What the note says but for its text, and how it is linked."""
    record, standing = opened.note.record, opened.standing
    properties = {key: _flat(value) for key, value in record.properties[:PROPERTIES_MAX]}
    ended_by = standing.invalidated_by
    return GetResult(
        id=shown_id(record.id, opened.note.path),
        title=screen.text(record.title),
        type=record.type,
        content="",
        total_chars=0,
        offset=0,
        path=str(opened.note.path),
        version=opened.version,
        tags=screen.texts(record.tags),
        importance=record.importance,
        agent_id=screen.text(record.agent),
        source_kind=record.source_kind,
        trust_tier=record.trust_tier,
        live=False,
        promoted_reason=screen.text(record.promoted_reason) or None,
        personal=[shown_name(each) for each in record.personal[:LINKS_MAX]],
        project=screen.text(record.project) or None,
        session=shown_name(record.session) or None,
        created_at=record.created,
        updated_at=record.updated,
        valid_from=record.valid_from,
        valid_until=record.valid_until,
        invalidated_at=standing.invalidated,
        invalidated_by=id_of(at, ended_by) if ended_by else None,
        expires_at=record.expires,
        derived_from=[id_of(at, parent) for parent in record.derived_from[:LINKS_MAX]],
        links=links_of(at, record),
        backlinks=backlinks_of(at, opened),
        properties={screen.text(key): screen.text(value) for key, value in properties.items()},
        problems=screen.texts(tuple(map(str, opened.note.problems[:LINKS_MAX]))),
    )


def _trust(opened: "Opened") -> list[str]:
    is_raw = opened.note.record.trust_tier == "raw"
    return ["quarantined (raw): nobody has confirmed this text"] if is_raw else []


def _flat(value: str | tuple[str, ...]) -> str:
    return clip(value if isinstance(value, str) else ", ".join(value))
