"""A memory that names a session: the link to its file, which comes with the first one."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from mnemos_files.errors import AmbiguousNameError, NotFoundError
from mnemos_files.model.session import Ending
from mnemos_files.store.store import Store
from tests.conftest import OpenStore, an_observation, git

NOBODY = "01KBC3W6H5M0V2T8N4Q9F7K3QX"


def files_of(vault: Path) -> list[str]:
    return git(vault, "show", "--format=", "--name-only", "HEAD").split()


def session_files(vault: Path) -> list[str]:
    return sorted(str(path.relative_to(vault)) for path in vault.glob("sessions/**/*.md"))


def test_the_first_memory_of_a_session_writes_its_file_in_the_same_commit(
    store: Store, vault: Path
) -> None:
    started = store.sessions.start("Fix the login\n\nIt is slow.", "api", "codex").session
    tail = started.id[-6:].lower()

    saved = store.put(an_observation(store, session=started.id, project="api"))

    path = f"sessions/api/2026-12-01-fix-the-login-{tail}.md"
    assert files_of(vault) == [str(saved.path), path]
    assert (vault / path).read_text(encoding="utf-8") == (
        f"---\nid: {started.id}\ntype: session\ntitle: Fix the login\nproject: api\n"
        "agent: codex\ncreated: 2026-12-01T12:00:00Z\n---\nFix the login\n\nIt is slow.\n"
    )
    text = (vault / saved.path).read_text(encoding="utf-8")
    assert f'session: "[[2026-12-01-fix-the-login-{tail}]]"\n' in text
    trailers = git(vault, "log", "-1", "--format=%(trailers)")
    assert f"Mnemos-Session: {started.id}\n" in trailers
    assert f"Mnemos-Id: {started.id}\n" in trailers
    assert git(vault, "status", "--porcelain", "--", "observations", "sessions") == ""


def test_the_second_memory_of_a_session_leaves_its_file_alone(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))

    saved = store.put(an_observation(store, content="Another.", session=started.id))

    assert files_of(vault) == [str(saved.path)]
    assert len(session_files(vault)) == 1


def test_an_id_in_lower_case_is_the_same_session(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session

    saved = store.put(an_observation(store, session=f" {started.id.lower()} "))

    [path] = session_files(vault)
    assert f"[[{Path(path).stem}]]" in (vault / saved.path).read_text(encoding="utf-8")


def test_a_session_that_nobody_started_is_refused_and_nothing_is_written(
    store: Store, vault: Path
) -> None:
    store.put(an_observation(store))
    head = git(vault, "rev-parse", "HEAD")

    for name in (NOBODY, "2026-12-01-fix-it-9d2m4t", "sessions/api/x.md", "[[Home]]", "Home"):
        with pytest.raises(NotFoundError, match="session not found") as caught:
            store.put(an_observation(store, content="Another.", session=name))
        assert "mnemos_session_start" in caught.value.remedy

    assert git(vault, "rev-parse", "HEAD") == head
    assert session_files(vault) == []
    assert git(vault, "status", "--porcelain") == ""


def test_an_unknown_session_is_refused_even_for_what_is_known_already(store: Store) -> None:
    store.put(an_observation(store))

    with pytest.raises(NotFoundError, match=f"session not found: {NOBODY}"):
        store.put(an_observation(store, session=NOBODY))


def test_the_id_of_another_memory_is_no_session(store: Store) -> None:
    other = store.put(an_observation(store))

    with pytest.raises(NotFoundError, match="session not found"):
        store.put(an_observation(store, content="Another.", session=other.record.id))
    with pytest.raises(NotFoundError, match="session not found"):
        store.put(an_observation(store, content="Another.", session=other.path.stem))


@pytest.mark.parametrize("form", ["{stem}", "[[{stem}]]", "{path}", "sessions/global/{stem}"])
def test_a_session_is_found_by_the_name_of_its_file(store: Store, vault: Path, form: str) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))
    [path] = session_files(vault)
    stem = Path(path).stem

    saved = store.put(an_observation(store, content="B", session=form.format(stem=stem, path=path)))

    assert f'session: "[[{stem}]]"' in (vault / saved.path).read_text(encoding="utf-8")


def test_a_name_that_two_sessions_have_is_ambiguous(store: Store, vault: Path) -> None:
    for folder in ("a", "b"):
        (vault / "sessions" / folder).mkdir(parents=True)
        text = "---\ntype: session\n---\nMine.\n"
        (vault / "sessions" / folder / "monday.md").write_text(text, encoding="utf-8")
    store.refresh()

    with pytest.raises(AmbiguousNameError):
        store.put(an_observation(store, session="monday"))
    saved = store.put(an_observation(store, session="sessions/b/monday.md"))

    assert 'session: "[[sessions/b/monday]]"' in (vault / saved.path).read_text(encoding="utf-8")


def test_a_session_that_has_ended_is_still_linked(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session
    store.sessions.end(started.id, Ending(summary="Done."))
    [path] = session_files(vault)
    before = (vault / path).read_bytes()

    saved = store.put(an_observation(store, session=started.id))

    assert f"[[{Path(path).stem}]]" in (vault / saved.path).read_text(encoding="utf-8")
    assert (vault / path).read_bytes() == before


def test_a_file_that_a_person_renamed_is_linked_by_its_new_name(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))
    [path] = session_files(vault)
    (vault / path).rename(vault / "Monday.md")

    saved = store.put(an_observation(store, content="B", session=started.id))

    assert 'session: "[[Monday]]"' in (vault / saved.path).read_text(encoding="utf-8")
    assert session_files(vault) == []


def test_a_copy_of_the_file_does_not_draw_the_links(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))
    [path] = session_files(vault)
    (vault / "A copy.md").write_bytes((vault / path).read_bytes())
    store.refresh()

    saved = store.put(an_observation(store, content="B", session=started.id))

    assert f'session: "[[{Path(path).stem}]]"' in (vault / saved.path).read_text(encoding="utf-8")


def test_a_file_that_was_moved_and_copied_is_ambiguous(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))
    [path] = session_files(vault)
    (vault / "A copy.md").write_bytes((vault / path).read_bytes())
    (vault / path).rename(vault / "Monday.md")

    with pytest.raises(AmbiguousNameError, match=r"A copy\.md, Monday\.md"):
        store.put(an_observation(store, content="B", session=started.id))


def test_a_file_that_a_person_deleted_comes_back_with_the_next_memory(
    store: Store, vault: Path
) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))
    [path] = session_files(vault)
    (vault / path).unlink()

    store.put(an_observation(store, content="B", session=started.id))

    assert session_files(vault) == [path]
    assert git(vault, "status", "--porcelain", "--", "sessions") == ""


def test_a_file_whose_front_matter_a_person_broke_is_linked_and_left_alone(
    store: Store, vault: Path
) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))
    [path] = session_files(vault)
    broken = (vault / path).read_bytes().replace(b"type: session", b"type: [session")
    (vault / path).write_bytes(broken)

    saved = store.put(an_observation(store, content="B", session=started.id))

    assert f'session: "[[{Path(path).stem}]]"' in (vault / saved.path).read_text(encoding="utf-8")
    assert (vault / path).read_bytes() == broken


def test_a_broken_record_writes_no_session_file(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session
    record = replace(an_observation(store, session=started.id), supersedes=())

    with pytest.raises(NotFoundError):
        store.put(record, supersedes=[NOBODY])

    assert session_files(vault) == []


def test_memories_saved_at_once_share_one_file(store: Store, vault: Path) -> None:
    started = store.sessions.start("Fix it").session
    records = [an_observation(store, content=f"N {n}", session=started.id) for n in range(12)]
    threads = [threading.Thread(target=store.put, args=(record,)) for record in records]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    [path] = session_files(vault)
    commits = git(vault, "log", "--format=%h", "--", path).split()
    assert len(commits) == 1
    assert len(list(vault.glob("observations/global/*.md"))) == 12


def test_another_process_knows_the_session_at_once(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    other = open_vault(vault)
    started = store.sessions.start("Fix it").session

    other.put(an_observation(store, session=started.id))
    store.put(an_observation(store, content="B", session=started.id))

    assert len(session_files(vault)) == 1
    assert git(vault, "status", "--porcelain", "--", "sessions", "observations") == ""


def test_another_machine_knows_the_session_by_its_file_alone(
    store: Store, vault: Path, tmp_path: Path, open_vault: OpenStore
) -> None:
    started = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=started.id))
    git(tmp_path, "clone", "-q", str(vault), "clone")
    clone = tmp_path / "clone"
    git(clone, "config", "user.name", "Ines Example")
    git(clone, "config", "user.email", "ines@example.org")
    there = open_vault(clone, cache_folder=tmp_path / "other-cache")

    there.refresh()
    saved = there.put(an_observation(store, content="B", session=started.id))

    [path] = session_files(vault)
    assert f"[[{Path(path).stem}]]" in (clone / saved.path).read_text(encoding="utf-8")
    assert session_files(clone) == [path]
