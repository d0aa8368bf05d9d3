"""The memories of a made-up project, as the steps in which its agents came to them."""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from importlib import resources

from mnemos_files.format.paths import path_for
from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import IMPORTANCE_DEFAULT, Record
from mnemos_files.model.ulid import make_ulid

FILE = "sample/memories.toml"

_SECTION_KEYS = {"rationale": "why", "trigger_context": "when"}

_Row = Mapping[str, object]


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
    text = resources.files("mnemos_files.cli").joinpath(FILE).read_text(encoding="utf-8")
    rows: list[_Row] = tomllib.loads(text)["memory"]
    known: dict[str, Record] = {}
    return [_step(row, now.astimezone(UTC), known) for row in rows]


def by_title(steps: Sequence[SampleStep], title: str) -> Record:
    """The record with this title in its last state.

    Raises:
        KeyError: no record of the sample is called so.
    """
    records = [record for step in steps for record in (*step.created, *step.changed)]
    return {record.title: record for record in records}[title]


def _step(row: _Row, now: datetime, known: dict[str, Record]) -> SampleStep:
    """The next step; `known` holds the records by key as they are before, and after, it."""
    record = _record(row, now, known)
    at = record.created or now
    closed = {key: _closed(known[key], record, row) for key in _texts(row, "supersedes")}
    known |= closed | {_text(row, "key"): record}
    return SampleStep(
        at=at,
        subject=f"save({record.type}): {record.title}",
        reason=_text(row, "reason") or record.section("rationale"),
        agent=record.agent,
        created=(record,),
        changed=tuple(closed.values()),
    )


def _record(row: _Row, now: datetime, known: Mapping[str, Record]) -> Record:
    at = _moment(row, now)
    key = _text(row, "key")
    type_name = _text(row, "type")
    return Record(
        id=make_ulid(at, hashlib.sha256(key.encode()).digest()),
        type=type_name,
        title=_text(row, "title"),
        content=_text(row, "content"),
        sections=_sections(row, type_name),
        project=_text(row, "project"),
        tags=_texts(row, "tags"),
        importance=_number(row, "importance") or IMPORTANCE_DEFAULT,
        agent=_text(row, "agent"),
        created=at,
        expires=_end(row, at),
        source_kind=_text(row, "source_kind") or "user",
        trust_tier=_text(row, "trust_tier") or "curated",
        derived_from=_links(row, "derived_from", known),
        related=_links(row, "related", known),
        caused_by=_links(row, "caused_by", known),
        supersedes=_links(row, "supersedes", known),
        contradicts=_links(row, "contradicts", known),
        refines=_links(row, "refines", known),
    )


def _closed(old: Record, new: Record, row: _Row) -> Record:
    """The old record with its end: when, why and through which file."""
    return replace(
        old,
        invalidated=new.created,
        invalidated_by=_stem(new),
        invalidated_reason=_text(row, "reason"),
        valid_until=old.valid_until or new.created,
    )


def _sections(row: _Row, type_name: str) -> tuple[tuple[str, str], ...]:
    keys = [section.key for section in KINDS[type_name].sections]
    texts = [(key, _text(row, _SECTION_KEYS.get(key, key))) for key in keys]
    return tuple((key, text) for key, text in texts if text)


def _links(row: _Row, name: str, known: Mapping[str, Record]) -> tuple[str, ...]:
    return tuple(_stem(known[key]) for key in _texts(row, name))


def _stem(record: Record) -> str:
    return path_for(record).stem


def _moment(row: _Row, now: datetime) -> datetime:
    day = now.date() - timedelta(days=_number(row, "days_ago"))
    return datetime.combine(day, time.fromisoformat(_text(row, "time")), UTC)


def _end(row: _Row, at: datetime) -> datetime | None:
    days = _number(row, "expires_after_days")
    return at + timedelta(days=days) if days else None


def _text(row: _Row, key: str) -> str:
    return str(row.get(key, "")).strip()


def _texts(row: _Row, key: str) -> tuple[str, ...]:
    value = row.get(key, ())
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _number(row: _Row, key: str) -> int:
    value = row.get(key, 0)
    return value if isinstance(value, int) else 0
