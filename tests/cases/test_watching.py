"""Edits by people and programs while the server runs, while it is stopped, and without events."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemos_files.model.query import Query
from mnemos_files.operations.state import stats
from mnemos_files.store.store import Store
from tests.cases.conftest import Build, Serve
from tests.cases.inputs import script
from tests.conftest import NOON, OpenStore, an_observation, git


def found(store: Store, text: str) -> list[str]:
    answer = store.search(Query(text=text, now=NOON))
    return [str(one.hit.entry.path) for one in answer.found]


def in_place(note: Path) -> None:
    note.write_text("save1\n", encoding="utf-8")


def by_rename(note: Path) -> None:
    temporary = note.with_name(".note.md.tmp")
    temporary.write_text("save2\n", encoding="utf-8")
    temporary.replace(note)


def with_a_backup(note: Path) -> None:
    backup = note.with_name("note.md~")
    note.rename(backup)
    note.write_text("save3\n", encoding="utf-8")
    backup.unlink()


def by_delete_and_write(note: Path) -> None:
    note.unlink()
    note.write_text("save4\n", encoding="utf-8")


def with_its_old_time(note: Path) -> None:
    before = note.stat()
    note.write_text("save5\n", encoding="utf-8")
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))


SAVES = (in_place, by_rename, with_a_backup, by_delete_and_write, with_its_old_time)


@pytest.mark.parametrize("events", ["events", "no events"])
@pytest.mark.parametrize(
    ("number", "save"), list(enumerate(SAVES, 1)), ids=[save.__name__ for save in SAVES]
)
def test_the_next_search_tells_what_an_editor_saved(
    build: Build, open_vault: OpenStore, number: int, save: Callable[[Path], None], events: str
) -> None:
    """Case c41, with events and without them."""
    vault = build("c41")
    git(vault, "init", "-q")
    store = open_vault(vault, background=events == "events")
    assert found(store, "save0") == ["note.md"]

    save(vault / "note.md")

    assert found(store, f"save{number}") == ["note.md"]
    assert found(store, "save0") == []
    assert set(store.index.entries) == {"note.md", "other.md"}


def test_a_slow_writer_is_read_as_far_as_it_is_and_whole_at_its_end(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c41, step 6. By the design an answer tells what the file says now."""
    vault = build("c41")
    git(vault, "init", "-q")
    store = open_vault(vault, background=True)
    store.finish()

    with (vault / "note.md").open("w", encoding="utf-8") as slow:
        for line in ("PARTIAL", "more", "save6"):
            slow.write(f"{line}\n")
            slow.flush()
            assert found(store, line) == ["note.md"]

    assert found(store, "save6") == ["note.md"]
    assert store.get("note.md").note.body == "PARTIAL\nmore\nsave6\n"
    assert git(vault, "status", "--porcelain") == "?? note.md\n?? other.md\n"


