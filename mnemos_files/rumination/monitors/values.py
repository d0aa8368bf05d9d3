"""Memories to which a newer one that says nearly the same gives another value."""

from collections.abc import Iterator

from mnemos_files.model.candidate import Evidence
from mnemos_files.rumination.facts import Alike, Facts, Finding

PENDING_MAX = 5
"""Most candidates of this monitor that wait at a time: it guesses, so it must not crowd a queue."""

SETTLED = frozenset({"contradicts", "refines", "supersedes"})
"""Links by which somebody has said already how two memories stand to each other."""

SHOWN_MAX = 5
"""Newer memories [1] that the evidence names; all are counted."""


def other_values(facts: Facts) -> Iterator[Finding]:
    """The older of two memories that differ in a number, a name or a yes and no."""
    found: dict[str, list[Alike]] = {}
    for pair in facts.alike():
        if pair.likeness.difference is not None and not pair.links & SETTLED:
            found.setdefault(pair.older.record.id, []).append(pair)
    for pairs in found.values():
        yield _finding(pairs)


def _finding(pairs: list[Alike]) -> Finding:
    kinds = sorted({each.likeness.difference.kind for each in pairs if each.likeness.difference})
    noun = "a newer memory says" if len(pairs) == 1 else f"{len(pairs)} newer memories say"
    return Finding(
        target=pairs[0].older,
        target_kind="observation",
        severity="low",
        reason=f"{noun} nearly the same with another value ({', '.join(kinds)})",
        evidence=tuple(_evidence(each) for each in pairs[:SHOWN_MAX]),
        count=len(pairs),
    )


def _evidence(pair: Alike) -> Evidence:
    other = pair.likeness.difference
    content = f'"{other.newer}" against "{other.older}"' if other else pair.newer.record.title
    return Evidence("newer value", content, str(pair.newer.path))
