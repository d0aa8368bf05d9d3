"""Invalidating and restoring."""

from pathlib import Path

import pytest

from mnemos_files.errors import (
    AmbiguousNameError,
    ConflictError,
    CorruptError,
    InvalidQueryError,
    InvalidRecordError,
    NotFoundError,
    RefusedError,
)
from mnemos_files.operations.editing import edit, invalidate, restore
from mnemos_files.operations.reading import get, search
from mnemos_files.operations.records import delete, link
from mnemos_files.operations.skills import skill_match, skill_save
from mnemos_files.operations.trust import promote
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def status(vault: Path) -> str:
    """What git says of all but the journal of reads."""
    return git(vault, "status", "--porcelain", "--", ".", ":!.mnemos/journal")


def head(vault: Path) -> str:
    return git(vault, "rev-parse", "HEAD").strip()


def body_of_last(vault: Path) -> str:
    return git(vault, "log", "-1", "--format=%b")


def commit_all(vault: Path, message: str) -> None:
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", message)


def a_memory(store: Store, **fields: object) -> str:
    return store.put(an_observation(store, **fields)).record.id


def paths(store: Store, query: str, **options: object) -> list[str]:
    return [hit.path for hit in search(store, query=query, **options).results]


def test_an_invalidated_memory_says_when_and_why_and_is_left_out(
    store: Store, vault: Path, clock: Clock
):
    memory = a_memory(store)
    path = get(store, id=memory).path
    clock.tick(days=2)

    done = invalidate(store.acting_for("codex"), id=memory, reason="bcrypt takes\n 4096 bytes now.")

    record = store.get(memory).note.record
    assert done.changed
    assert done.invalidated_at == done.valid_until == clock.now
    assert (record.invalidated, record.valid_until) == (clock.now, clock.now)
    assert record.invalidated_reason == "bcrypt takes 4096 bytes now."
    assert git(vault, "diff", "--stat", "HEAD~1", "--", path).count("+++") == 1
    assert git(vault, "diff", "HEAD~1", "--numstat").split()[:2] == ["3", "0"]
    message = git(vault, "log", "-1", "--format=%an%n%B")
    assert message.startswith(
        "codex\ninvalidate(decision): Use Argon2id for password hashing\n\n"
        "bcrypt takes\n 4096 bytes now.\n\nMnemos-Op: invalidate\n"
    )
    assert paths(store, "Argon2id") == []
    assert paths(store, "Argon2id", include_stale=True) == [path]
    assert status(vault) == ""


def test_what_is_invalid_already_stays_as_it_is(store: Store, vault: Path, clock: Clock):
    memory = a_memory(store)
    invalidate(store, id=memory, reason="First.")
    before = head(vault)
    clock.tick(days=1)

    again = invalidate(store, id=memory, reason="Second.")

    assert not again.changed
    assert again.invalidated_at == NOON
    assert again.reason == "First."
    assert again.message == (
        f"{memory} was invalidated before, at 2026-12-01 12:00 UTC; nothing was changed"
    )
    assert head(vault) == before


def test_what_was_superseded_tells_by_what(store: Store):
    old, new = a_memory(store), a_memory(store, title="New", content="Other.")
    link(store, source_id=new, target_id=old, link_type="supersedes")
    successor = store.get(new).note.path.stem

    answer = invalidate(store, id=old, reason="It was wrong.")

    assert not answer.changed
    assert f"replaced by {successor}" in answer.message


@pytest.mark.parametrize(
    ("fields", "asked", "end"),
    [
        ({}, "2026-11-01", "2026-11-01"),
        ({"valid_until": "2026-10-01"}, "", "2026-10-01"),
        ({"valid_until": "2027-10-01"}, "", "2026-12-01T12:00:00"),
        ({"valid_until": "2027-10-01"}, "2026-11-01", "2026-11-01"),
        ({"valid_from": "2027-01-01"}, "", None),
        ({"valid_from": "2026-01-01"}, "2026-11-01", "2026-11-01"),
    ],
)
def test_since_when_it_no_longer_holds(store: Store, fields, asked, end):
    memory = a_memory(store)
    pairs = tuple(f"{key}: {value}" for key, value in fields.items())
    if pairs:
        edit(store, id=memory, set=pairs)

    done = invalidate(store, id=memory, reason="Measured.", valid_until=asked)

    shown = None if done.valid_until is None else done.valid_until.isoformat()
    assert shown == (end and f"{end}T00:00:00"[: len("2026-12-01T00:00:00")] + "+00:00")
    assert done.invalidated_at == NOON


