"""Skills about a thing that is still done wrong after they were made."""

from collections.abc import Iterable, Iterator

from mnemos_files.model.candidate import AGENT_NAMELESS, Evidence
from mnemos_files.model.label import ORIGIN, is_structural, label, origin
from mnemos_files.model.tally import NEVER
from mnemos_files.rumination.facts import Facts, Finding, Memory, Skill, day, step

MEDIUM, HIGH = 2, 3
"""Multiples of the settings' number from which the doubt is more than slight, or severe."""

SHOWN_MAX = 20
"""Corrections [1] that the evidence names, newest first; all are counted."""

Group = tuple[str, str, str]
"""Agent, project and label of corrections about one thing."""


def repeated_corrections(facts: Facts) -> Iterator[Finding]:
    """Skills below which enough corrections of one group came after they were made."""
    wanted = facts.settings.correction_repeat_n
    found: dict[str, tuple[Skill, list[Memory]]] = {}
    by_tag = _by_tag(facts.skills)
    for group, corrections in sorted(_groups(facts.corrections).items()):
        skill = by_tag.get(ORIGIN + origin(*group)) or by_tag.get(group[2])
        made = skill.record.created if skill else None
        if skill is None or made is None:
            continue
        later = [one for one in corrections if (one.record.created or NEVER) > made]
        if len(later) >= wanted:
            found.setdefault(skill.record.id, (skill, []))[1].extend(later)
    for skill, later in found.values():
        yield _finding(skill, later, wanted)


def _groups(corrections: Iterable[Memory]) -> dict[Group, list[Memory]]:
    groups: dict[Group, list[Memory]] = {}
    for one in corrections:
        record = one.record
        about = label(record.tags, record.title)
        if about:
            key = (record.agent or AGENT_NAMELESS, record.project, about)
            groups.setdefault(key, []).append(one)
    return groups


def _by_tag(skills: Iterable[Skill]) -> dict[str, Skill]:
    """Skills by the tags that say what they are about or came from; of several the newest."""
    found: dict[str, Skill] = {}
    ordered = sorted(skills, key=lambda skill: str(skill.path))
    ordered.sort(key=lambda skill: skill.record.updated or skill.record.created or NEVER)
    for skill in ordered:
        tags = (tag.strip().lower() for tag in skill.record.tags)
        found.update((tag, skill) for tag in tags if tag.startswith(ORIGIN) or _says(tag))
    return found


def _says(tag: str) -> bool:
    return bool(tag) and not is_structural(tag)


def _finding(skill: Skill, later: list[Memory], wanted: int) -> Finding:
    later.sort(key=lambda one: one.record.id, reverse=True)
    later.sort(key=lambda one: one.record.created or NEVER, reverse=True)
    made = day(skill.record.created)
    return Finding(
        target=skill,
        target_kind="skill",
        severity=step(len(later), MEDIUM * wanted, HIGH * wanted),
        reason=f"{len(later)} corrections since the skill was made on {made}",
        evidence=tuple(map(_evidence, later[:SHOWN_MAX])),
        count=len(later),
    )


def _evidence(one: Memory) -> Evidence:
    content = f"{one.record.title} ({day(one.record.created)})"
    return Evidence("post-creation corrections", content, str(one.path))
