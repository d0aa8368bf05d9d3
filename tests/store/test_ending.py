"""The end of a session: what it leaves behind, and what a person wrote before."""

import json
from pathlib import Path

import pytest

from mnemos_files.errors import (
    CorruptError,
    InvalidRecordError,
    NotFoundError,
    RefusedError,
)
from mnemos_files.model.event import Touched
from mnemos_files.model.session import Ending
from mnemos_files.store.store import Store
from tests.conftest import Clock, OpenStore, an_observation, git

NOBODY = "01KBC3W6H5M0V2T8N4Q9F7K3QX"


def files_of(vault: Path) -> list[str]:
    return git(vault, "show", "--format=", "--name-only", "HEAD").split()


def session_file(vault: Path) -> Path:
    [path] = vault.glob("sessions/**/*.md")
    return path


def events(vault: Path) -> list[dict[str, object]]:
    lines = [
        line
        for path in sorted(vault.glob(".mnemos/journal/*/*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines]


def test_an_end_is_one_commit_with_file_and_journal(
    store: Store, vault: Path, clock: Clock
) -> None:
    session = store.sessions.start("Fix the login", "api", "codex").session
    one = store.put(an_observation(store, session=session.id, title="A [odd] | one"))
    clock.tick(minutes=5)
    raw = store.put(
        an_observation(
            store,
            session=session.id,
            title="From a tool",
            content="x",
            source_kind="tool",
            trust_tier="raw",
        )
    )
    store.put(an_observation(store, content="Of no session."))
    clock.tick(minutes=55)
    count = int(git(vault, "rev-list", "--count", "HEAD"))

    ended = store.sessions.end(
        session.id,
        Ending(
            summary="Fixed.\n", reflection="Read the log first.", outcome_tags=("shipped", "late")
        ),
    )

    assert int(git(vault, "rev-list", "--count", "HEAD")) == count + 1
    journal = [name for name in files_of(vault) if name.startswith(".mnemos/journal/")]
    assert len(journal) == 1
    assert sorted(files_of(vault)) == sorted([*journal, str(ended.path)])
    assert git(vault, "status", "--porcelain") == ""
    assert git(vault, "log", "-1", "--format=%s|%an|%b").split("\n")[:1] == [
        "end(session): Fix the login|codex|Fixed."
    ]
    assert f"Mnemos-Session: {session.id}\n" in git(vault, "log", "-1", "--format=%(trailers)")
    text = (vault / ended.path).read_text(encoding="utf-8")
    assert text == (
        f"---\nid: {session.id}\ntype: session\ntitle: Fix the login\nproject: api\n"
        "agent: codex\ncreated: 2026-12-01T12:00:00Z\nstatus: ok\n"
        "ended: 2026-12-01T13:00:00Z\noutcome_tags:\n  - shipped\n  - late\n---\n"
        "Fix the login\n\n## Saved\n\n"
        f"- [[{one.path.stem}|A (odd) / one]] (decision)\n"
        f"- [[{raw.path.stem}|From a tool]] (decision, raw)\n\n"
        "## Summary\n\nFixed.\n\n## Reflection\n\nRead the log first.\n"
    )


def test_an_end_with_nothing_to_say_still_has_a_file(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session

    ended = store.sessions.end(session.id, Ending(summary="", status="blocked"))

    text = (vault / ended.path).read_text(encoding="utf-8")
    assert text.endswith("status: blocked\nended: 2026-12-01T12:00:00Z\n---\nFix it\n")
    assert ended.session.status == "blocked"


def test_skills_that_were_used_stand_in_the_journal_of_the_same_commit(
    store: Store, vault: Path
) -> None:
    session = store.sessions.start("Fix it", "", "codex").session

    store.sessions.end(session.id, Ending(summary="", skills=(("01SKILL", "failure"),)))

    uses = store.journal.tally().uses["01SKILL"]
    assert (uses.skill_uses, uses.skill_successes) == (1, 0)
    [name] = [path for path in files_of(vault) if path.startswith(".mnemos/journal/")]
    assert "skill_use" in git(vault, "show", f"HEAD:{name}")


@pytest.mark.parametrize("name", [NOBODY, "nothing", "x/y.md"])
def test_ending_what_nobody_started_changes_nothing(store: Store, vault: Path, name: str) -> None:
    store.put(an_observation(store))
    head = git(vault, "rev-parse", "HEAD")

    with pytest.raises(NotFoundError, match="session not found"):
        store.sessions.end(name, Ending(summary="x"))

    assert git(vault, "rev-parse", "HEAD") == head
    assert events(vault) == []


def test_ending_twice_is_an_error_and_changes_nothing(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    store.sessions.end(session.id, Ending(summary="One."))
    head, before = git(vault, "rev-parse", "HEAD"), events(vault)

    with pytest.raises(NotFoundError, match=f"session not found: {session.id}") as caught:
        store.sessions.end(session.id, Ending(summary="Two."))

    assert "ended already" in caught.value.remedy
    assert git(vault, "rev-parse", "HEAD") == head
    assert events(vault) == before


def test_a_status_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidRecordError, match="invalid session status 'done'"):
        Ending(summary="", status="done")


def test_what_a_person_wrote_into_the_file_outlives_the_end(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    saved = store.put(an_observation(store, session=session.id))
    path = session_file(vault)
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("title: Fix it", "title: My title  # mine\nmood: good")
        + f"\nMore.\n\n## Saved\n\n- mine: [[{saved.path.stem}]]\n\n## Summary\n\nI saw it.\n",
        encoding="utf-8",
    )

    store.sessions.end(session.id, Ending(summary="Done."))

    assert path.read_text(encoding="utf-8") == (
        f"---\nid: {session.id}\ntype: session\ntitle: My title  # mine\nmood: good\n"
        "created: 2026-12-01T12:00:00Z\nstatus: ok\nended: 2026-12-01T12:00:00Z\n---\n"
        f"Fix it\n\nMore.\n\n## Saved\n\n- mine: [[{saved.path.stem}]]\n\n"
        "## Summary\n\nI saw it.\n\nDone.\n"
    )
    subjects = git(vault, "log", "-2", "--format=%s").splitlines()
    assert subjects == ["end(session): My title", "edit(session): My title"]


def test_a_status_by_hand_counts_more_than_that_of_the_agent(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=session.id))
    path = session_file(vault)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n---\nFix", "\nstatus: failed\n---\nFix"), encoding="utf-8")

    ended = store.sessions.end(session.id, Ending(summary="All well."))

    assert ended.session.status == "failed"
    assert "written by hand" in ended.notices[0]
    assert "status: failed\nended:" in path.read_text(encoding="utf-8")
    assert [each.status for each in store.sessions.recent()] == ["failed"]


def test_a_session_that_a_person_closed_by_hand_is_closed(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=session.id))
    path = session_file(vault)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n---\nFix", "\nended: 2026-12-01\n---\nFix"), encoding="utf-8")

    with pytest.raises(NotFoundError):
        store.sessions.end(session.id, Ending(summary="All well."))
    started = store.sessions.start("Next")

    assert started.open == ()
    assert store.sessions.current() == started.session


def test_a_person_reopens_a_session_by_taking_its_end_away(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    store.sessions.end(session.id, Ending(summary="One."))
    path = session_file(vault)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("ended: 2026-12-01T12:00:00Z\n", ""), encoding="utf-8")

    store.sessions.end(session.id, Ending(summary="Two."))

    assert "## Summary\n\nOne.\n\nTwo.\n" in path.read_text(encoding="utf-8")


def test_a_session_whose_file_was_renamed_ends_where_it_lies(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    saved = store.put(an_observation(store, session=session.id))
    session_file(vault).rename(vault / "Monday.md")

    ended = store.sessions.end(session.id, Ending(summary="Done."))

    assert str(ended.path) == "Monday.md"
    assert f"[[{saved.path.stem}|" in (vault / "Monday.md").read_text(encoding="utf-8")
    assert list(vault.glob("sessions/**/*.md")) == []


def test_a_session_whose_file_was_deleted_ends_with_a_new_one(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    saved = store.put(an_observation(store, session=session.id))
    session_file(vault).unlink()

    ended = store.sessions.end(session.id, Ending(summary="Done."))

    text = (vault / ended.path).read_text(encoding="utf-8")
    assert f"- [[{saved.path.stem}|" in text
    assert git(vault, "status", "--porcelain") == ""


def test_a_file_that_cannot_be_read_keeps_the_session_open(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=session.id))
    path = session_file(vault)
    good = path.read_bytes()
    path.write_bytes(good.replace(b"type: session", b"type: [session"))

    with pytest.raises(CorruptError):
        store.sessions.end(session.id, Ending(summary="Done."))
    path.write_bytes(good)

    assert store.sessions.end(session.id, Ending(summary="Done.")).session.status == "ok"


def test_an_end_that_git_refuses_can_be_repeated(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=session.id))
    git(vault, "checkout", "-q", "--detach")

    with pytest.raises(RefusedError):
        store.sessions.end(session.id, Ending(summary="Done."))
    git(vault, "checkout", "-q", "main")

    assert store.sessions.end(session.id, Ending(summary="Done.")).receipt.commit


def test_an_end_that_cannot_be_written_leaves_the_session_open(
    store: Store, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=session.id))

    def full(*_: object) -> None:
        raise RefusedError("full", "no space left")

    with monkeypatch.context() as patched:
        patched.setattr(type(store.place.vault), "apply", full)
        with pytest.raises(RefusedError):
            store.sessions.end(session.id, Ending(summary="Done."))

    current = store.sessions.current()
    assert current is not None
    assert current.id == session.id
    assert store.journal.tally().sessions[session.id].ended is None
    assert store.sessions.end(session.id, Ending(summary="Done.")).session.status == "ok"


def test_a_session_is_ended_by_the_name_of_its_file(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=session.id))

    ended = store.sessions.end(session_file(vault).stem, Ending(summary="Done."))

    assert ended.session.id == session.id


