"""The working sessions and skills of the made-up project, as steps in time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from mnemos_files.model.event import SessionStarted, Touched
from mnemos_files.model.record import Record
from mnemos_files.model.session import Ending
from mnemos_files.model.skill import SESSIONS_KEY

FILE = "work.toml"


@dataclass(frozen=True, slots=True)
class SkillSaved:
    """A skill that was saved at that moment [UTC]."""

    at: datetime
    record: Record


@dataclass(frozen=True, slots=True)
class SessionDone:
    """The end [UTC] of the session with this id."""

    at: datetime
    session: str
    ending: Ending


Deed = SessionStarted | Touched | SkillSaved | SessionDone
"""One step of work; the first two are events of the journal."""


def load_work(now: datetime) -> list[Deed]:
    """Steps of the sessions in time order, with the ids and times that the vault will show."""
    found, now = tables(FILE), now.astimezone(UTC)
    skills = {text_of(row, "key"): _skill_id(row, now) for row in found["skill"]}
    deeds: list[Deed] = []
    for row in found["session"]:
        deeds += _session(row, now, skills)
    deeds += [_skill(row, now, session_ids(now)) for row in found["skill"]]
    return sorted(deeds, key=lambda deed: deed.at)


def session_ids(now: datetime) -> dict[str, str]:
    """The ids of the sample's sessions, by the key that its tables use."""
    return {text_of(row, "key"): _session_id(row, now) for row in tables(FILE)["session"]}


def _session(row: Row, now: datetime, skills: dict[str, str]) -> Iterator[Deed]:
    begin, session = moment_of(row, now), _session_id(row, now)
    project, agent = text_of(row, "project"), text_of(row, "agent")
    yield SessionStarted(begin, session, project, agent, text_of(row, "goal"))
    touched = texts_of(row, "touched")
    length = timedelta(minutes=number_of(row, "minutes"))
    for at, path in zip(_spread(begin, length, len(touched)), touched, strict=True):
        yield Touched(at, path, project, agent, session)
    ending = Ending(
        summary=text_of(row, "summary"),
        reflection=text_of(row, "reflection"),
        status=text_of(row, "status"),
        outcome_tags=texts_of(row, "outcome_tags"),
        skills=tuple((skills[key], "success") for key in texts_of(row, "skills")),
    )
    yield SessionDone(begin + length, session, ending)


def _spread(begin: datetime, length: timedelta, count: int) -> Sequence[datetime]:
    return [begin + length * (place + 1) / (count + 1) for place in range(count)]


def _skill(row: Row, now: datetime, sessions: dict[str, str]) -> SkillSaved:
    at = moment_of(row, now)
    parts = ((key, text_of(row, key)) for key in ("procedure", "pitfalls"))
    record = Record(
        id=_skill_id(row, now),
        type="skill",
        title=text_of(row, "title"),
        content=text_of(row, "description"),
        sections=tuple((key, text) for key, text in parts if text),
        tags=texts_of(row, "tags"),
        agent=text_of(row, "agent"),
        created=at,
        properties=((SESSIONS_KEY, (sessions[text_of(row, "session")],)),),
    )
    return SkillSaved(at, record)


def _session_id(row: Row, now: datetime) -> str:
    return made_id(moment_of(row, now), f"session/{text_of(row, 'key')}")


def _skill_id(row: Row, now: datetime) -> str:
    return made_id(moment_of(row, now), f"skill/{text_of(row, 'key')}")
