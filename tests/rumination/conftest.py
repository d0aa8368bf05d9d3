"""Vaults with skills, corrections and quarantined memories, and passes over them."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.model.candidate import Candidate, from_record
from mnemos_files.model.event import SkillUsed
from mnemos_files.model.record import Record
from mnemos_files.rumination.closing import auto_resolved
from mnemos_files.rumination.detect import Detection, detect
from mnemos_files.rumination.queue import filed
from mnemos_files.store.edits import Work
from mnemos_files.store.store import Store
from tests.conftest import an_observation


def a_skill(store: Store, name: str = "deploy", **fields: object) -> Record:
    """A saved skill."""
    given = {
        "id": store.new_id(store.now()),
        "type": "skill",
        "title": name,
        "content": "Deploys the API.",
        "sections": (("procedure", "Restart the server after each deploy."),),
        "agent": "codex",
        "created": store.now().replace(microsecond=0),
    }
    return store.skills.save(Record(**(given | fields))).record


def use(store: Store, skill: Record, *, failures: int = 0, successes: int = 0) -> None:
    """Recorded uses of a skill."""
    outcomes = ["failure"] * failures + ["success"] * successes
    store.journal.append([SkillUsed(store.now(), skill.id, outcome) for outcome in outcomes])


def a_raw_memory(store: Store, title: str = "Guess", **fields: object) -> Record:
    """A memory in quarantine."""
    fields = {"content": f"{title}, guessed.", "trust_tier": "raw", "source_kind": "tool"} | fields
    return store.put(an_observation(store, title=title, **fields)).record


def write(store: Store, detection: Detection) -> str:
    """The commit of what was detected, "" when there is nothing."""
    edits = (*detection.adds, *detection.changes)
    return store.edits.commit(Work("ruminate", "ruminate(vault): detection", edits)).commit


def resolve(store: Store) -> str:
    """The commit of what answers itself, "" when nothing does."""
    work = Work("ruminate", "ruminate(vault): answered", auto_resolved(store))
    return store.edits.commit(work).commit


def dream(store: Store) -> Detection:
    """Detection and answers, as a pass over the vault writes them."""
    found = detect(store)
    write(store, found)
    resolve(store)
    return found


def read(store: Store, candidate_id: str) -> Candidate:
    """A candidate with the texts of its file."""
    return from_record(store.get(candidate_id).note.record)


def only(store: Store) -> Candidate:
    """The one candidate of the vault."""
    (one,) = filed(store)
    return read(store, one.candidate.id)


def edit(store: Store, root: Path, candidate_id: str, old: str, new: str) -> None:
    """A person's edit of a candidate's file."""
    path = root / store.get(candidate_id).note.path
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def failing(store: Store, clock: Callable) -> Record:
    """A skill of yesterday that worked twice in twelve uses."""
    skill = a_skill(store)
    clock.tick(days=1)
    use(store, skill, failures=10, successes=2)
    return skill


DAY = timedelta(days=1)
