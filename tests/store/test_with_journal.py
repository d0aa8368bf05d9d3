"""Commits that take the journal along: nothing is lost, nothing of a person's is swept in."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import RefusedError
from mnemos_files.format.record import render
from mnemos_files.model.event import Touched
from mnemos_files.store.intent import Debt, IntentFile
from mnemos_files.store.store import Store
from tests.conftest import NOON, OpenStore, an_observation, git

NOTE = PurePosixPath("observations/global/2026-12-01-note-aaaaaa.md")


def touch(store: Store, number: int = 0) -> None:
    at = NOON + timedelta(seconds=number)
    store.journal.append([Touched(at, f"src/{number}.py", "api")])


def journal_path(store: Store) -> str:
    return f".mnemos/journal/{store.journal.machine}/2026-12.jsonl"


def committed_files(vault: Path) -> set[str]:
    return set(git(vault, "show", "--name-only", "--format=", "HEAD").split())


def test_one_commit_holds_the_record_and_the_journal(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    touch(store)

    saved = store.put(an_observation(store, content="The end."), with_journal=True)

    assert saved.receipt.commit == git(vault, "rev-parse", "HEAD").strip()
    assert saved.receipt.notices == ()
    assert committed_files(vault) == {str(saved.path), journal_path(store)}
    assert git(vault, "log", "-1", "--format=%an|%s").strip() == (
        "claude-code|save(decision): Use Argon2id for password hashing"
    )
    assert git(vault, "show", f"HEAD:{journal_path(store)}") == (
        vault / journal_path(store)
    ).read_text("utf-8")
    assert git(vault, "status", "--porcelain") == ""


def test_an_update_takes_the_journal_too(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    touch(store)

    store.update(
        saved.record.id,
        lambda note: replace(note.record, importance=9),
        op="promote",
        with_journal=True,
    )

    assert committed_files(vault) == {str(saved.path), journal_path(store)}
    assert git(vault, "status", "--porcelain") == ""


def test_a_save_without_it_leaves_the_journal_uncommitted(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    touch(store)

    saved = store.put(an_observation(store, content="Not the end."))

    assert committed_files(vault) == {str(saved.path)}
    assert git(vault, "status", "--porcelain") == "?? .mnemos/journal/\n"


def test_the_first_write_of_a_vault_may_take_the_journal(store: Store, vault: Path) -> None:
    touch(store)

    saved = store.put(an_observation(store), with_journal=True)

    assert committed_files(vault) == {str(saved.path), journal_path(store)}
    assert git(vault, "status", "--porcelain") == ""


def test_without_news_in_the_journal_only_the_record_is_committed(
    store: Store, vault: Path
) -> None:
    touch(store)
    store.put(an_observation(store), with_journal=True)

    saved = store.put(an_observation(store, content="Again."), with_journal=True)

    assert committed_files(vault) == {str(saved.path)}


def test_nothing_of_the_person_s_is_swept_along(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    touch(store)
    (vault / "staged.md").write_text("staged\n", encoding="utf-8")
    git(vault, "add", "staged.md")
    (vault / "Home.md").write_text("# Home\n\nhalf a thought", encoding="utf-8")
    (vault / "draft.md").write_text("mine", encoding="utf-8")
    (vault / ".mnemos/journal/notes.txt").write_text("mine", encoding="utf-8")

    store.put(an_observation(store, content="The end."), with_journal=True)
    touch(store, 1)
    store.commit_journal()

    assert git(vault, "status", "--porcelain") == (
        " M Home.md\nA  staged.md\n?? .mnemos/journal/notes.txt\n?? draft.md\n"
    )


def test_a_journal_that_the_person_staged_is_not_taken_for_an_edit(
    store: Store, vault: Path
) -> None:
    store.put(an_observation(store))
    touch(store)
    git(vault, "add", "-A")
    touch(store, 1)

    store.put(an_observation(store, content="The end."), with_journal=True)

    assert "edit(" not in git(vault, "log", "--format=%s")
    assert git(vault, "show", f"HEAD:{journal_path(store)}").count("\n") == 2
    assert git(vault, "status", "--porcelain") == ""


def test_the_journal_goes_into_one_commit_of_a_group(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    touch(store)
    ready = threading.Barrier(6)

    def save(number: int) -> None:
        ready.wait()
        store.put(an_observation(store, content=f"End {number}."), with_journal=True)

    threads = [threading.Thread(target=save, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert git(vault, "log", "--format=%s", "--", journal_path(store)).count("save(") == 1
    assert git(vault, "status", "--porcelain") == ""


def test_events_that_come_while_a_commit_runs_are_kept_for_the_next(
    store: Store, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(an_observation(store))
    touch(store)
    history = store.history
    assert history is not None
    commit: Callable[..., object] = history.commit

    def late(*arguments: object) -> object:
        touch(store, 1)
        return commit(*arguments)

    monkeypatch.setattr(history, "commit", late)
    store.put(an_observation(store, content="The end."), with_journal=True)
    monkeypatch.undo()

    assert git(vault, "show", f"HEAD:{journal_path(store)}").count("\n") == 1
    assert git(vault, "status", "--porcelain") == f" M {journal_path(store)}\n"
    assert store.commit_journal().commit
    assert git(vault, "show", f"HEAD:{journal_path(store)}").count("\n") == 2
    assert git(vault, "status", "--porcelain") == ""


def test_appending_never_waits_for_a_commit_and_loses_nothing(store: Store, vault: Path) -> None:
    store.put(an_observation(store))

    def touching() -> None:
        for number in range(1, 200):
            touch(store, number)

    thread = threading.Thread(target=touching)
    thread.start()
    for number in range(8):
        store.put(an_observation(store, content=f"Part {number}."), with_journal=True)
    thread.join()
    store.commit_journal()

    assert git(vault, "show", f"HEAD:{journal_path(store)}").count("\n") == 199
    assert git(vault, "status", "--porcelain") == ""
    assert sum(heat.touches for heat in store.journal.tally().heat("api")) == 199


def owe(vault: Path, files: dict[PurePosixPath, bytes | None]) -> None:
    debt = Debt(
        files,
        dict.fromkeys(files, ""),
        "session(session): mend it",
        "",
        (("Mnemos-Op", "session"),),
        "codex",
        with_journal=True,
    )
    IntentFile(vault / ".git/mnemos/pending.json").write([debt])


def test_a_kill_before_the_commit_is_made_good_with_the_journal_as_it_is_then(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    store.put(an_observation(store))
    touch(store)
    data = render(an_observation(store, title="a note", content="whole"))
    (vault / NOTE).write_bytes(data)
    owe(vault, {NOTE: data})
    touch(store, 1)

    restarted = open_vault(vault, background=True)

    assert git(vault, "log", "-1", "--format=%an|%s").strip() == "codex|recover(session): mend it"
    assert committed_files(vault) == {str(NOTE), journal_path(store)}
    assert git(vault, "show", f"HEAD:{journal_path(store)}").count("\n") == 2
    assert git(vault, "status", "--porcelain") == ""
    assert restarted.notices() == ()


def test_a_kill_between_append_and_commit_keeps_the_events(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    store.put(an_observation(store))
    touch(store)
    owe(vault, {NOTE: b"---\nid: x\n---\nnever written\n"})

    restarted = open_vault(vault, background=True)

    assert not (vault / NOTE).exists()
    assert sum(heat.touches for heat in restarted.journal.tally().heat("api")) == 1
    assert restarted.commit_journal().commit
    assert git(vault, "status", "--porcelain") == ""


def test_a_journal_that_a_crash_cut_is_committed_and_goes_on(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    touch(store)
    with (vault / journal_path(store)).open("ab") as file:
        file.write(b'{"at":"2026-12-01T12')

    store.put(an_observation(store, content="The end."), with_journal=True)
    assert git(vault, "status", "--porcelain") == ""
    touch(store, 1)
    store.commit_journal()

    assert git(vault, "status", "--porcelain") == ""
    assert sum(heat.touches for heat in store.journal.tally().heat("api")) == 2


def test_a_locked_branch_owes_the_commit_and_the_next_write_pays_it(
    store: Store, vault: Path
) -> None:
    store.put(an_observation(store))
    touch(store)
    lock = vault / ".git/refs/heads/main.lock"
    lock.touch()
    saved = store.put(an_observation(store, content="The end."), with_journal=True)
    assert saved.receipt.commit == ""
    touch(store, 1)
    lock.unlink()

    store.put(an_observation(store, content="Next."))

    assert git(vault, "log", "-1", "--format=%s", "--", journal_path(store)).startswith("recover(")
    assert git(vault, "status", "--porcelain") == ""


def test_a_journal_alone_owes_nothing_when_the_branch_is_locked(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    touch(store)
    lock = vault / ".git/refs/heads/main.lock"
    lock.touch()

    receipt = store.commit_journal()
    lock.unlink()

    assert receipt.commit == ""
    assert not store.place.has_debts()
    assert store.commit_journal().commit


def test_a_journal_that_git_ignores_does_not_hold_the_record_up(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    (vault / ".gitignore").write_text("*.jsonl\n", encoding="utf-8")
    git(vault, "add", ".gitignore")
    git(vault, "commit", "-q", "-m", "ignore")
    touch(store)

    saved = store.put(an_observation(store, content="The end."), with_journal=True)

    assert committed_files(vault) == {str(saved.path)}
    assert saved.receipt.notices == ()
    assert git(vault, "status", "--porcelain") == ""


def test_in_the_middle_of_a_rebase_events_are_appended_and_not_committed(
    store: Store, vault: Path
) -> None:
    store.put(an_observation(store))
    (vault / ".git/rebase-merge").mkdir()

    touch(store)
    with pytest.raises(RefusedError):
        store.commit_journal()

    assert sum(heat.touches for heat in store.journal.tally().heat("api")) == 1


def test_the_commit_of_the_journal_alone_says_how_many_events(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    touch(store)
    assert store.commit_journal().commit == git(vault, "rev-parse", "HEAD").strip()
    assert git(vault, "log", "-1", "--format=%an|%cn|%s").strip() == (
        "mnemos-files|Ines Example|journal(events): 1 event"
    )

    touch(store, 1)
    touch(store, 2)
    store.commit_journal()

    assert git(vault, "log", "-1", "--format=%s").strip() == "journal(events): 2 events"
    assert "Mnemos-Op: journal\n" in git(vault, "log", "-1", "--format=%(trailers)")
    assert store.commit_journal().commit == ""


def test_two_branches_of_one_machine_count_what_lies_on_disk(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    git(vault, "branch", "before")
    touch(store)
    store.commit_journal()
    git(vault, "switch", "-q", "before")
    assert store.journal.tally().heat("api") == []

    touch(store, 1)
    store.commit_journal()

    assert [heat.path for heat in store.journal.tally().heat("api")] == ["src/1.py"]
    git(vault, "switch", "-q", "main")
    assert [heat.path for heat in store.journal.tally().heat("api")] == ["src/0.py"]


@pytest.mark.parametrize("has_attributes", [True, False])
def test_branches_of_one_machine_that_are_merged_count_each_event_once(
    store: Store,
    vault: Path,
    *,
    has_attributes: bool,
) -> None:
    if has_attributes:
        template = Path(__file__).parents[2] / "vault-template/.gitattributes"
        (vault / ".gitattributes").write_bytes(template.read_bytes())
        git(vault, "add", ".gitattributes")
        git(vault, "commit", "-q", "-m", "attributes")
    touch(store)
    store.put(an_observation(store), with_journal=True)
    git(vault, "switch", "-q", "-c", "side")
    touch(store, 1)
    store.commit_journal()
    git(vault, "switch", "-q", "main")
    touch(store, 2)
    store.commit_journal()

    git(vault, "merge", "-q", "side", check=has_attributes)

    heat = {each.path: each.touches for each in store.journal.tally().heat("api")}
    assert heat == {"src/0.py": 1, "src/1.py": 1, "src/2.py": 1}
    assert ("<<<<<<<" in (vault / journal_path(store)).read_text("utf-8")) != has_attributes