def test_a_note_is_listed_all_the_time_while_editors_save_it(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c41: backups and temporary files never are."""
    vault = build("c41")
    git(vault, "init", "-q")
    store = open_vault(vault, background=True)
    note = vault / "note.md"

    for step in (by_rename, with_its_old_time, in_place):
        step(note)
        store.refresh()
        assert set(store.index.entries) == {"note.md", "other.md"}
    note.rename(vault / "note.md~")
    (vault / ".note.md.swp").write_bytes(b"b0VIM 9.0")
    note.write_text("save3\n", encoding="utf-8")
    store.refresh()

    assert set(store.index.entries) == {"note.md", "other.md"}


def test_reading_files_is_no_change(build: Build, open_vault: OpenStore) -> None:
    """Case c41, outcome 4."""
    vault = build("c41")
    git(vault, "init", "-q")
    store = open_vault(vault, background=True)
    store.finish()
    store.index.flush()
    before = dict(store.index.entries)

    for _ in range(50):
        for path in vault.rglob("*.md"):
            path.read_bytes()

    assert found(store, "save0") == ["note.md"]
    assert store.index.pending == 0
    assert dict(store.index.entries) == before


def test_changes_while_the_server_was_stopped_are_seen_at_the_next_start(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c43."""
    vault = build("c43")
    first = open_vault(vault)
    first.finish()
    first.close()
    script("c43", "changes.sh", vault)

    store = open_vault(vault, background=True)

    assert found(store, "copper pipes") == []
    assert found(store, "tin roof costs") == ["tin.md"]
    assert store.get("tin").note.body == "tin roof costs 1100\n"
    assert found(store, "900") == []
    assert found(store, "zinc plates") == ["done/zinc.md"]
    assert found(store, "lead seals") == ["lead.md"]
    counts = stats(store).index
    assert (counts.on_disk, counts.indexed, counts.pending) == (5, 5, 0)

    git(vault, "checkout", "--", "copper.md")

    assert found(store, "copper pipes") == ["copper.md"]
    assert (stats(store).index.on_disk, stats(store).index.indexed) == (6, 6)


def test_an_index_that_another_process_cleared_is_read_anew(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c43: no event tells that the index lost its notes."""
    vault = build("c43")
    watching = open_vault(vault, background=True)
    watching.rebuild()
    assert len(watching.index.entries) == 5

    open_vault(vault).index.clear()

    assert found(watching, "copper pipes") == ["copper.md"]
    assert len(watching.index.entries) == 5


def without_events(vault: Path) -> Path:
    """Switch watching off; gives a folder for the index inside the vault."""
    (vault / ".mnemos").mkdir()
    config = '[vault]\nid = "c81"\nformat = 1\n[server]\nwatch = false\n'
    (vault / ".mnemos/config.toml").write_text(config, encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "no events")
    return vault / "cache"


def test_an_edit_without_an_event_is_in_the_next_answer(build: Build, serve: Serve) -> None:
    """Case c81."""
    vault = build("c81")
    inside = without_events(vault)
    wire = serve(vault, MNEMOS_CACHE_DIR=str(inside))
    assert wire.call("search", query="the winch is grey")["results"][0]["path"] == "winch.md"

    script("c81", "edits.sh", vault)

    winch = wire.call("search", query="winch")["results"]
    davit = wire.call("search", query="old davit")["results"]
    capstan = wire.call("search", query="new capstan")["results"]
    stats = wire.call("stats")
    assert [hit["snippet"].strip() for hit in winch] == ["the winch is green"]
    assert "gone.md" not in [hit["path"] for hit in davit]
    assert [hit["path"] for hit in capstan] == ["capstan.md"]
    assert "the winch is green" in wire.call("get", id="winch.md")["content"]
    assert stats["index"]["watching"] == "comparing files"
    assert (stats["index"]["on_disk"], stats["index"]["indexed"]) == (2, 2)
    assert wire.close() == 0


@pytest.mark.parametrize("events", ["events", "no events"])
def test_an_index_inside_the_vault_is_no_part_of_it(
    build: Build, open_vault: OpenStore, events: str
) -> None:
    """Case c81."""
    vault = build("c81")
    store = open_vault(vault, cache_folder=vault / "cache", background=events == "events")
    saved = store.put(an_observation(store))
    store.rebuild()
    (vault / "cache/note.md").write_text("a note that lies beside the index\n", encoding="utf-8")

    for _ in range(3):
        store.refresh()
        store.index.flush()
        assert store.index.pending == 0

    assert set(store.index.entries) - {"cache/note.md"} == {
        "gone.md",
        "winch.md",
        str(saved.path),
    }
    assert "cache" not in git(vault, "ls-files")


@pytest.mark.slow
def test_a_server_without_events_uses_no_processor_time_while_idle(
    build: Build, serve: Serve
) -> None:
    """Case c81, outcome 4: 2,000 notes, below 2 % of one processor."""
    vault = build("c81")
    for number in range(2_000):
        shutil.copy(vault / "winch.md", vault / f"winch-{number}.md")
    without_events(vault)
    wire = serve(vault)
    while wire.call("stats")["index"]["pending"]:
        pass
    with pytest.raises(subprocess.TimeoutExpired):
        wire.process.wait(5)  # its index is written meanwhile
    before = processor_seconds(wire.process.pid)

    with pytest.raises(subprocess.TimeoutExpired):
        wire.process.wait(10)

    assert processor_seconds(wire.process.pid) - before < 0.2


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
