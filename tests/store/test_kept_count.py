"""Counts are kept from process to process, believed only while they are true, never missed."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemos_files.format.journal import render
from mnemos_files.model.event import (
    Accessed,
    Dreamed,
    Event,
    SessionEnded,
    SessionStarted,
    SkillUsed,
    Surfaced,
    Touched,
)
from mnemos_files.model.tally import Tally
from mnemos_files.store import counting
from mnemos_files.store.counting import Counting
from mnemos_files.store.kept_count import KeptCount
from mnemos_files.vault.files import Vault
from tests.conftest import Clock

OLD = datetime(2026, 10, 5, 9, 0, 0, 1, tzinfo=UTC)
NEW = datetime(2026, 12, 1, 9, tzinfo=UTC)
PAST: Sequence[Event] = (
    SessionStarted(OLD, "s1", "api", "codex", "Zölle prüfen", 7),
    Touched(OLD, "z.py", "api", "codex", "s1"),
    Touched(OLD + timedelta(hours=1), "a.py", "api", "codex", "s1"),
    Accessed(OLD, ("x", "y"), session="s1"),
    SkillUsed(OLD, "k", "success", session="s1"),
    Surfaced(OLD, ("y",), "prewarm"),
    Dreamed(OLD, ("expire:x",), "expiry"),
    SessionEnded(OLD + timedelta(hours=2), "s1", "ok", "done"),
    SessionEnded(OLD, "s2", "ok"),
    SessionStarted(OLD, "s3"),
)
PRESENT: Sequence[Event] = (
    Touched(NEW, "b.py", "api", "codex", "s3"),
    Accessed(NEW, ("x",)),
    Surfaced(NEW, ("x", "y"), "prewarm"),
    Dreamed(NEW, ("expire:y",), "expiry"),
    SessionStarted(OLD - timedelta(hours=1), "s2"),
    Touched(NEW, "z.py", "api", "codex", "s1"),
)
Tallying = Callable[[], Tally]


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    folder = tmp_path / "vault/.mnemos/journal/m1"
    folder.mkdir(parents=True)
    (folder / "2026-10.jsonl").write_bytes(b"".join(render(PAST)))
    (folder / "2026-12.jsonl").write_bytes(b"".join(render(PRESENT)))
    return folder


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> KeptCount:
    return KeptCount(tmp_path / "cache/vault", clock)


@pytest.fixture(autouse=True)
def keep_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the count for the sake of a single line."""
    monkeypatch.setattr(counting, "KEEP_LINES", -1_000)


@pytest.fixture
def tally(tmp_path: Path, journals: Path, kept: KeptCount) -> Tallying:
    """The tally of a process that has just started."""
    return lambda: Counting(Vault(tmp_path / "vault", ()).own, kept).tally()


@pytest.fixture
def tally_old(tally: Tallying, kept: KeptCount) -> Tallying:
    """The same where only old months are kept."""

    def without_all() -> Tally:
        (kept.folder / "journal.json").unlink(missing_ok=True)
        return tally()

    return without_all


@pytest.fixture
def lines_read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    read: list[bytes] = []
    original = counting.parse
    monkeypatch.setattr(counting, "parse", lambda lines: read.extend(lines) or original(lines))
    return read


def plain(tmp_path: Path) -> Tally:
    """The same counted without anything kept."""
    return Counting(Vault(tmp_path / "vault", ()).own).tally()


def test_the_second_start_reads_nothing_again(
    tmp_path: Path, tally: Tallying, lines_read: list[bytes]
) -> None:
    first = tally()
    assert first == plain(tmp_path)
    lines_read.clear()

    assert tally() == first
    assert lines_read == []


def test_when_a_live_month_was_replaced_old_ones_are_not_read_again(
    tmp_path: Path, journals: Path, tally: Tallying, lines_read: list[bytes]
) -> None:
    tally()
    lines_read.clear()
    (journals / "2026-12.jsonl").write_bytes(b"".join(render(PRESENT[1:])))

    found = tally()

    assert lines_read == [line[:-1] for line in render(PRESENT[1:])]
    assert found == plain(tmp_path)


def test_only_new_lines_are_read_and_a_known_one_counts_no_second_time(
    journals: Path, tally: Tallying, lines_read: list[bytes]
) -> None:
    tally()
    lines_read.clear()
    new = render([Accessed(NEW, ("y",))])[0]
    with (journals / "2026-12.jsonl").open("ab") as file:
        file.write(new + render(PRESENT[:1])[0])

    found = tally()

    assert lines_read == [new[:-1]]
    assert [heat.touches for heat in found.heat("api") if heat.path == "b.py"] == [1]


