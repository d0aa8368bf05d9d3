"""Which memories are believed."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidRecordError
from mnemos_files.model.note import Note
from mnemos_files.model.record import TRUST_TIERS, Record
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.results import PromoteResult
from mnemos_files.operations.scope import MemoryId
from mnemos_files.operations.shown import shown_id

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

REASON_MIN = 16
"""Least length of a reason [bytes of UTF-8]: long enough to have to say something."""

REASON_MAX = 2_000


def promote(
    store: "Store",
    *,
    id: MemoryId,  # noqa: A002 - contract
    to_tier: Annotated[str, Param("raw = back to quarantine", choices=TRUST_TIERS)],
    why_better: Annotated[
        str,
        Param(
            "what is better now and how that could be found wrong; at least 16 characters, kept",
            max_length=REASON_MAX,
        ),
    ],
) -> PromoteResult:
    """Move a memory to another trust tier; the reason stays in its file and in the commit."""
    reason = why_better.strip()
    if len(reason.encode()) < REASON_MIN:
        problem = f"must have at least {REASON_MIN} characters"
        remedy = "Name what was checked, or what the memory predicts that could turn out wrong."
        raise InvalidRecordError("why_better", problem, remedy=remedy)

    def change(note: Note) -> Record:
        return replace(note.record, trust_tier=to_tier, promoted_reason=reason)

    changed = store.update(id, change, op="promote", body=reason)
    return PromoteResult(
        id=shown_id(changed.record.id, changed.path),
        to_tier=to_tier,
        why_better=reason,
        from_tier=changed.before.trust_tier,
        path=str(changed.path),
        commit=changed.receipt.commit,
        notices=list(changed.receipt.notices),
    )
