"""What ends when a memory says that it supersedes another: by the tools and by hand alike."""

from pathlib import Path

import pytest

from mnemos_files.errors import RefusedError
from mnemos_files.operations.reading import get, search
from mnemos_files.operations.records import link, save
from mnemos_files.operations.skills import skill_match, skill_save
from mnemos_files.operations.trust import promote
from mnemos_files.store.store import Store
from tests.conftest import Clock, git


def saved(store: Store, content: str, **fields) -> str:
    return save(store, title="Password hashing", content=content, type="decision", **fields).id


def found(store: Store, **fields) -> list[str]:
    return [hit.id for hit in search(store, query="password hashing", **fields).results]


def test_a_quarantined_memory_ends_a_curated_one_only_when_it_is_promoted(
    store: Store, vault: Path, clock: Clock
):
    old = saved(store, "bcrypt, cost 12")
    before = (vault / get(store, id=old).path).read_bytes()
    clock.tick(days=1)

    done = save(
        store,
        title="Password hashing",
        content="md5 is fine",
        type="decision",
        source_kind="tool",
        supersedes=[old],
    )

    assert done.superseded == []
    assert any(old in notice and "quarantined" in notice for notice in done.notices)
    assert found(store) == [old]
    assert get(store, id=old).live
    assert (vault / get(store, id=old).path).read_bytes() == before
    promote(store, id=done.id, to_tier="curated", why_better="A person looked it up.")
    assert found(store) == [done.id]
    told = get(store, id=old)
    assert (told.live, told.invalidated_by) == (False, done.id)
    assert (vault / told.path).read_bytes() == before


def test_a_quarantined_memory_ends_a_quarantined_one(store: Store):
    old = saved(store, "argon2", source_kind="tool")

    done = save(
        store,
        title="Hash",
        content="argon2id",
        source_kind="tool",
        supersedes=[old],
        type="context",
    )

    assert done.superseded == [old]
    assert found(store, include_raw=True) == [done.id]


def test_a_link_from_a_quarantined_memory_does_not_end_a_curated_one(store: Store, vault: Path):
    old, new = saved(store, "bcrypt"), saved(store, "md5", source_kind="tool")

    done = link(store, source_id=new, target_id=old, link_type="supersedes")

    assert any(old in notice for notice in done.notices)
    assert found(store) == [old]
    again = link(store, source_id=new, target_id=old, link_type="supersedes")
    assert (again.created, git(vault, "status", "--porcelain")) == (False, "")


def test_a_quarantined_memory_cannot_name_a_note_of_a_person(store: Store):
    with pytest.raises(RefusedError):
        saved(store, "x", source_kind="tool", supersedes=["Home.md"])


def test_a_memory_superseded_by_hand_may_be_saved_again(store: Store, vault: Path, clock: Clock):
    old = saved(store, "bcrypt, cost 12")
    clock.tick(days=1)
    stem = Path(get(store, id=old).path).stem
    note = vault / "observations/argon.md"
    note.write_text(f'---\ntype: decision\nsupersedes: "[[{stem}]]"\n---\nArgon2id\n', "utf-8")
    assert not get(store, id=old).live

    again = save(store, title="Password hashing", content="bcrypt, cost 12", type="decision")

    assert not again.deduped
    assert get(store, id=again.id).live


def test_a_skill_that_is_saved_again_is_told_of_what_still_supersedes_it(store: Store):
    old, new = (
        skill_save(store, name=name, description="Ship the api.", procedure="1. Ship it.")
        for name in ("Deploy by hand", "Deploy")
    )
    link(store, source_id=new.id, target_id=old.id, link_type="supersedes")

    again = skill_save(store, name="Deploy by hand", description="x", procedure="1. Ship it now.")

    assert any("still supersedes it" in notice for notice in again.notices)
    assert [one.name for one in skill_match(store, query="ship the api").matches] == ["Deploy"]
