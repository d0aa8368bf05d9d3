from pathlib import Path

import pytest

from mnemos_files.errors import InvalidRecordError, NotFoundError, RefusedError
from mnemos_files.operations.reading import get, search
from mnemos_files.operations.records import save
from mnemos_files.operations.trust import promote
from mnemos_files.store.store import Store
from tests.conftest import git

REASON = "The nightly run passed with this setting on three machines."


@pytest.fixture
def raw_id(store: Store) -> str:
    saved = save(
        store,
        title="The flag is called --jobs",
        content="Seen in the output of the build.",
        type="semantic",
        source_kind="tool",
        trust_tier="curated",
    )
    assert (saved.trust_tier, saved.trust_clamped) == ("raw", True)
    return saved.id


def test_a_promoted_memory_leaves_quarantine(store: Store, raw_id: str):
    before = search(store, query="flag jobs").results
    done = promote(store, id=raw_id, to_tier="curated", why_better=REASON)

    assert before == []
    assert [hit.id for hit in search(store, query="flag jobs").results] == [raw_id]
    assert (done.from_tier, done.to_tier, done.why_better) == ("raw", "curated", REASON)


def test_the_reason_stays_in_file_and_commit(store: Store, vault: Path, raw_id: str):
    done = promote(store, id=raw_id, to_tier="curated", why_better=f"  {REASON}\n")

    text = (vault / done.path).read_text(encoding="utf-8")
    assert f"promoted_reason: {REASON}\n" in text
    assert "trust_tier: curated\n" in text
    subject, body = git(vault, "log", "-1", "--format=%s%x00%b").split("\0")
    assert subject == "promote(semantic): The flag is called --jobs"
    assert body.startswith(f"{REASON}\n")
    assert "Mnemos-Trust-Tier: curated" in body


def test_promotion_changes_only_the_lines_of_its_keys(store: Store, vault: Path, raw_id: str):
    done = promote(store, id=raw_id, to_tier="curated", why_better=REASON)

    lines = git(vault, "show", "--format=", "--unified=0", "HEAD").splitlines()
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert changed == [
        "-trust_tier: raw",
        "+trust_tier: curated",
        f"+promoted_reason: {REASON}",
    ]
    assert done.commit == git(vault, "rev-parse", "HEAD").strip()


def test_a_memory_may_be_sent_back_to_quarantine(store: Store, raw_id: str):
    promote(store, id=raw_id, to_tier="skill", why_better=REASON)

    done = promote(store, id=raw_id, to_tier="raw", why_better="It failed on the fourth machine.")

    assert done.from_tier == "skill"
    assert search(store, query="flag jobs").results == []
    assert get(store, id=raw_id).trust_tier == "raw"


@pytest.mark.parametrize("reason", ["", " " * 40, "works for me", "fifteen letters", "äöüäöüä"])
def test_a_reason_that_says_nothing_is_refused(store: Store, vault: Path, raw_id: str, reason: str):
    head = git(vault, "rev-parse", "HEAD")

    with pytest.raises(InvalidRecordError, match="why_better: must have at least 16"):
        promote(store, id=raw_id, to_tier="curated", why_better=reason)

    assert git(vault, "rev-parse", "HEAD") == head
    assert git(vault, "status", "--short") == ""


def test_an_unknown_id_is_an_error(store: Store):
    with pytest.raises(NotFoundError):
        promote(store, id="01KBC3W6H5M0V2T8N4Q9F7K3QX", to_tier="curated", why_better=REASON)


@pytest.mark.usefixtures("raw_id")
def test_a_note_of_the_person_has_no_tier_to_change(store: Store, vault: Path):
    with pytest.raises(RefusedError):
        promote(store, id="Home.md", to_tier="raw", why_better=REASON)

    assert git(vault, "status", "--short") == ""