def test_little_news_is_not_kept(
    kept: KeptCount, tally: Tallying, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "KEEP_LINES", 1_000)

    tally()

    assert [file.name for file in kept.folder.iterdir()] == ["journal-old.json"]


@pytest.mark.parametrize("which", ["tally", "tally_old"])
def test_events_are_added_to_what_was_kept(
    journals: Path, request: pytest.FixtureRequest, which: str
) -> None:
    tally: Tallying = request.getfixturevalue(which)
    tally()
    with (journals / "2026-12.jsonl").open("ab") as file:
        file.writelines(render([Accessed(NEW, ("y",)), Touched(NEW, "a.py", session="s1")]))

    found = tally()

    assert found.uses["y"].accesses == 4
    assert found.uses["y"].surfaced == OLD
    assert found.deeds == {"expire:x": OLD, "expire:y": NEW}
    assert found.sessions["s1"].touched == ("z.py", "a.py")
    assert found.sessions["s1"].started == PAST[0]
    assert found.sessions["s1"].skills == {"k"}
    assert found.sessions["s1"].ended == PAST[7]
    assert found.sessions["s2"].started == PRESENT[4]


@pytest.mark.parametrize("how", ["changed", "longer", "gone", "new"])
def test_what_is_kept_is_forgotten_when_an_old_file_is_another(
    tmp_path: Path, journals: Path, tally: Tallying, how: str
) -> None:
    tally()
    old = journals / "2026-10.jsonl"
    if how == "changed":
        old.write_bytes(old.read_bytes().replace(b"z.py", b"q.py"))
    if how == "longer":
        old.write_bytes(old.read_bytes() + render([Touched(OLD, "more.py", "api")])[0])
    if how == "gone":
        old.unlink()
    if how == "new":
        (journals / "2026-09.jsonl").write_bytes(render([Touched(OLD, "more.py", "api")])[0])

    assert tally() == plain(tmp_path) == tally()


def test_an_old_month_that_comes_by_a_pull_is_added_without_reading_the_others(
    tmp_path: Path, journals: Path, tally_old: Tallying, lines_read: list[bytes]
) -> None:
    tally_old()
    lines_read.clear()
    other = journals.parent / "m2/2026-10.jsonl"
    other.parent.mkdir()
    other.write_bytes(render([Touched(OLD, "more.py", "api")])[0])

    found = tally_old()

    came = Touched(OLD, "more.py", "api")
    assert lines_read == [line[:-1] for line in render([came, *PRESENT])]
    assert found == plain(tmp_path)


@pytest.mark.parametrize("name", ["journal.json", "journal-old.json"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data.replace(b"z.py", b"q.py"),
        lambda data: b"2" + data[1:],
        lambda data: b"not even a line",
        lambda data: b"\n{}",
    ],
)
def test_a_damaged_file_is_ignored_and_made_anew(
    kept: KeptCount, tally: Tallying, damage: Callable[[bytes], bytes], name: str
) -> None:
    first = tally()
    whole = {file.name: file.read_bytes() for file in kept.folder.iterdir()}
    (kept.folder / "journal.json").unlink()
    (kept.folder / name).write_bytes(damage(whole[name]))

    assert tally() == first
    assert {file.name: file.read_bytes() for file in kept.folder.iterdir()} == whole


def test_where_nothing_can_be_kept_everything_is_counted(tmp_path: Path, tally: Tallying) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")

    assert tally() == plain(tmp_path)


def test_a_file_that_changes_under_a_running_process_is_counted_anew(
    tmp_path: Path, journals: Path, kept: KeptCount
) -> None:
    count = Counting(Vault(tmp_path / "vault", ()).own, kept)
    count.tally()
    with (journals / "2026-10.jsonl").open("ab") as file:
        file.writelines(render([Touched(OLD, "late.py", "api")]))

    assert count.tally() == plain(tmp_path)
    (journals / "2026-10.jsonl").unlink()
    assert count.tally() == plain(tmp_path)


def test_a_month_is_old_a_week_after_its_end(
    tally_old: Tallying, clock: Clock, lines_read: list[bytes]
) -> None:
    clock.now = datetime(2027, 1, 7, 23, 59, tzinfo=UTC)
    tally_old()
    lines_read.clear()
    tally_old()
    assert len(lines_read) == len(PRESENT)

    clock.now = datetime(2027, 1, 8, tzinfo=UTC)
    tally_old()
    lines_read.clear()
    tally_old()
    assert lines_read == []
