"""Memories that other ones contradict."""

from collections.abc import Iterator

from mnemos_files.model.candidate import Evidence
from mnemos_files.rumination.facts import Facts, Finding, Memory, day, step

MEDIUM, HIGH = 2, 3
"""Weights from which the doubt is more than slight, or severe; two raw records weigh one."""

SHOWN_MAX = 20
"""Records [1] that the evidence names; all are counted."""


def contradicted(facts: Facts) -> Iterator[Finding]:
    """Memories to which enough others have a link `contradicts`."""
    targets: dict[str, Memory] = {}
    sources: dict[str, dict[str, Memory]] = {}
    for edge in facts.contradictions:
        name, other = edge.target.record.id, edge.source.record.id
        if name != other:
            targets[name] = edge.target
            sources.setdefault(name, {})[other] = edge.source
    for name, target in targets.items():
        against = list(sources[name].values())
        if len(against) >= facts.settings.contradiction_threshold:
            yield _finding(target, against)


def _finding(target: Memory, against: list[Memory]) -> Finding:
    raw = sum(source.record.trust_tier == "raw" for source in against)
    curated = len(against) - raw
    weight = max(curated + raw // 2, 1)
    plural = "record" if len(against) == 1 else "records"
    return Finding(
        target=target,
        target_kind="skill" if target.record.type == "skill" else "observation",
        severity=step(weight, MEDIUM, HIGH),
        reason=f"contradicted by {len(against)} {plural} ({curated} curated, {raw} raw)",
        evidence=tuple(map(_evidence, against[:SHOWN_MAX])),
        count=len(against),
    )


def _evidence(source: Memory) -> Evidence:
    record = source.record
    content = f"{record.title} ({record.trust_tier}, {day(record.created)}, {record.id})"
    return Evidence("contradicted by", content, str(source.path))
