"""The facts of a vault, read from its index and journal."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record
from mnemos_files.model.skill import SkillScore
from mnemos_files.model.tally import Uses
from mnemos_files.rumination.facts import Contradiction, Facts, Memory, Skill
from mnemos_files.rumination.pairs import alike
from mnemos_files.store.store import Store

SKILL = "skill"
EVERYTHING = 1_000_000_000
"""More notes than a vault has."""


def gather(store: Store) -> Facts:
    """What monitors judge, as the index and the journal of this moment have it.

    Raises:
        UnavailableError: the journal cannot be read.
    """
    now = store.now()
    doubtful = store.index.doubtful(now)
    skills = tuple(_skills(store, now))
    return Facts(
        now=now,
        settings=store.settings,
        skills=skills,
        corrections=tuple(map(_memory, _select(store, now, "correction"))) if skills else (),
        contradictions=tuple(_contradictions(store, doubtful, now)),
        raw=tuple(_memory(one) for one in doubtful if one.is_ours and _is_raw(one)),
        alike=lambda: alike(store, now),
    )


def _select(store: Store, now: datetime, kind: str) -> list[Entry]:
    """Entries of a kind that hold and are not quarantined, newest first."""
    query = Query(text="", now=now, type=kind)
    return store.index.select(query, order="created", limit=EVERYTHING)


def _is_raw(entry: Entry) -> bool:
    return entry.record.trust_tier == "raw"


def _skills(store: Store, now: datetime) -> Iterator[Skill]:
    uses = store.journal.tally().uses
    for entry in _select(store, now, SKILL):
        yield Skill(entry.record, entry.path, _score(entry, uses))


def _score(entry: Entry, uses: Mapping[str, Uses]) -> SkillScore:
    """Uses of a skill; those of the time when it was a person's own have its path for an id."""
    record = entry.record
    known = [uses[name] for name in {record.id, str(entry.path)} if name in uses]
    moved = [record.updated, record.created, *(use.last_use for use in known)]
    return SkillScore(
        uses=sum(use.skill_uses for use in known),
        successes=sum(use.skill_successes for use in known),
        moved=max((moment for moment in moved if moment is not None), default=None),
    )


def _contradictions(store: Store, found: Sequence[Entry], now: datetime) -> Iterator[Contradiction]:
    """Links between records that hold; one that is dangling or ambiguous means none."""
    for entry in reversed(found):
        for link in entry.record.contradicts:
            paths = store.resolve(link)
            target = store.index.entry(paths[0]) if len(paths) == 1 else None
            if target is not None and _can_be_doubted(target.record, now):
                yield Contradiction(_memory(entry), _memory(target))


def _can_be_doubted(record: Record, now: datetime) -> bool:
    return (record.kind.is_saved or record.type == SKILL) and record.is_live(now)


def _memory(entry: Entry) -> Memory:
    return Memory(entry.record, entry.path)