def test_another_machine_ends_a_session_that_it_got_by_a_pull(
    store: Store, vault: Path, tmp_path: Path, open_vault: OpenStore
) -> None:
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, session=session.id))
    store.commit_journal()
    git(tmp_path, "clone", "-q", str(vault), "clone")
    clone = tmp_path / "clone"
    git(clone, "config", "user.name", "Ines Example")
    git(clone, "config", "user.email", "ines@example.org")
    there = open_vault(clone, cache_folder=tmp_path / "other-cache")

    ended = there.sessions.end(session.id, Ending(summary="Done there."))
    git(vault, "pull", "-q", "--no-rebase", str(clone), "main")

    assert ended.session.id == session.id
    found = store.sessions.find(session.id)
    assert found is not None
    assert found.summary == "Done there."
    assert store.journal.tally().sessions[session.id].ended is not None
    assert len(list(vault.glob(".mnemos/journal/*"))) == 2


def test_touched_files_stand_in_the_file_of_the_session(store: Store, vault: Path) -> None:
    session = store.sessions.start("Fix it", "api", "codex").session
    for path in ("src/b.py", "src/a.py", "src/b.py"):
        store.journal.append([Touched(store.now(), path, "api", "codex", session.id)])

    ended = store.sessions.end(session.id, Ending(summary=""))

    text = (vault / ended.path).read_text(encoding="utf-8")
    assert "## Touched\n\n- `src/b.py`\n- `src/a.py`\n" in text


def test_a_memory_that_a_person_linked_to_the_session_is_listed(store: Store, vault: Path) -> None:
    old = store.put(an_observation(store))
    session = store.sessions.start("Fix it").session
    store.put(an_observation(store, content="B", session=session.id))
    stem = session_file(vault).stem
    path = vault / old.path
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("created:", f'session: "[[{stem}]]"\ncreated:'), encoding="utf-8")

    ended = store.sessions.end(session.id, Ending(summary=""))

    assert f"- [[{old.path.stem}|" in (vault / ended.path).read_text(encoding="utf-8")
