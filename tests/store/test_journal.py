"""The journal of a vault: what is appended is counted, by whomever it was written."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemos_files.errors import CorruptError, RefusedError, UnavailableError
from mnemos_files.model.event import Accessed, SessionStarted, SkillUsed, Surfaced, Touched
from mnemos_files.model.tally import Heat, Uses
from mnemos_files.store.store import Store
from tests.conftest import NOON, OpenStore, an_observation, git
from tests.vault.disk import descriptors

AT = datetime(2026, 12, 1, 12, 0, 0, 5, tzinfo=UTC)
TOUCH = Touched(AT, "src/a.py", "api")


def journal_file(store: Store, month: str = "2026-12") -> Path:
    return store.place.vault.root / ".mnemos/journal" / store.journal.machine / f"{month}.jsonl"


def test_events_are_counted_as_soon_as_they_are_appended(store: Store) -> None:
    store.journal.append([Accessed(AT, ("a", "b"), "codex"), Surfaced(AT, ("a",), "prewarm")])
    store.journal.append([SkillUsed(AT, "s", "success"), SkillUsed(AT, "s", "failure")])

    uses = store.journal.tally().uses

    assert uses == {
        "a": Uses(accesses=2, last=AT, surfaced=AT),
        "b": Uses(accesses=1, last=AT),
        "s": Uses(skill_uses=2, skill_successes=1, last_use=AT),
    }


def test_events_of_another_process_are_counted_too(vault: Path, open_vault: OpenStore) -> None:
    one, two = open_vault(vault), open_vault(vault)
    assert one.journal.tally().heat("api") == []

    two.journal.append([TOUCH])

    assert one.journal.tally().heat("api") == [Heat("src/a.py", 1, AT)]


def test_the_same_event_twice_at_one_instant_counts_twice(store: Store) -> None:
    for _ in range(3):
        store.journal.append([Touched(NOON, "src/a.py", "api")])

    assert store.journal.tally().heat("api") == [Heat("src/a.py", 3, NOON)]


def test_a_session_is_known_by_its_start(store: Store) -> None:
    store.journal.append([SessionStarted(NOON, "s1", "api", "codex", "mend it", 7)])
    store.journal.append([Touched(AT, "b.py", "api", session="s1")])

    trace = store.journal.tally().sessions["s1"]

    assert trace.started == SessionStarted(NOON, "s1", "api", "codex", "mend it", 7)
    assert (trace.ended, trace.last, trace.touched) == (None, AT, ("b.py",))
    assert trace.machine == store.journal.machine


def test_an_event_makes_no_commit_and_changes_no_other_file(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    head = git(vault, "rev-parse", "HEAD")

    store.journal.append([TOUCH])
    store.journal.note([Accessed(AT, ("a",))])

    assert git(vault, "rev-parse", "HEAD") == head
    assert git(vault, "status", "--porcelain") == "?? .mnemos/journal/\n"
    rows = [json.loads(line) for line in journal_file(store).read_bytes().splitlines()]
    assert [row["event"] for row in rows] == ["touch", "get"]


def test_the_turn_of_a_month_starts_a_new_file(store: Store) -> None:
    late = datetime(2026, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    early = late + timedelta(microseconds=1)

    store.journal.append([Touched(late, "a.py", "api"), Touched(early, "a.py", "api")])

    for month in ("2026-12", "2027-01"):
        assert len(journal_file(store, month).read_bytes().splitlines()) == 1
    assert store.journal.tally().heat("api") == [Heat("a.py", 2, early)]


def test_a_clock_that_goes_back_costs_nothing(store: Store) -> None:
    before = AT - timedelta(days=40)

    store.journal.append([TOUCH])
    store.journal.append([Touched(before, "src/a.py", "api")])

    assert store.journal.tally().heat("api") == [Heat("src/a.py", 2, AT)]


def test_no_events_write_nothing(store: Store, vault: Path) -> None:
    store.journal.append([])
    store.journal.append([Accessed(AT, ())])

    assert not (vault / ".mnemos/journal").exists()


def test_reading_makes_nothing_in_a_folder_that_is_no_vault_yet(store: Store, vault: Path) -> None:
    store.journal.note([Accessed(AT, ("a",))])

    assert git(vault, "status", "--porcelain", "--ignored") == ""


def test_a_read_succeeds_where_the_journal_cannot_be_written(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    (vault / ".mnemos/journal").write_text("a file", encoding="utf-8")

    store.journal.note([Accessed(AT, ("a",))])

    with pytest.raises(RefusedError):
        store.journal.append([TOUCH])
    assert (vault / ".mnemos/journal").read_text("utf-8") == "a file"
    assert store.journal.tally().uses == {}


def test_a_journal_folder_that_leads_out_of_the_vault_is_not_followed(
    store: Store, vault: Path, tmp_path: Path
) -> None:
    (vault / ".mnemos").mkdir()
    (tmp_path / "outside").mkdir()
    (vault / ".mnemos/journal").symlink_to(tmp_path / "outside")

    with pytest.raises(RefusedError):
        store.journal.append([TOUCH])

    assert list((tmp_path / "outside").iterdir()) == []


def test_a_vault_that_is_gone_is_told(store: Store, vault: Path) -> None:
    vault.rename(vault.with_name("moved"))

    with pytest.raises(UnavailableError):
        store.journal.append([TOUCH])

    assert not vault.exists()
    vault.with_name("moved").rename(vault)


def test_journals_that_git_does_not_get_are_ignored_by_it(
    vault: Path, open_vault: OpenStore
) -> None:
    first = open_vault(vault)
    first.put(an_observation(first))
    with (vault / ".mnemos/config.toml").open("a", encoding="utf-8") as file:
        file.write('\n[journal]\ncommit = "never"\n')
    git(vault, "commit", "-q", "-am", "settings")
    store = open_vault(vault)

    store.journal.append([TOUCH])
    store.put(an_observation(store, content="The end."), with_journal=True)

    assert store.journal.batch() == {}
    assert store.commit_journal().commit == ""
    assert git(vault, "status", "--porcelain") == ""
    assert ".mnemos/journal" not in git(vault, "ls-files")
    assert store.journal.tally().heat("api") == [Heat("src/a.py", 1, AT)]


def test_an_unknown_choice_of_the_setting_is_told(vault: Path, open_vault: OpenStore) -> None:
    (vault / ".mnemos").mkdir()
    (vault / ".mnemos/config.toml").write_text('[journal]\ncommit = "often"\n', encoding="utf-8")

    with pytest.raises(CorruptError, match="session, never"):
        open_vault(vault)


def test_the_batch_holds_what_differs_from_the_commit(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    store.journal.append([TOUCH])
    path = journal_file(store).relative_to(vault)
    assert {str(p): d for p, d in store.journal.batch().items()} == {
        str(path): journal_file(store).read_bytes()
    }

    store.commit_journal()
    assert store.journal.batch() == {}
    assert store.journal.waiting() == []

    store.journal.append([Touched(AT, "b.py", "api")])
    assert store.journal.waiting() == [Touched(AT, "b.py", "api")]


def test_journals_of_other_machines_are_not_in_the_batch(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    other = vault / ".mnemos/journal/otherone/2026-12.jsonl"
    other.parent.mkdir(parents=True)
    other.write_text('{"at":"2026-12-01T00:00:00Z","event":"touch","path":"a"}\n', "utf-8")
    store.journal.append([TOUCH])

    store.commit_journal()

    assert git(vault, "status", "--porcelain") == "?? .mnemos/journal/otherone/\n"


def test_a_vault_without_history_keeps_a_journal(tmp_path: Path, open_vault: OpenStore) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    store = open_vault(root)

    store.journal.append([TOUCH])

    assert store.journal.batch() == {}
    assert store.commit_journal().commit == ""
    assert store.journal.tally().heat("api") == [Heat("src/a.py", 1, AT)]


APPENDING = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mnemos_files.model.event import Touched
from mnemos_files.store.journal import Journal
from mnemos_files.store.place import Place
journal = Journal(Place(Path(sys.argv[1]), vault_id="v"), "machine1")
print("ready", flush=True)
sys.stdin.readline()
for number in range(500):
    journal.append([Touched(datetime.now(UTC), f"{sys.argv[2]}-{number}.py", "api")])
"""


