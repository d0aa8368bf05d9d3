"""Search memories."""

from dataclasses import replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidQueryError
from mnemos_files.model.kind import KINDS
from mnemos_files.model.query import LIMIT_DEFAULT, LIMIT_MAX, Query
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.getting import get
from mnemos_files.operations.results import SearchHit, SearchResult
from mnemos_files.operations.scope import AgentId, Project
from mnemos_files.operations.shown import Screen, clip, shown_id, shown_name, source_of
from mnemos_files.operations.size import ANSWER_MAX, cost
from mnemos_files.operations.standpoint import Standpoint, Today, id_of
from mnemos_files.operations.texts import LIST_MAX, QUERY_MAX, Texts, clean_list
from mnemos_files.operations.times import AsOf, KnownAt, ValidAt, read_times

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store
    from mnemos_files.store.values import Answer, Found

__all__ = ["get", "search"]

SNIPPETS = (160, 100, 60)
"""Lengths [characters] that snippets are cut to, in turn, while a page is too large."""


def search(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    query: Annotated[str, Param("what to find, in plain words", max_length=QUERY_MAX)],
    type: Annotated[str, Param("only this kind", choices=("", *KINDS))] = "",  # noqa: A002 - contract
    tags: Annotated[
        Texts, Param("only with all of these; a/ = a and below", max_items=LIST_MAX)
    ] = (),
    min_importance: Annotated[int, Param("only from this importance on", low=0, high=10)] = 0,
    limit: Annotated[int, Param("hits on a page", low=0, high=LIMIT_MAX)] = LIMIT_DEFAULT,
    offset: Annotated[int, Param("where the page begins; next_offset tells", low=0)] = 0,
    agent_id: AgentId = "",
    project: Project = "",
    include_stale: Annotated[bool, Param("also invalidated, outdated, expired ones")] = False,
    include_raw: Annotated[bool, Param("also quarantined ones")] = False,
    as_of: AsOf = "",
    known_at: KnownAt = "",
    valid_at: ValidAt = "",
    explain: Annotated[bool, Param("give the parts of each score")] = False,
) -> SearchResult:
    """Ranked memories for a question."""
    if not query.strip():
        raise InvalidQueryError("query", "is required", remedy="Say in words what to look for.")
    times = read_times(as_of, known_at, valid_at)
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
            as_of=times.as_of,
            known_at=times.known_at,
            valid_at=times.valid_at,
            limit=limit or LIMIT_DEFAULT,
            offset=offset,
        )
    )
    at = Today(store) if times.past is None else store.timeline.at(store.history, times.past)
    hits = _fitting([_hit(at, found, explain=explain) for found in answer.found])
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


def _hit(at: Standpoint, found: "Found", *, explain: bool) -> SearchHit:
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
        derived_from=[id_of(at, parent) for parent in record.derived_from],
        path=str(entry.path),
        project=shown_name(record.project) or None,
        invalidated_at=record.invalidated,
        invalidated_by=id_of(at, record.invalidated_by) if record.invalidated_by else None,
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
