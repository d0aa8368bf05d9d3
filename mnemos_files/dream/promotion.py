"""Which corrections belong together, and when they have earned to become a skill. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from mnemos_files.dream.likeness import alike
from mnemos_files.model.label import origin
from mnemos_files.safety.mask import mask

FLOOR = 3
"""Corrections [1] below which nothing is said about a group."""

MANY = 5
"""Corrections [1] that are enough by their number, once they are spread."""

SPREAD = 2
"""Sessions, or days in UTC, [1] over which they must be spread."""

DIGEST_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A correction as far as it is needed to group and to judge it.

    `about` is its label, `digest` that of its text, `saved` the time of its id, `session` the name
    of its session ("" = none) and `failed` tells that this one failed or was blocked. `surfaced`
    is when it was first put before a model; `words` are the terms of its text, which are needed
    only where an agent has corrections about several things in a project.
    """

    id: str
    digest: str
    agent: str
    project: str
    about: str
    saved: datetime
    session: str = ""
    failed: bool = False
    surfaced: datetime | None = None
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Cluster:
    """Corrections of one agent and project about one thing, oldest first."""

    agent: str
    project: str
    about: str
    members: tuple[Correction, ...]

    @property
    def origin(self) -> str:
        """Name of the group [12 hex digits]: stays while members come and go."""
        return origin(self.agent, self.project, self.about)

    @property
    def digest(self) -> str:
        """Digest [12 hex digits] of the members with their texts."""
        lines = sorted(f"{one.id} {one.digest}" for one in self.members)
        return sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:DIGEST_DIGITS]

    @property
    def name(self) -> str:
        """How a report and its skill call it, without a secret that a tag or title may hold."""
        about = mask(self.about)
        return f"{about} ({self.project})" if self.project else about


def clusters(corrections: Iterable[Correction], promoted: Collection[str]) -> list[Cluster]:
    """Groups by agent, project and label, in the order of project, label and agent.

    To each group belong also corrections with another label that say nearly the same as one with
    its own. A group whose members all belong to a larger one, or to one of the `promoted` origins,
    is left out, unless it is promoted itself: what is said twice becomes one skill.
    """
    scopes: defaultdict[tuple[str, str], list[Correction]] = defaultdict(list)
    for one in corrections:
        if one.about:
            scopes[one.agent, one.project].append(one)
    found = [each for scope in scopes.values() for each in _in_scope(scope, promoted)]
    return sorted(found, key=lambda each: (each.project, each.about, each.agent))


def _in_scope(corrections: Sequence[Correction], promoted: Collection[str]) -> list[Cluster]:
    known = {one.id: one for one in corrections}
    own: defaultdict[str, set[str]] = defaultdict(set)
    for one in corrections:
        own[one.about].add(one.id)
    members = {about: set(ids) for about, ids in own.items()}
    for first, second in alike(
        {one.id: one.words for one in corrections}, {one.id: one.about for one in corrections}
    ):
        members[known[first].about].add(second)
        members[known[second].about].add(first)
    agent, project = corrections[0].agent, corrections[0].project
    are_promoted = {about for about in own if origin(agent, project, about) in promoted}
    order = sorted(own, key=lambda about: (about not in are_promoted, -len(own[about]), about))
    return [
        Cluster(agent, project, about, _ordered(known, members[about]))
        for about in _uncovered(order, members, are_promoted)
    ]


def _uncovered(
    order: Sequence[str], members: Mapping[str, set[str]], are_promoted: Collection[str]
) -> list[str]:
    """The groups that have a member of their own against those before them, or are promoted."""
    groups_of: defaultdict[str, set[str]] = defaultdict(set)
    kept = []
    for about in order:
        covering = set.intersection(*(groups_of[each] for each in members[about]))
        if about in are_promoted or not covering:
            kept.append(about)
            for each in members[about]:
                groups_of[each].add(about)
    return kept


def _ordered(known: Mapping[str, Correction], ids: Iterable[str]) -> tuple[Correction, ...]:
    return tuple(sorted((known[each] for each in ids), key=lambda one: (one.saved, one.id)))


def too_few(cluster: Cluster) -> str:
    """Why the number of corrections says nothing yet, "" when it does."""
    count = len(cluster.members)
    return f"{count} of {FLOOR} corrections" if count < FLOOR else ""


def not_yet(cluster: Cluster) -> str:
    """Why a group is no skill yet, "" when it has earned to become one.

    Its corrections must be spread over sessions or days: one bad hour is no lesson. Then either
    they are many, or one was saved although another had been put before the agent, or one comes
    from a session that failed or was blocked.
    """
    members = cluster.members
    if few := too_few(cluster):
        return few
    sessions = {one.session for one in members if one.session}
    days = {one.saved.astimezone(UTC).date() for one in members}
    if len(sessions) < SPREAD and len(days) < SPREAD:
        return f"{len(members)} corrections, all of one session and day"
    if len(members) >= MANY or any(one.failed for one in members) or _came_again(members):
        return ""
    return (
        f"{len(members)} of {MANY} corrections; none came again after it had been surfaced, "
        "and no session of theirs failed"
    )


def _came_again(members: Sequence[Correction]) -> bool:
    """True when one was saved after the earliest time at which any of them was surfaced."""
    first = min((one.surfaced for one in members if one.surfaced is not None), default=None)
    return first is not None and any(one.saved > first for one in members)