def test_events_of_eight_processes_at_once_are_all_counted(
    vault: Path, open_vault: OpenStore
) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", APPENDING, str(vault), str(name)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for name in range(8)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()

    heat = open_vault(vault).journal.tally().heat("api")

    assert len(heat) == 4_000
    assert {each.touches for each in heat} == {1}


def test_the_journal_is_written_with_the_descriptors_that_it_closes(store: Store) -> None:
    store.journal.append([TOUCH])
    before = descriptors()

    for _ in range(20):
        store.journal.append([TOUCH])
        store.journal.tally()
        store.journal.batch()

    assert descriptors() == before


def test_events_of_a_window_are_read_from_all_machines_by_time(
    vault: Path, open_vault: OpenStore, tmp_path: Path
) -> None:
    one = open_vault(vault)
    other = open_vault(vault, cache_folder=tmp_path / "other")
    days = [datetime(2026, 10, 31, 23, 59, tzinfo=UTC), NOON - timedelta(days=1), NOON]
    for day in days:
        one.journal.append([Touched(day, "one.py")])
    other.journal.append([Touched(NOON - timedelta(hours=1), "other.py")])

    found = one.journal.since(NOON - timedelta(days=1))

    assert [event.path for event in found] == ["one.py", "other.py", "one.py"]
    assert len(one.journal.since(datetime.min.replace(tzinfo=UTC))) == 4
    assert one.journal.since(NOON + timedelta(seconds=1)) == []


def test_a_line_that_a_merge_brought_twice_is_one_event_of_a_window(store: Store) -> None:
    store.journal.append([Touched(NOON, "a.py"), Touched(NOON, "b.py")])
    path = journal_file(store)
    path.write_bytes(path.read_bytes() * 2 + b"half a li")

    assert [event.path for event in store.journal.since(NOON)] == ["a.py", "b.py"]
