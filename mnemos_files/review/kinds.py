"""What a change does to a memory."""

from collections.abc import Callable
from dataclasses import dataclass

from mnemos_files.model.record import TRUST_TIERS, Record
from mnemos_files.review.pairs import Pair

_EXPLAINED = (
    "invalidated",
    "invalidated_by",
    "invalidated_reason",
    "trust_tier",
    "promoted_reason",
    "updated",
)
"""Fields that another kind than `changed` speaks of, or that every change touches."""


@dataclass(frozen=True, slots=True)
class ChangeKind:
    """A name, what it means, and when a memory was changed so."""

    name: str
    meaning: str
    holds: Callable[[Pair], bool]


def kinds_of(pair: Pair) -> tuple[str, ...]:
    """Every kind of change that it is, the one that says most first."""
    return tuple(kind.name for kind in KINDS if kind.holds(pair)) or ("reformatted",)


def _is_new(pair: Pair) -> bool:
    return pair.before is None and not _is_brought_back(pair)


def _is_restored(pair: Pair) -> bool:
    if pair.before is None:
        return _is_brought_back(pair)
    is_live_again = pair.after is not None and pair.after.record.invalidated is None
    return pair.before.record.invalidated is not None and is_live_again


def _is_brought_back(pair: Pair) -> bool:
    ops = {dict(revision.trailers).get("Mnemos-Op") for revision in pair.revisions}
    return "restore" in ops


def _has_ended(pair: Pair) -> bool:
    """True when it was live and is marked as over now."""
    if pair.before is None or pair.after is None:
        return False
    return pair.before.record.invalidated is None and pair.after.record.invalidated is not None


def _is_superseded(pair: Pair) -> bool:
    return _has_ended(pair) and pair.after is not None and bool(pair.after.record.invalidated_by)


def _is_invalidated(pair: Pair) -> bool:
    return _has_ended(pair) and not _is_superseded(pair)


def _tier_step(pair: Pair) -> int:
    """How many tiers it rose [1], negative when it fell, 0 for one that is on one side only."""
    if pair.before is None or pair.after is None:
        return 0
    was, now = pair.before.record.trust_tier, pair.after.record.trust_tier
    return TRUST_TIERS.index(now) - TRUST_TIERS.index(was)


def _is_changed(pair: Pair) -> bool:
    if pair.before is None or pair.after is None or pair.before.data == pair.after.data:
        return False
    before, after = pair.before.record, pair.after.record
    explained = (*_EXPLAINED, "valid_until") if _has_ended(pair) else _EXPLAINED
    names = (name for name in Record.__dataclass_fields__ if name not in explained)
    return any(getattr(before, name) != getattr(after, name) for name in names) or (
        pair.before.note.is_ours != pair.after.note.is_ours
    )


KINDS: tuple[ChangeKind, ...] = (
    ChangeKind("new", "it was not there before", _is_new),
    ChangeKind("deleted", "its file is gone; the history still has it", lambda p: p.after is None),
    ChangeKind("restored", "it was deleted or invalidated, and holds again", _is_restored),
    ChangeKind("superseded", "it holds no longer, another memory replaces it", _is_superseded),
    ChangeKind("invalidated", "it holds no longer", _is_invalidated),
    ChangeKind("promoted", "it is trusted more than before", lambda p: _tier_step(p) > 0),
    ChangeKind("demoted", "it is trusted less than before", lambda p: _tier_step(p) < 0),
    ChangeKind("changed", "its text or a property is another one", _is_changed),
    ChangeKind("renamed", "its file has another name or folder", lambda p: p.path != p.before_path),
)
"""Every kind, the one that says most first; a file whose bytes alone differ is `reformatted`."""