def test_an_end_before_the_beginning_is_refused(store: Store, vault: Path):
    memory = a_memory(store)
    edit(store, id=memory, set=("valid_from: 2026-06-01",))
    before = head(vault)

    with pytest.raises(InvalidQueryError, match="is not after its valid_from"):
        invalidate(store, id=memory, reason="Measured.", valid_until="2026-05-01")
    assert head(vault) == before


@pytest.mark.parametrize("reason", ["", " \n"])
def test_an_end_needs_a_reason(store: Store, reason):
    memory = a_memory(store)

    with pytest.raises(InvalidRecordError, match="reason: is required"):
        invalidate(store, id=memory, reason=reason)


def test_a_reason_with_a_secret_is_refused(store: Store, vault: Path):
    memory = a_memory(store)
    before = head(vault)

    with pytest.raises(RefusedError, match="holds a secret"):
        invalidate(store, id=memory, reason=f"The key is {TOKEN}")
    assert head(vault) == before


def test_a_person_s_own_note_is_not_invalidated(store: Store):
    with pytest.raises(RefusedError, match="a person's own note") as caught:
        invalidate(store, id="Home.md", reason="It was wrong.")
    assert "mnemos_edit" in caught.value.remedy


def test_a_memory_that_was_invalidated_holds_again(store: Store, vault: Path, clock: Clock):
    memory = a_memory(store)
    edit(store, id=memory, set=("valid_until: 2027-10-01",))
    path = get(store, id=memory).path
    text = (vault / path).read_bytes()
    clock.tick(days=1)
    invalidate(store, id=memory, reason="Wrong.", valid_until="2026-11-01")
    clock.tick(days=1)

    done = restore(store.acting_for("codex"), id=memory)

    assert done.changed
    assert done.live
    assert done.restored_from == ""
    assert (vault / path).read_bytes() == text
    assert paths(store, "Argon2id") == [path]
    message = git(vault, "log", "-1", "--format=%an%n%B")
    assert message.startswith("codex\nrestore(decision): Use Argon2id for password hashing\n\n")
    assert "It holds again; invalidated since 2026-12-02T12:00:00+00:00." in message
    assert f"Mnemos-Op: restore\nMnemos-Id: {memory}\nMnemos-Agent: codex\n" in message


def test_what_somebody_wrote_after_the_end_stays_when_it_holds_again(store: Store):
    memory = a_memory(store)
    invalidate(store, id=memory, reason="Wrong.")
    edit(store, id=memory, append="A later thought.")

    restore(store, id=memory)

    record = store.get(memory).note.record
    assert record.content.endswith("A later thought.")
    assert (record.invalidated, record.valid_until) == (None, None)


def test_a_superseded_memory_that_is_restored_tells_what_supersedes_it(store: Store):
    old, new = a_memory(store), a_memory(store, title="New", content="Other.")
    link(store, source_id=new, target_id=old, link_type="supersedes")

    done = restore(store, id=old)

    assert done.superseded_by == [new]
    assert not done.live
    assert any(f"{new} still supersedes it" in notice for notice in done.notices)
    assert store.get(old).note.record.invalidated_by == ""

    invalidate(store, id=new, reason="Wrong after all.")
    back = restore(store, id=old, version=store.versions.of(old)[-1].commit)
    assert back.superseded_by == []


def test_a_memory_that_only_a_link_by_hand_ends_is_told_of_it(store: Store, vault: Path):
    old, new = a_memory(store), a_memory(store, title="New", content="Other.")
    path, stem = vault / get(store, id=new).path, store.get(old).note.path.stem
    text = path.read_text().replace("trust_tier:", f'supersedes:\n  - "[[{stem}]]"\ntrust_tier:')
    path.write_text(text)

    with pytest.raises(InvalidQueryError, match=f"was not invalidated, {new} supersedes it"):
        restore(store, id=old)
    edit(store, id=new, unset=("supersedes",))
    with pytest.raises(InvalidQueryError, match="nobody has invalidated it"):
        restore(store, id=old)


def test_any_version_comes_back_by_commit_or_blob(store: Store, vault: Path, clock: Clock):
    memory = a_memory(store)
    path = vault / get(store, id=memory).path
    texts = [path.read_bytes()]
    for number in range(3):
        clock.tick(hours=1)
        edit(store, id=memory, append=f"Step {number}.", title=f"Title {number}")
        texts.append(path.read_bytes())
    commits = git(vault, "log", "--format=%H", "--reverse", "--", str(path)).split()
    blobs = [
        git(vault, "rev-parse", f"{one}:{get(store, id=memory).path}").strip() for one in commits
    ]

    for name, text in [
        (commits[0], texts[0]),
        (commits[1][:8], texts[1]),
        (blobs[2], texts[2]),
        (blobs[0][:7], texts[0]),
    ]:
        done = restore(store, id=memory, version=name)
        assert done.changed
        assert path.read_bytes() == text
        assert done.restored_from in git(vault, "log", "--format=%H").split()
        assert done.version == get(store, id=memory).version
        assert f"The text of commit {done.restored_from[:12]}, 2026-12-01" in body_of_last(vault)
    before = head(vault)
    same = restore(store, id=memory, version=blobs[0])
    assert not same.changed
    assert same.commit == ""
    assert head(vault) == before
    assert status(vault) == ""


