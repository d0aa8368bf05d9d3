"""Counting the journals of all machines, and only what is new in them."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.format.journal import render
from mnemos_files.model.event import Accessed, SessionStarted, Touched
from mnemos_files.model.tally import Heat
from mnemos_files.store import counting
from mnemos_files.store.counting import Counting
from mnemos_files.vault.files import Vault
from tests.conftest import NOON

AT = [NOON + timedelta(seconds=number) for number in range(20)]


def line(number: int, path: str = "a.py") -> bytes:
    return render([Touched(AT[number], path, "api")])[0]


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    folder = tmp_path / "vault/.mnemos/journal"
    (folder / "m1").mkdir(parents=True)
    (folder / "m2").mkdir()
    return folder


@pytest.fixture
def count(journals: Path) -> Counting:
    return Counting(Vault(journals.parents[1], ()).own)


def touches(count: Counting) -> int:
    return sum(heat.touches for heat in count.tally().heat("api"))


def test_a_vault_without_journals_has_an_empty_tally(tmp_path: Path) -> None:
    count = Counting(Vault(tmp_path, ()).own)

    assert count.tally().uses == {}
    assert count.tally().heat("") == []


def test_months_and_machines_add_up(journals: Path, count: Counting) -> None:
    (journals / "m1/2026-11.jsonl").write_bytes(line(0))
    (journals / "m1/2026-12.jsonl").write_bytes(line(1) + line(2, "b.py"))
    (journals / "m2/2026-12.jsonl").write_bytes(line(3))

    assert count.tally().heat("api") == [Heat("a.py", 3, AT[3]), Heat("b.py", 1, AT[2])]


def test_a_session_of_two_machines_is_one(journals: Path, count: Counting) -> None:
    start = SessionStarted(AT[1], "s", process=7)
    (journals / "m2/2026-12.jsonl").write_bytes(render([start])[0])
    (journals / "m1/2026-12.jsonl").write_bytes(render([Touched(AT[2], "a.py", session="s")])[0])

    trace = count.tally().sessions["s"]

    assert (trace.started, trace.machine, trace.touched) == (start, "m2", ("a.py",))


def test_appended_lines_are_counted_once_and_only_they_are_read(
    journals: Path, count: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = journals / "m1/2026-12.jsonl"
    file.write_bytes(line(0) + line(1))
    assert touches(count) == 2
    parsed: list[bytes] = []
    original = counting.parse
    monkeypatch.setattr(counting, "parse", lambda lines: parsed.extend(lines) or original(lines))

    with file.open("ab") as stream:
        stream.write(line(2))

    assert touches(count) == touches(count) == 3
    assert parsed == [line(2)[:-1]]


def test_a_line_without_its_end_counts_when_it_is_whole(journals: Path, count: Counting) -> None:
    file = journals / "m1/2026-12.jsonl"
    file.write_bytes(line(0) + line(1)[:20])
    assert touches(count) == 1

    with file.open("ab") as stream:
        stream.write(line(1)[20:])

    assert touches(count) == 2


def test_a_file_that_came_by_a_pull_is_added(journals: Path, count: Counting) -> None:
    (journals / "m1/2026-12.jsonl").write_bytes(line(0))
    assert touches(count) == 1

    (journals / "m3").mkdir()
    (journals / "m3/2026-12.jsonl").write_bytes(line(1))

    assert touches(count) == 2


@pytest.mark.parametrize("how", ["in place", "by rename", "merged", "shorter", "longer"])
def test_a_file_that_was_replaced_is_counted_anew(
    journals: Path, count: Counting, how: str
) -> None:
    file = journals / "m1/2026-12.jsonl"
    (journals / "m2/2026-12.jsonl").write_bytes(line(9))
    file.write_bytes(line(0) + line(1) + line(2))
    assert touches(count) == 4
    new, expected = {
        "in place": (line(3) + line(4) + line(5), 4),
        "by rename": (line(3) + line(4), 3),
        "merged": (line(0) + line(7, "longer name.py") + line(1) + line(2), 5),
        "shorter": (line(0), 2),
        "longer": (line(3) + line(4) + line(5) + line(6), 5),
    }[how]

    if how == "by rename":
        (journals / "new").write_bytes(new)
        (journals / "new").replace(file)
    else:
        file.write_bytes(new)

    assert touches(count) == expected


def test_a_file_that_a_branch_switch_removed_counts_no_more(
    journals: Path, count: Counting
) -> None:
    (journals / "m1/2026-12.jsonl").write_bytes(line(0))
    (journals / "m2/2026-12.jsonl").write_bytes(line(1))
    assert touches(count) == 2

    (journals / "m2/2026-12.jsonl").unlink()
    (journals / "m2").rmdir()

    assert touches(count) == 1


def test_a_line_that_a_merge_brought_twice_counts_once(journals: Path, count: Counting) -> None:
    (journals / "m1/2026-12.jsonl").write_bytes(line(0) + line(1) + line(0) + line(1))

    assert touches(count) == 2


def test_equal_lines_of_two_machines_are_two_events(journals: Path, count: Counting) -> None:
    (journals / "m1/2026-12.jsonl").write_bytes(line(0))
    (journals / "m2/2026-12.jsonl").write_bytes(line(0))

    assert touches(count) == 2


@pytest.mark.parametrize(
    "name",
    [
        "m1/2026-12.sync-conflict-20261203-181502-K7Q2XAB.jsonl",
        "m1/2026-13.jsonl",
        "m1/2026-12.jsonl.tmp",
        "m1/sub/2026-12.jsonl",
        "2026-12.jsonl",
        "a machine/2026-12.jsonl",
        ".hidden/2026-12.jsonl",
    ],
)
def test_other_files_are_no_journals(journals: Path, count: Counting, name: str) -> None:
    (journals / name).parent.mkdir(exist_ok=True)
    (journals / name).write_bytes(line(0))

    assert touches(count) == 0


def test_an_endless_line_hides_nothing_behind_it(journals: Path, count: Counting) -> None:
    huge = b'{"at":"2026-12-01T12:00:00Z","event":"touch","path":"' + b"x" * 2_000_000
    (journals / "m1/2026-12.jsonl").write_bytes(line(0) + huge + b'"}\n' + line(1) + huge)

    assert touches(count) == 2


def test_only_so_much_of_a_file_is_read(
    journals: Path, count: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_CHUNK_BYTES", len(line(0)))
    monkeypatch.setattr(counting, "FILE_BYTES_MAX", 2 * len(line(0)))
    (journals / "m1/2026-12.jsonl").write_bytes(line(0) + line(1) + line(2) + line(3))

    assert touches(count) == 2


def test_lines_that_lie_across_two_reads_are_whole(
    journals: Path, count: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_CHUNK_BYTES", 7)
    (journals / "m1/2026-12.jsonl").write_bytes(b"".join(map(line, range(12))) + b"\n\n")

    assert touches(count) == 12


def test_a_month_that_is_a_link_or_a_pipe_is_passed_over(
    journals: Path, count: Counting, tmp_path: Path
) -> None:
    (tmp_path / "outside.jsonl").write_bytes(line(0))
    (journals / "m1/2026-11.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (journals / "m3").symlink_to(tmp_path)
    os.mkfifo(journals / "m1/2026-10.jsonl")
    (journals / "m2/2026-12.jsonl").write_bytes(line(1))

    assert touches(count) == 1


def test_accesses_of_a_pulled_machine_count_beside_ours(journals: Path, count: Counting) -> None:
    (journals / "m1/2026-12.jsonl").write_bytes(render([Accessed(AT[0], ("x",))])[0])
    (journals / "m2/2026-12.jsonl").write_bytes(render([Accessed(AT[5], ("x",))])[0])

    uses = count.tally().uses["x"]

    assert (uses.accesses, uses.last) == (2, AT[5])
