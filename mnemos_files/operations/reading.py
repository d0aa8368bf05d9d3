"""Search and read memories."""

from dataclasses import replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidQueryError
from mnemos_files.model.decay import Decay, importance_left
from mnemos_files.model.event import Accessed
from mnemos_files.model.kind import KINDS
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.query import LIMIT_DEFAULT, LIMIT_MAX, Query
from mnemos_files.model.record import LINK_TYPES, Record
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.results import GetResult, LinkedNote, SearchHit, SearchResult
from mnemos_files.operations.scope import AgentId, MemoryId, Project
from mnemos_files.operations.shown import Screen, clip, shown_id, shown_name, source_of
from mnemos_files.operations.size import ANSWER_MAX, cost, page
from mnemos_files.operations.texts import LIST_MAX, QUERY_MAX, TIME_MAX, Texts, clean_list
from mnemos_files.operations.times import read_time

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store
    from mnemos_files.store.values import Answer, Found, Opened

LINKS_MAX = 12
SNIPPETS = (160, 100, 60)
"""Lengths [characters] that snippets are cut to, in turn, while a page is too large."""

SECTIONS_MAX = 2_000
PAGE_MIN = 4_000
PROPERTIES_MAX = 15
ID_TAIL = 6


def search(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    query: Annotated[
        str, Param("what to find, in plain words; punctuation is just text", max_length=QUERY_MAX)
    ],
    type: Annotated[str, Param("only this kind", choices=("", *KINDS))] = "",  # noqa: A002 - contract
    tags: Annotated[Texts, Param("only memories with all of these", max_items=LIST_MAX)] = (),
    min_importance: Annotated[int, Param("only from this importance on", low=0, high=10)] = 0,
    limit: Annotated[int, Param("hits on a page", low=0, high=LIMIT_MAX)] = LIMIT_DEFAULT,
    offset: Annotated[int, Param("where the page begins; next_offset tells", low=0)] = 0,
    agent_id: AgentId = "",
    project: Project = "",
    include_stale: Annotated[bool, Param("also invalidated, outdated, expired ones")] = False,
    include_raw: Annotated[bool, Param("also quarantined ones")] = False,
    as_of: Annotated[
        str, Param("what the vault said at this time (ISO 8601)", max_length=TIME_MAX)
    ] = "",
    explain: Annotated[bool, Param("give the parts of each score")] = False,
) -> SearchResult:
    """Ranked memories for a question."""
    if not query.strip():
        raise InvalidQueryError("query", "is required", remedy="Say in words what to look for.")
    answer = store.search(
        Query(
            text=query,
            now=store.now(),
            type=type,
            tags=clean_list(tags),
            min_importance=min_importance,
            agent=agent_id.strip(),
            project=project.strip(),
            include_stale=include_stale,
            include_raw=include_raw,
            as_of=read_time("as_of", as_of),
            limit=limit or LIMIT_DEFAULT,
            offset=offset,
        )
    )
    hits = _fitting([_hit(store, found, explain=explain) for found in answer.found])
    end = offset + len(hits)
    return SearchResult(
        results=hits,
        retrieval_mode=answer.ranking.mode,
        total=answer.ranking.total,
        index="catching_up" if answer.pending else "ready",
        pending=answer.pending,
        next_offset=end if end < answer.ranking.total and hits else None,
        best_below_floor=answer.ranking.best_below_floor,
        message=_verdict(answer),
        notices=list(answer.notices),
    )


def get(
    store: "Store",
    *,
    id: MemoryId,  # noqa: A002 - contract
    offset: Annotated[int, Param("where in the content to begin [characters]", low=0)] = 0,
) -> GetResult:
    """One memory in full, read from its file."""
    opened = store.get(id)
    record = opened.note.record
    left = _left(store, record)
    store.journal.note([Accessed(store.now(), (record.id,))])
    screen = Screen(source_of(record, is_ours=opened.note.is_ours))
    is_long = sum(len(text) for _, text in record.sections) > SECTIONS_MAX
    text = screen.text(_whole(opened.note) if is_long or not record.content else record.content)
    whole = _described(store, opened, () if is_long or offset else record.sections, screen)
    whole = replace(whole, decayed_importance=left if left < record.importance else None)
    part = page(text, offset, max(PAGE_MIN, ANSWER_MAX - cost(whole)))
    end = offset + len(part)
    return replace(
        whole,
        content=part,
        total_chars=len(text),
        offset=offset,
        next_offset=end if end < len(text) else None,
    )


def _left(store: "Store", record: Record) -> int:
    """The importance that counts as long as nobody reads it."""
    uses = store.journal.tally().uses.get(record.id)
    decay = Decay(*store.settings.decay)
    return importance_left(record, uses.last if uses else None, store.now(), decay)


def _whole(note: Note) -> str:
    """The text of a note with its parts; what a skill is for stands in its front matter."""
    if note.record.kind.name != "skill":
        return note.body
    return f"{note.record.content}\n\n{note.body}"