def test_nothing_to_take_back_is_an_error_that_names_versions(store: Store, vault: Path):
    memory = a_memory(store)
    first = get(store, id=memory).version
    edit(store, id=memory, append="More.")
    delete(store, id=memory)
    restore(store, id=memory)

    with pytest.raises(InvalidQueryError) as caught:
        restore(store, id=memory)

    assert "is there, and nobody has invalidated it" in caught.value.message
    assert caught.value.remedy == (
        f"Give a version of mnemos_history. Before it: {first[:12]} (2026-12-01)."
    )


def test_a_deleted_memory_comes_back_by_id_and_by_path(store: Store, vault: Path):
    memory = a_memory(store)
    edit(store, id=memory, append="More.")
    path = get(store, id=memory).path
    text = (vault / path).read_bytes()

    for name in (memory, path, path.removesuffix(".md")):
        delete(store, id=memory)
        assert paths(store, "Argon2id") == []
        done = restore(store, id=name)
        assert done.changed
        assert done.live
        assert done.id == memory
        assert (vault / path).read_bytes() == text
        assert paths(store, "Argon2id") == [path]
    assert status(vault) == ""


def test_an_earlier_text_of_a_deleted_memory_comes_back(store: Store, vault: Path):
    memory = a_memory(store)
    first = git(vault, "rev-parse", "HEAD").strip()
    path = vault / get(store, id=memory).path
    text = path.read_bytes()
    edit(store, id=memory, append="More.")
    delete(store, id=memory)

    done = restore(store, id=memory, version=first[:10])

    assert done.restored_from == first
    assert path.read_bytes() == text


def test_a_note_that_a_person_deleted_comes_back(store: Store, vault: Path):
    memory = a_memory(store)
    path = vault / get(store, id=memory).path
    text = path.read_bytes()
    path.unlink()
    assert restore(store, id=memory).changed
    assert path.read_bytes() == text

    path.unlink()
    commit_all(vault, "gone")
    assert restore(store, id=memory).changed
    assert path.read_bytes() == text
    assert git(vault, "log", "-2", "--format=%an|%s").splitlines() == [
        "default|restore(decision): Use Argon2id for password hashing",
        "Ines Example|gone",
    ]


def test_a_person_s_own_note_comes_back_only_when_it_is_gone(store: Store, vault: Path):
    first = head(vault)
    (vault / "Home.md").write_text("# Home\n\nMore.\n")
    commit_all(vault, "more")

    with pytest.raises(RefusedError, match="a person's own note"):
        restore(store, id="Home.md", version=first)
    delete(store, id="Home.md")
    assert restore(store, id="Home.md").path == "Home.md"

    assert (vault / "Home.md").read_text() == "# Home\n\nMore.\n"


def test_a_path_that_another_note_has_taken_is_a_clear_error(store: Store, vault: Path):
    memory = a_memory(store)
    path = vault / get(store, id=memory).path
    delete(store, id=memory)
    path.write_text("# Something else\n")
    before = head(vault)

    with pytest.raises(ConflictError, match="is taken by another note, 'Something else'"):
        restore(store, id=memory)

    assert path.read_text() == "# Something else\n"
    assert head(vault) == before


def test_an_uncommitted_edit_is_adopted_before_a_version_comes_back(store: Store, vault: Path):
    memory = a_memory(store)
    first = head(vault)
    path = vault / get(store, id=memory).path
    edit(store, id=memory, append="More.")
    path.write_text(path.read_text() + "\nBy hand.\n")

    restore(store, id=memory, version=first)

    assert git(vault, "log", "-2", "--format=%an|%s").splitlines() == [
        "default|restore(decision): Use Argon2id for password hashing",
        "Ines Example|edit(decision): Use Argon2id for password hashing",
    ]
    assert "By hand." in git(vault, "show", f"HEAD~1:{path.relative_to(vault)}")
    assert "By hand." not in path.read_text()


