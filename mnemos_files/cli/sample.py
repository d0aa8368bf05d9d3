"""The memories of a made-up project, as the steps in which its agents came to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from mnemos_files.cli.sample_rows import (
    Row,
    made_id,
    moment_of,
    number_of,
    tables,
    text_of,
    texts_of,
)
from mnemos_files.cli.sample_work import session_ids
from mnemos_files.format.paths import path_for
from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import IMPORTANCE_DEFAULT, Record

FILE = "memories.toml"

_SECTION_KEYS = {"rationale": "why", "trigger_context": "when"}


@dataclass(frozen=True, slots=True)
class SampleStep:
    """One commit of the sample: what was added and what was closed at that moment [UTC]."""

    at: datetime
    subject: str
    reason: str
    agent: str
    created: tuple[Record, ...]
    changed: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A search, and the title that should come first."""

    text: str
    title: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A question whose answer changed when the record `new` superseded the record `old`."""

    text: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A change by hand in the record `title`, and a search that only the new sentence answers."""

    title: str
    before: str
    after: str
    text: str


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo does with the sample; records are named by their title."""

    questions: tuple[Question, ...]
    turn: Turn
    edit: Edit


DEMO = Demo(
    questions=(
        Question("may I add an index to a big table", "Never add an index without CONCURRENTLY"),
        Question("E_LABEL_4012", "E_LABEL_4012: the postcode needs a leading zero"),
        Question("how are staff passwords stored", "Hash staff passwords with Argon2id"),
    ),
    turn=Turn(
        "after how many days does a tracking link expire",
        old="Tracking links expire after 14 days",
        new="Tracking links expire after 90 days",
    ),
    edit=Edit(
        "What the proof of delivery holds",
        before="Pictures are kept as long as the parcel's record.",
        after="Faces on doorstep pictures are blurred, and the pictures are erased after 30 days.",
        text="blurred doorstep faces",
    ),
)
"""Before the edit no record has a word of its question, so the search shows the edit alone."""


def load_sample(now: datetime) -> list[SampleStep]:
    """Steps of the sample in time order, the last one a day before `now`; same `now`, same steps.

    Records carry the ids, links and times that the demo's vault will show.
    """
    now = now.astimezone(UTC)
    known: dict[str, Record] = {}
    sessions = session_ids(now)
    return [_step(row, now, known, sessions) for row in tables(FILE)["memory"]]


def by_title(steps: Sequence[SampleStep], title: str) -> Record:
    """The record with this title in its last state.

    Raises:
        KeyError: no record of the sample is called so.
    """
    records = [record for step in steps for record in (*step.created, *step.changed)]
    return {record.title: record for record in records}[title]


def _step(
    row: Row, now: datetime, known: dict[str, Record], sessions: Mapping[str, str]
) -> SampleStep:
    """The next step; `known` holds the records by key as they are before, and after, it."""
    record = _record(row, now, known)
    key = text_of(row, "session")
    record = replace(record, session=sessions[key] if key else "")
    at = record.created or now
    closed = {key: _closed(known[key], record, row) for key in texts_of(row, "supersedes")}
    known |= closed | {text_of(row, "key"): record}
    return SampleStep(
        at=at,
        subject=f"save({record.type}): {record.title}",
        reason=text_of(row, "reason") or record.section("rationale"),
        agent=record.agent,
        created=(record,),
        changed=tuple(closed.values()),
    )


def _record(row: Row, now: datetime, known: Mapping[str, Record]) -> Record:
    at = moment_of(row, now)
    key = text_of(row, "key")
    type_name = text_of(row, "type")
    return Record(
        id=made_id(at, key),
        type=type_name,
        title=text_of(row, "title"),
        content=text_of(row, "content"),
        sections=_sections(row, type_name),
        project=text_of(row, "project"),
        tags=texts_of(row, "tags"),
        importance=number_of(row, "importance") or IMPORTANCE_DEFAULT,
        agent=text_of(row, "agent"),
        created=at,
        expires=_end(row, at),
        source_kind=text_of(row, "source_kind") or "user",
        trust_tier=text_of(row, "trust_tier") or "curated",
        derived_from=_links(row, "derived_from", known),
        related=_links(row, "related", known),
        caused_by=_links(row, "caused_by", known),
        supersedes=_links(row, "supersedes", known),
        contradicts=_links(row, "contradicts", known),
        refines=_links(row, "refines", known),
    )


def _closed(old: Record, new: Record, row: Row) -> Record:
    """The old record with its end: when, why and through which file."""
    return replace(
        old,
        invalidated=new.created,
        invalidated_by=_stem(new),
        invalidated_reason=text_of(row, "reason"),
        valid_until=old.valid_until or new.created,
    )


def _sections(row: Row, type_name: str) -> tuple[tuple[str, str], ...]:
    keys = [section.key for section in KINDS[type_name].sections]
    texts = [(key, text_of(row, _SECTION_KEYS.get(key, key))) for key in keys]
    return tuple((key, text) for key, text in texts if text)


def _links(row: Row, name: str, known: Mapping[str, Record]) -> tuple[str, ...]:
    return tuple(_stem(known[key]) for key in texts_of(row, name))


def _stem(record: Record) -> str:
    return path_for(record).stem


def _end(row: Row, at: datetime) -> datetime | None:
    days = number_of(row, "expires_after_days")
    return at + timedelta(days=days) if days else None
