"""Memories that nobody took out of quarantine."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from mnemos_files.model.candidate import Evidence
from mnemos_files.rumination.facts import Facts, Finding, Memory, day, step

MEDIUM, HIGH = 2, 3
"""Multiples of the settings' days from which the doubt is more than slight, or severe."""


def stale_raw(facts: Facts) -> Iterator[Finding]:
    """Memories that are raw for longer than the settings allow, oldest first."""
    limit = timedelta(days=facts.settings.stale_raw_days)
    for memory in facts.raw:
        created = memory.record.created
        if created is not None and facts.now - created > limit:
            yield _finding(memory, created, (facts.now - created) / limit)


def _finding(memory: Memory, created: datetime, ratio: float) -> Finding:
    source = memory.record.source_kind
    content = f"raw since {day(created)}, saved with source {source}; nobody confirmed it"
    return Finding(
        target=memory,
        target_kind="observation",
        severity=step(ratio, MEDIUM, HIGH),
        reason=f"in quarantine since {day(created)}",
        evidence=(Evidence("quarantine history", content, str(memory.path)),),
        count=min(int(ratio), HIGH),  # so that time alone raises it twice at most
    )