def test_a_version_comes_back_to_the_path_of_today(store: Store, vault: Path):
    memory = a_memory(store)
    first = head(vault)
    path = vault / get(store, id=memory).path
    text = path.read_bytes()
    edit(store, id=memory, append="More.")
    (vault / "moved").mkdir()
    path.rename(vault / "moved/here.md")
    commit_all(vault, "move")

    done = restore(store, id=memory, version=first)

    assert done.path == "moved/here.md"
    assert (vault / "moved/here.md").read_bytes() == text
    assert not path.exists()


@pytest.mark.parametrize("version", ["zzzz", "0123456789", "HEAD~99", "--all", "x" * 150])
def test_what_is_no_version_is_refused(store: Store, vault: Path, version):
    memory = a_memory(store)
    before = head(vault)

    with pytest.raises(NotFoundError):
        restore(store, id=memory, version=version)
    assert head(vault) == before


def test_a_commit_that_deleted_it_has_no_text(store: Store, vault: Path):
    memory = a_memory(store)
    delete(store, id=memory)
    gone = head(vault)

    with pytest.raises(NotFoundError):
        restore(store, id=memory, version=gone)


def test_a_vague_name_restores_nothing(store: Store, vault: Path):
    for folder in ("a", "b"):
        (vault / folder).mkdir()
        (vault / folder / "Plan.md").write_text(f"{folder}\n")
    commit_all(vault, "plans")

    with pytest.raises(AmbiguousNameError, match=r"a/Plan\.md, b/Plan\.md"):
        restore(store, id="Plan", version="HEAD")
    delete(store, id="a/Plan.md")
    with pytest.raises(NotFoundError):
        restore(store, id="Plan")
    assert restore(store, id="a/Plan").path == "a/Plan.md"


def test_what_is_quarantined_is_not_trusted_again_by_an_old_text(store: Store):
    memory = a_memory(store)
    first = store.versions.of(memory)[0].commit
    edit(store, id=memory, append="More.")
    promote(store, id=memory, to_tier="raw", why_better="It failed on three machines.")

    done = restore(store, id=memory, version=first)

    record = store.get(memory).note.record
    assert record.trust_tier == "raw"
    assert record.content == "bcrypt caps its input at 72 bytes."
    assert any("quarantined" in notice for notice in done.notices)


def test_a_text_from_before_it_was_a_memory_does_not_come_back_as_one(store: Store, vault: Path):
    first = head(vault)
    memory = edit(store, id="Home.md", set=("type: decision",), append="Text.").id

    with pytest.raises(RefusedError, match="was not this memory then"):
        restore(store, id=memory, version=first)


def test_an_old_text_with_a_secret_does_not_come_back(store: Store, vault: Path):
    memory = a_memory(store)
    path = vault / get(store, id=memory).path
    clean = path.read_text()
    path.write_text(f"{clean}\n{TOKEN}\n")
    commit_all(vault, "oops")
    bad = head(vault)
    path.write_text(clean)
    commit_all(vault, "better")

    with pytest.raises(RefusedError, match="holds a secret"):
        restore(store, id=memory, version=bad)
    assert path.read_text() == clean


def test_a_skill_that_is_restored_counts_on(store: Store):
    for procedure in ("1. One.", "1. Two.", "1. Three."):
        skill = skill_save(store, name="deploy", description="Roll out.", procedure=procedure).id
    first = store.versions.of(skill)[-1].commit

    restore(store, id=skill, version=first)

    (match,) = skill_match(store, query="deploy").matches
    assert match.procedure == "1. One."
    after = skill_save(store, name="deploy", description="Roll out.", procedure="1. Five.")
    assert after.version == 5


def test_a_file_in_conflict_is_not_written_over(store: Store, vault: Path):
    memory = a_memory(store)
    first = head(vault)
    path = vault / get(store, id=memory).path
    text = path.read_text() + "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"
    path.write_text(text)
    invalid = text.replace("created:", "invalidated: 2026-12-01T10:00:00Z\ncreated:")

    done = restore(store, id=memory, version=first)
    assert done.changed
    assert "<<<<<<<" in git(vault, "show", f"HEAD~1:{path.relative_to(vault)}")
    path.write_text(invalid)
    with pytest.raises(CorruptError):
        restore(store, id=memory)
    assert path.read_text() == invalid


def test_a_vault_without_history_takes_an_end_back(tmp_path: Path, open_vault: OpenStore):
    root = tmp_path / "plain"
    root.mkdir()
    git(root, "init", "-q")
    git(root, "config", "core.repositoryformatversion", "1")
    git(root, "config", "extensions.unheardOf", "true")
    store = open_vault(root)
    assert store.history is None
    memory = a_memory(store)
    invalidate(store, id=memory, reason="Wrong.")

    done = restore(store, id=memory)

    assert done.live
    assert store.get(memory).note.record.valid_until is None
