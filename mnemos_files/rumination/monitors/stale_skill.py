"""Skills that nobody saved or used for a long time."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from mnemos_files.model.candidate import Evidence
from mnemos_files.rumination.facts import Facts, Finding, Skill, day, step

MEDIUM, HIGH = 2, 3
"""Multiples of the settings' days from which the doubt is more than slight, or severe."""


def stale_skills(facts: Facts) -> Iterator[Finding]:
    """Skills older than the settings allow that were never used, or mostly failed."""
    limit = timedelta(days=facts.settings.stale_skill_days)
    floor = facts.settings.stale_skill_floor
    for skill in facts.skills:
        score, moved = skill.score, skill.score.moved
        if moved is None or facts.now - moved <= limit:
            continue
        if score.uses == 0 or score.effectiveness < floor:
            yield _finding(skill, moved, (facts.now - moved) / limit)


def _finding(skill: Skill, moved: datetime, ratio: float) -> Finding:
    score = skill.score
    used = f"{score.successes} of {score.uses} uses worked" if score.uses else "never used"
    return Finding(
        target=skill,
        target_kind="skill",
        severity=step(ratio, MEDIUM, HIGH),
        reason=f"untouched since {day(moved)}, {used}",
        evidence=(
            Evidence("usage history", f"last touched on {day(moved)}; {used}", str(skill.path)),
        ),
        count=min(int(ratio), HIGH),  # so that time alone raises it twice at most
        since=moved,
    )
