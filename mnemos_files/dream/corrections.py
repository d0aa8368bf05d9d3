"""The corrections of a vault and the skills that were made from them, as promotion sees them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mnemos_files.dream.lesson import Lesson
from mnemos_files.dream.promotion import Correction
from mnemos_files.format.record import parse
from mnemos_files.model.label import ORIGIN, label
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record
from mnemos_files.model.tally import NEVER, Uses
from mnemos_files.model.ulid import is_ulid, ulid_time
from mnemos_files.safety.present import masked
from mnemos_files.store.store import Store

ORIGIN_KEY = "mnemos-promoted-origin"
"""Property of a skill: the group of corrections that it was made from."""

MEMBERS_KEY = "mnemos-promoted-members"
"""Property of a skill: the digest of the corrections with their texts."""

FAILED = frozenset({"failed", "blocked"})
"""Ends of a session that speak for a lesson."""

AGENT_NAMELESS = "default"
EVERYTHING = 1_000_000_000
"""More notes than a vault has."""

_FRAME = frozenset({"tri", "wrong", "fix", "appli"})
"""Terms of the headings that every correction has."""


@dataclass(frozen=True, slots=True)
class Found:
    """Corrections that hold, by id, what the index has of each, and a line for those left out."""

    corrections: tuple[Correction, ...]
    entries: Mapping[str, Entry]
    left_out: tuple[str, ...]


def corrections(store: Store, now: datetime) -> Found:
    """Corrections that hold and are not quarantined.

    One whose text the scan found to give orders is left out: a client loads skills as they are.
    """
    query = Query(text="", now=now, type="correction")
    entries = store.index.select(query, order="created", limit=EVERYTHING)
    ours = {entry.record.id: entry for entry in reversed(entries) if entry.is_ours}
    uses = store.journal.tally().uses
    outcomes: dict[str, bool] = {}
    found, left_out = [], []
    for entry in ours.values():
        record = entry.record
        if record.flags:
            left_out.append(f"{record.title}: left out, it is flagged ({', '.join(record.flags)})")
            continue
        if record.session not in outcomes:
            outcomes[record.session] = _has_failed(store, record.session)
        found.append(_correction(entry, uses, failed=outcomes[record.session]))
    return Found(tuple(_with_words(found, ours, store)), ours, tuple(left_out))


def _with_words(
    found: Sequence[Correction], entries: Mapping[str, Entry], store: Store
) -> Iterator[Correction]:
    """The corrections; with their words where there are others to compare them with."""
    labels: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for one in found:
        labels[one.agent, one.project].add(one.about)
    for one in found:
        if len(labels[one.agent, one.project]) > 1:
            words = store.index.terms(str(entries[one.id].path)) - _FRAME
            yield replace(one, words=words)
        else:
            yield one


def lesson(store: Store, entry: Entry) -> Lesson:
    """What a correction says, secrets masked.

    Raises:
        NotFoundError: its file is gone.
    """
    data, _ = store.place.vault.read(entry.path)
    record = parse(entry.path, data).record
    return Lesson(
        tried=masked(record.section("tried")),
        wrong_because=masked(record.section("wrong_because")),
        fix=masked(record.section("fix")),
        when=masked(record.section("trigger_context")),
        content=masked(record.content),
    )


@dataclass(frozen=True, slots=True)
class Skills:
    """The skills of a vault: those made from corrections by origin, and agent and name of all."""

    by_origin: Mapping[str, Entry]
    names: frozenset[tuple[str, str]]


def skills(store: Store, now: datetime) -> Skills:
    """All skills, also those that hold no longer."""
    query = Query(text="", now=now, type="skill", include_stale=True, include_raw=True)
    entries = store.index.select(query, order="created", limit=EVERYTHING)
    return Skills(
        {name: entry for entry in entries if (name := _origin(entry.record))},
        frozenset((entry.record.agent, entry.record.title) for entry in entries),
    )


def _origin(record: Record) -> str:
    named = dict(record.properties).get(ORIGIN_KEY)
    tags = [tag.removeprefix(ORIGIN) for tag in record.tags if tag.startswith(ORIGIN)]
    return named if isinstance(named, str) and named else "".join(tags[:1])


def _correction(entry: Entry, uses: Mapping[str, Uses], *, failed: bool) -> Correction:
    record = entry.record
    saved = ulid_time(record.id) if is_ulid(record.id) else record.created or NEVER
    use = uses.get(record.id)
    return Correction(
        id=record.id,
        digest=entry.digest,
        agent=record.agent or AGENT_NAMELESS,
        project=record.project,
        about=label(record.tags, record.title),
        saved=saved,
        session=record.session,
        failed=failed,
        surfaced=None if use is None else use.surfaced,
    )


def _has_failed(store: Store, link: str) -> bool:
    """True when the session that a correction names reached nothing."""
    for path in store.resolve(link) if link else ():
        entry = store.index.entry(path)
        if entry is not None and entry.record.type == "session":
            status = dict(entry.record.properties).get("status", "")
            return isinstance(status, str) and status.strip().lower() in FAILED
    return False
