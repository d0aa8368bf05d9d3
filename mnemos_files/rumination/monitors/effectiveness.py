"""Skills that fail more often than they work."""

from collections.abc import Iterator

from mnemos_files.model.candidate import Evidence
from mnemos_files.rumination.facts import Facts, Finding, Skill, day

HIGH, MEDIUM = 0.5, 0.8
"""Shares of the floor below which the doubt is severe, or more than slight (mnemos 7.1)."""


def failing_skills(facts: Facts) -> Iterator[Finding]:
    """Skills that were used enough to say so, and whose share of successes is below the floor."""
    settings = facts.settings
    for skill in facts.skills:
        score = skill.score
        is_tried = score.uses >= settings.skill_min_uses
        if is_tried and score.effectiveness < settings.skill_effectiveness_floor:
            yield _finding(skill, settings.skill_effectiveness_floor)


def _finding(skill: Skill, floor: float) -> Finding:
    score = skill.score
    share = f"{score.successes} of {score.uses} uses worked"
    content = f"{share}, the floor is {floor:g}; saved or used last on {day(score.moved)}"
    return Finding(
        target=skill,
        target_kind="skill",
        severity=_severity(score.effectiveness, floor),
        reason=f"{share}, less than {floor:g} of them",
        evidence=(Evidence("effectiveness history", content, str(skill.path)),),
        count=score.uses - score.successes,
    )


def _severity(effectiveness: float, floor: float) -> str:
    if effectiveness < HIGH * floor:
        return "high"
    return "medium" if effectiveness < MEDIUM * floor else "low"
