"""A dream: what it writes, what it would write, and that nothing of it comes twice."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.dream.proposal import Deed, Pass, Proposal, Scene
from mnemos_files.dream.run import Report, dream
from mnemos_files.dream.table import PASSES
from mnemos_files.errors import RefusedError
from mnemos_files.model.record import Record
from mnemos_files.store.edits import Add, Drop
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git
from tests.dream.conftest import outcome

Run = Callable[[], Report]

SECRET = "ghp_" + "a8kd93jfls02mxcv7bqpz1rtyuioewn4ghjk"


def commits(vault: Path) -> list[str]:
    """Subjects, newest first."""
    return git(vault, "log", "--format=%s").splitlines()


@pytest.fixture
def old(store: Store) -> Record:
    """A record whose time is over."""
    saved = store.put(an_observation(store, expires=NOON - timedelta(days=1)))
    return saved.record


def test_the_passes_come_in_a_fixed_order():
    assert [each.step for each in PASSES] == [
        *("expiry", "duplicates", "promotion", "detection", "resolution", "record")
    ]


def test_each_pass_is_one_commit_of_the_dreamer(
    vault: Path, old: Record, many: list[Record], run: Run
):
    before = len(commits(vault))

    report = run()

    made = git(vault, "log", "--format=%an|%s|%(trailers:key=Mnemos-Op,valueonly,separator=)")
    assert made.splitlines()[:-before] == [
        "mnemos-files|journal(events): 3 events|journal",
        "dream|dream(dream): dream pass 2026-12-02 12:00|dream",
        "dream|promote(skill): 1 skill from corrections|promote",
        "dream|expire(memory): 1 memory past the end|expire",
    ]
    made_one = [one.step for one in report.outcomes if one.commit]
    assert made_one == ["expiry", "promotion", "record"]
    assert git(vault, "status", "--short") == ""


def test_a_second_dream_changes_nothing(vault: Path, old: Record, many: list[Record], run: Run):
    run()
    head, size = git(vault, "rev-parse", "HEAD"), journal_size(vault)

    report = run()

    assert not report.changed
    assert git(vault, "rev-parse", "HEAD") == head
    assert journal_size(vault) == size
    assert git(vault, "status", "--short") == ""


def journal_size(vault: Path) -> int:
    return sum(file.stat().st_size for file in (vault / ".mnemos/journal").rglob("*.jsonl"))


def test_a_rehearsal_tells_the_very_changes_that_the_dream_then_makes(
    vault: Path, old: Record, many: list[Record], run: Run, rehearsed: Run
):
    head = git(vault, "rev-parse", "HEAD")

    told = rehearsed()

    assert told.rehearsed
    assert git(vault, "rev-parse", "HEAD") == head
    assert git(vault, "status", "--short") == ""
    made = run()
    for planned, done in zip(told.outcomes, made.outcomes, strict=True):
        assert planned.done == done.done
        real = git(vault, "diff", f"{done.commit}~1", done.commit) if done.commit else ""
        assert planned.diff == real
    assert sum(bool(one.diff) for one in told.outcomes) == 3


@pytest.mark.usefixtures("old", "many")
@pytest.mark.parametrize("step", ["expiry", "promotion"])
def test_what_a_person_reverts_is_not_done_again(vault: Path, run: Run, clock: Clock, step: str):
    report = run()
    git(vault, "revert", "--no-edit", outcome(report, step).commit)
    head = git(vault, "rev-parse", "HEAD")
    clock.tick(days=1)

    again = run()

    assert not again.changed
    assert len(outcome(again, step).undone) == 1
    assert git(vault, "rev-parse", "HEAD") == head


@pytest.mark.usefixtures("many")
def test_a_clone_knows_what_was_undone_elsewhere(
    vault: Path, tmp_path: Path, run: Run, open_vault: OpenStore
):
    report = run()
    git(vault, "revert", "--no-edit", outcome(report, "promotion").commit)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(vault), str(clone))

    again = dream(open_vault(clone, cache_folder=tmp_path / "other"), NOON + timedelta(days=2))

    assert not again.changed
    assert outcome(again, "promotion").undone == (
        "auto: migrations (api): a new skill from 5 corrections",
    )


def test_new_evidence_is_not_what_was_undone(
    vault: Path, many: list[Record], run: Run, correct: Callable[..., Record]
):
    git(vault, "revert", "--no-edit", outcome(run(), "promotion").commit)
    correct(9)

    again = run()

    assert outcome(again, "promotion").done == (
        "auto: migrations (api): a new skill from 6 corrections",
    )


def test_a_pass_that_fails_is_told_and_stops_no_other(store: Store, old: Record):
    def broken(_scene: Scene) -> Proposal:
        raise ZeroDivisionError

    report = dream(store, NOON, [Pass("broken", "break", broken), *PASSES])

    assert report.outcomes[0].error == "ZeroDivisionError()"
    assert len(outcome(report, "expiry").done) == 1


def test_a_deed_that_cannot_be_done_is_told_and_stops_no_other(store: Store, old: Record):
    def two(_scene: Scene) -> Proposal:
        lost = Deed("a", "the lost one", (Drop("01KBC3W6H5M0V2T8N4Q9F7K3QY"),))
        new = an_observation(store, title="New", content="Other.")
        return Proposal("tidy(memory): two", (lost, Deed("b", "the new one", (Add(new),))))

    report = dream(store, NOON, [Pass("two", "tidy", two)])

    assert report.outcomes[0].done == ("the new one",)
    assert report.outcomes[0].faults[0].startswith("the lost one: ")
    assert store.journal.tally().deeds == {"b": NOON}


def test_a_write_protected_file_costs_no_other_its_deed(store: Store, vault: Path, run: Run):
    locked = store.put(an_observation(store, title="Mine", expires=NOON - timedelta(days=1)))
    store.put(an_observation(store, title="Other", content="b", expires=NOON - timedelta(days=1)))
    (vault / locked.path).chmod(0o444)

    done = outcome(run(), "expiry")

    assert [line.split(" (")[0] for line in done.done] == ["Other"]
    assert [fault.split(" expired")[1] for fault in done.faults] == [
        " 2026-11-30: it is write-protected. Take the protection away."
    ]
    assert (vault / locked.path).exists()


def test_a_secret_in_a_title_stops_no_pass_and_is_told_nowhere(
    store: Store, vault: Path, many: list[Record], run: Run
):
    saved = store.put(an_observation(store, expires=NOON - timedelta(days=1)))
    for file in (vault / saved.path, *(vault / "corrections").rglob("*.md")):
        text = file.read_text("utf-8").replace("Use Argon2id", f"Use {SECRET}")
        file.write_text(text.replace("- migrations", f"- {SECRET}"), "utf-8")

    report = run()

    assert [one.error for one in report.outcomes if one.error] == []
    assert outcome(report, "promotion").done == (
        "auto: [secret: github-token] (api): a new skill from 5 corrections",
    )
    assert SECRET not in str(report)
    made = git(vault, "log", "--author=dream", "--format=%B")
    assert "[secret: github-token]" in made
    assert SECRET not in made
    new = git(vault, "log", "--author=dream", "--diff-filter=A", "--format=", "--name-only").split()
    assert len(new) == 2
    assert not [name for name in new if SECRET in (vault / name).read_text("utf-8")]


def test_nothing_is_dreamt_in_the_middle_of_a_merge(vault: Path, old: Record, run: Run):
    (vault / ".git/MERGE_HEAD").write_text(git(vault, "rev-parse", "HEAD"))

    with pytest.raises(RefusedError, match="merge"):
        run()


def test_the_record_tells_what_was_done(store: Store, old: Record, run: Run):
    report = run()

    path = next(path for path in store.index.entries if "dream-pass" in path)
    note = store.get(path).note
    assert (note.record.type, note.record.importance) == ("dream", 3)
    assert note.record.tags == ("consolidation", "dream")
    assert note.record.source_kind == "dream"
    assert outcome(report, "expiry").done[0] in note.record.content