def _described(
    store: "Store", opened: "Opened", sections: tuple[tuple[str, str], ...], screen: Screen
) -> GetResult:
    """Everything but the text itself."""
    record, standing = opened.note.record, opened.standing
    uses = store.journal.tally().uses.get(record.id)
    mark = store.last_change(opened.note.path)
    shown = {key: screen.text(text) for key, text in sections}
    properties = {key: _flat(value) for key, value in record.properties[:PROPERTIES_MAX]}
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
        live=standing.is_live(store.now()),
        last_author=screen.text(mark.author) if mark else None,
        last_commit=mark.commit if mark else None,
        access_count=uses.accesses if uses else 0,
        promoted_reason=screen.text(record.promoted_reason) or None,
        personal=[shown_name(each) for each in record.personal[:LINKS_MAX]],
        sections=shown,
        project=screen.text(record.project) or None,
        session=shown_name(record.session) or None,
        created_at=record.created,
        updated_at=record.updated,
        valid_from=record.valid_from,
        valid_until=record.valid_until,
        invalidated_at=standing.invalidated,
        invalidated_by=_id_of(store, standing.invalidated_by) if standing.invalidated_by else None,
        expires_at=record.expires,
        derived_from=[_id_of(store, parent) for parent in record.derived_from[:LINKS_MAX]],
        links=_links(store, record),
        backlinks=_backlinks(store, opened),
        properties={screen.text(key): screen.text(value) for key, value in properties.items()},
        problems=screen.texts(tuple(map(str, opened.note.problems[:LINKS_MAX]))),
        notices=_history_note(store, opened),
        risk=screen.risk_or_none,
        rules=screen.rules,
    )


def _hit(store: "Store", found: "Found", *, explain: bool) -> SearchHit:
    entry = found.hit.entry
    record = entry.record
    screen = Screen(source_of(record, is_ours=entry.is_ours))
    title, text = screen.text(clip(record.title)), screen.text(found.snippet)
    return SearchHit(
        id=shown_id(record.id, entry.path),
        title=title,
        type=record.type,
        tags=screen.texts(record.tags),
        importance=record.importance,
        score=round(found.hit.score, 6),
        snippet=text,
        created_at=record.created,
        source_kind=record.source_kind,
        trust_tier=record.trust_tier,
        derived_from=[_id_of(store, parent) for parent in record.derived_from],
        path=str(entry.path),
        project=shown_name(record.project) or None,
        invalidated_at=record.invalidated,
        invalidated_by=_id_of(store, record.invalidated_by) if record.invalidated_by else None,
        risk=screen.risk_or_none,
        rules=screen.rules or None,
        problems=screen.texts(tuple(map(str, entry.problems))) or None,
        why=dict(found.hit.parts) if explain else None,
    )


def _fitting(hits: list[SearchHit]) -> list[SearchHit]:
    """The hits in the size of an answer: with shorter snippets, and if need be fewer."""
    costs = [cost(hit) for hit in hits]
    for length in SNIPPETS:
        if sum(costs) <= ANSWER_MAX:
            break
        hits = [replace(hit, snippet=_cut(hit.snippet, length)) for hit in hits]
        costs = [cost(hit) for hit in hits]
    ends = accumulate(costs)
    return hits[:1] + [
        hit for hit, end in zip(hits[1:], islice(ends, 1, None), strict=True) if end <= ANSWER_MAX
    ]


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    return text[: max(text.rfind(" ", length // 2, length), length // 2)].rstrip("… ") + "…"


def _verdict(answer: "Answer") -> str | None:
    if answer.ranking.hits:
        return None
    if answer.pending:
        return f"Nothing found yet; {answer.pending} files are still being read. Ask again soon."
    if answer.ranking.total:
        return f"No more: this question has {answer.ranking.total} results, all before this offset."
    return "Nothing stored fits this question."


def _links(store: "Store", record: Record) -> list[LinkedNote]:
    pairs = [(kind, link) for kind in LINK_TYPES for link in record.links(kind)]
    return [_linked(store, kind, link) for kind, link in pairs[:LINKS_MAX]]


def _linked(store: "Store", kind: str, link: str) -> LinkedNote:
    paths = store.resolve(link)
    entry = store.index.entry(paths[0]) if len(paths) == 1 else None
    if entry is None:
        return LinkedNote(kind, shown_name(link))
    note_id = shown_id(entry.record.id, entry.path)
    return LinkedNote(kind, shown_name(link), note_id, str(entry.path))


def _backlinks(store: "Store", opened: "Opened") -> list[LinkedNote]:
    here = str(opened.note.path)
    names = (opened.note.path.stem.casefold(), opened.note.record.id.casefold())
    found: list[LinkedNote] = []
    for entry in store.index.entries.values():
        if len(found) == LINKS_MAX:
            break
        if str(entry.path) == here or not _may_mean(entry, names):
            continue
        kind = _link_kind(store, entry, here)
        if kind:
            link = entry.path.stem
            note_id = shown_id(entry.record.id, entry.path)
            found.append(LinkedNote(kind, link, note_id, str(entry.path)))
    return found


def _may_mean(entry: Entry, names: tuple[str, str]) -> bool:
    """Cheap test before links are resolved: some link ends like the stem, its id tail or the id."""
    stem, record_id = names
    ends = (stem, f"{stem}.md", record_id, f"-{record_id[-ID_TAIL:]}")
    return any(link.casefold().endswith(ends) for link in entry.outgoing)


def _link_kind(store: "Store", entry: Entry, path: str) -> str:
    """Type of the link from this note to the path; "mentions" for one in its text; "" = none."""
    for kind in (*LINK_TYPES, "derived_from"):
        if any(store.resolve(link) == (path,) for link in entry.record.links(kind)):
            return kind
    is_mentioned = any(store.resolve(link) == (path,) for link in entry.outgoing)
    return "mentions" if is_mentioned else ""


def _id_of(store: "Store", link: str) -> str:
    paths = store.resolve(link)
    entry = store.index.entry(paths[0]) if len(paths) == 1 else None
    return shown_name(link) if entry is None else shown_id(entry.record.id, entry.path)


def _history_note(store: "Store", opened: "Opened") -> list[str]:
    notes = list(store.urgent_notices())
    if opened.note.record.trust_tier == "raw":
        notes.append("quarantined (raw): nobody has confirmed this text")
    return notes


def _flat(value: str | tuple[str, ...]) -> str:
    return clip(value if isinstance(value, str) else ", ".join(value))
