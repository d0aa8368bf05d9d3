"""Memories that deserve a second thought: which ones, the question about one, and its judgement."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidQueryError, InvalidRecordError
from mnemos_files.model.candidate import STATUSES, Candidate, by_urgency
from mnemos_files.model.tokens import estimate_tokens
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.rumination_results import (
    CandidateCounts,
    CandidateList,
    CandidateRow,
    DismissResult,
    PackResult,
    ResolveResult,
)
from mnemos_files.operations.shown import Screen, clip, shown_id, shown_name
from mnemos_files.operations.size import ANSWER_MAX, cost

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

WHY_MIN = 16
REASON_MIN = 8
"""Least length of a reason [characters], blanks around it left out."""

REASON_MAX = 2_000
LIMIT_MAX = 1_000
FRAME = 1_500
"""Room [characters of an answer] for what stands around a list."""

QUOTED_MAX = 8_000
"""Most characters of a target that a question quotes."""

SOURCE = "tool"
"""Where texts of a candidate come from, for the scan: they quote others."""

CandidateId = Annotated[str, Param("id that ruminate_list gives", max_length=400)]


def ruminate_list(
    store: "Store",
    *,
    limit: Annotated[int, Param("most candidates; 0 = all", low=0, high=LIMIT_MAX)] = 0,
) -> CandidateList:
    """The candidates that wait for a judgement, the severest first, then the newest."""
    from mnemos_files.rumination.queue import filed  # noqa: PLC0415 - the store, when it is there

    store.refresh()
    found = filed(store)
    paths = {one.candidate.id: str(one.path) for one in found}
    pending = by_urgency(one.candidate for one in found if one.candidate.is_pending)
    wanted = pending[: limit or None]
    rows = _fitting([_row(candidate, paths[candidate.id]) for candidate in wanted])
    left = len(wanted) - len(rows)
    return CandidateList(
        candidates=rows,
        counts=counts(one.candidate for one in found),
        message=None if pending else "Nothing waits for a second thought.",
        notices=[f"{left} more are not shown: the answer is full"] if left else [],
    )


def ruminate_pack(store: "Store", *, id: CandidateId) -> PackResult:  # noqa: A002 - contract
    """The question about one candidate, with what is doubted and what speaks against it."""
    from mnemos_files.rumination.judgement import opened, target_of  # noqa: PLC0415 - slow
    from mnemos_files.rumination.question import question  # noqa: PLC0415 - as above

    found = opened(store, _named("id", id))
    target = target_of(store, found.candidate)
    room = QUOTED_MAX
    while True:
        asked = question(found.candidate, target, room)
        result = PackResult(
            candidate_id=shown_name(found.candidate.id),
            status=found.candidate.status,
            target_kind=found.candidate.target_kind,
            target_id=shown_id(target.record.id, target.path),
            target_name=clip(Screen(SOURCE).text(target.record.title)),
            text=asked.text,
            token_estimate=estimate_tokens(asked.text),
            safety_risk=asked.risk,
            notices=["the target is longer than what is quoted of it"] if asked.is_cut else [],
        )
        if cost(result) <= ANSWER_MAX or not room:
            return result
        room = room * 3 // 4


def ruminate_resolve(
    store: "Store",
    *,
    id: CandidateId,  # noqa: A002 - contract
    resolved_by: Annotated[str, Param("id of the skill or memory that answers", max_length=400)],
    why_better: Annotated[
        str,
        Param(
            "what it predicts that the old text did not; at least 16 characters, kept",
            max_length=REASON_MAX,
        ),
    ],
) -> ResolveResult:
    """Mark a candidate as answered by a skill or memory that says something new."""
    from mnemos_files.rumination.judgement import resolve  # noqa: PLC0415 - as above

    why = _reason("why_better", why_better, WHY_MIN)
    judged = resolve(store, _named("id", id), _named("resolved_by", resolved_by), why)
    words = ", ".join(judged.new_words)
    by = judged.by
    return ResolveResult(
        id=shown_name(judged.candidate.id),
        status="resolved",
        resolved_by=shown_id(by.record.id, by.path) if by else "",
        why_better=why,
        new_words=list(judged.new_words),
        message=f"resolved; the reason adds: {words}" if words else "it was resolved so before",
        commit=judged.receipt.commit,
        notices=list(judged.receipt.notices),
    )


def ruminate_dismiss(
    store: "Store",
    *,
    id: CandidateId,  # noqa: A002 - contract
    reason: Annotated[
        str,
        Param(
            "why the evidence does not count; at least 8 characters, kept", max_length=REASON_MAX
        ),
    ],
) -> DismissResult:
    """Mark a candidate as one whose evidence does not count."""
    from mnemos_files.rumination.judgement import dismiss  # noqa: PLC0415 - as above

    why = _reason("reason", reason, REASON_MIN)
    judged = dismiss(store, _named("id", id), why)
    return DismissResult(
        id=shown_name(judged.candidate.id),
        status="dismissed",
        reason=why,
        commit=judged.receipt.commit,
        notices=list(judged.receipt.notices),
    )


def counts(candidates: Iterable[Candidate]) -> CandidateCounts:
    """How many candidates there are of each status."""
    found = Counter(candidate.status for candidate in candidates)
    return CandidateCounts(**{status: found[status] for status in STATUSES})


def _row(candidate: Candidate, path: str) -> CandidateRow:
    screen = Screen(SOURCE)
    return CandidateRow(
        id=shown_name(candidate.id),
        monitor=clip(shown_name(candidate.monitor)),
        severity=candidate.severity,
        reason=clip(screen.text(candidate.reason)),
        target_kind=candidate.target_kind,
        target_id=shown_name(candidate.target),
        target_name=clip(screen.text(candidate.name)),
        detected_at=candidate.since,
        evidence_n=candidate.count,
        path=path,
    )


def _fitting(rows: list[CandidateRow]) -> list[CandidateRow]:
    """As many of the first rows as an answer holds."""
    room = ANSWER_MAX - FRAME
    for number, row in enumerate(rows):
        room -= cost(row)
        if room < 0:
            return rows[:number]
    return rows


def _named(name: str, value: str) -> str:
    if not value.strip():
        raise InvalidQueryError(name, "is required", remedy=f"Give the {name}.")
    return value.strip()


def _reason(name: str, text: str, least: int) -> str:
    clean = text.strip()
    if len(clean) < least:
        remedy = "Say what makes the difference, so that a later reader can check it."
        raise InvalidRecordError(name, f"must have at least {least} characters", remedy=remedy)
    return clean
