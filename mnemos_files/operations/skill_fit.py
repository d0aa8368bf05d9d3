"""Skills in the size of an answer."""

from collections.abc import Sequence
from dataclasses import replace

from mnemos_files.operations.size import ANSWER_MAX, cost, page
from mnemos_files.operations.skill_results import SkillMatch

TEXT_MIN = 1_200
"""Characters [of an answer] without which the texts of one more skill are of no use."""

FRAME = 1_000
"""Room [characters] for what stands around the skills: notices, the message."""


def fitting(matches: Sequence[SkillMatch]) -> tuple[list[SkillMatch], list[str]]:
    """The skills that an answer holds, and what was left out of them.

    Short procedures are given in full, the room that is left is shared by the long ones.
    """
    bare = [replace(match, procedure="", pitfalls="", parts=None) for match in matches]
    costs = [cost(match) for match in bare]
    wants = [cost(match) - base for match, base in zip(matches, costs, strict=True)]
    kept = _kept(costs, wants)
    shares = share(wants[:kept], ANSWER_MAX - FRAME - sum(costs[:kept]))
    shown = [
        match if want <= room else _cut(match, room)
        for match, want, room in zip(matches, wants, shares, strict=False)
    ]
    notices = [
        f"the text of {match.name} is cut; mnemos_get with id {match.id} gives all of it"
        for match in shown
        if match.cut
    ]
    if kept < len(matches):
        notices.append(f"{len(matches) - kept} more skills fit, but not into one answer")
    return shown, notices


def share(wants: Sequence[int], room: int) -> list[int]:
    """How much each gets of the room: what it wants, or an equal part of what others leave."""
    shares = [0] * len(wants)
    order = sorted(range(len(wants)), key=wants.__getitem__)
    for left, index in zip(range(len(wants), 0, -1), order, strict=True):
        shares[index] = min(wants[index], room // left)
        room -= shares[index]
    return shares


def _kept(costs: Sequence[int], wants: Sequence[int]) -> int:
    """How many of the first skills fit with at least the beginnings of their texts."""
    room = ANSWER_MAX - FRAME
    for index, (base, want) in enumerate(zip(costs, wants, strict=True)):
        room -= base + min(want, TEXT_MIN)
        if room < 0 and index > 0:
            return index
    return len(costs)


def _cut(match: SkillMatch, room: int) -> SkillMatch:
    """The skill with the beginnings of its procedure and, in a third of the room, its pitfalls."""
    pitfalls = page(match.pitfalls, 0, max(room // 3, 2)) if match.pitfalls else ""
    taken = cost(pitfalls) if pitfalls else 0
    procedure = page(match.procedure, 0, max(room - taken, 2)) if match.procedure else ""
    return replace(match, procedure=procedure, pitfalls=pitfalls, parts=None, cut=True)
