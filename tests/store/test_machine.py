"""The name of a machine: made once, kept in the cache, never another's."""

import re
import subprocess
import sys
from pathlib import Path

from mnemos_files.store.machine import machine_name, new_machine_name
from tests.conftest import OpenStore


def test_a_name_is_made_once_and_kept(tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "cache"

    first = machine_name(cache, "aaaaaaa1")

    assert first == "aaaaaaa1"
    assert machine_name(cache, "bbbbbbb2") == "aaaaaaa1"
    assert [path.name for path in cache.iterdir()] == ["machine"]


def test_fresh_names_are_eight_letters_or_digits_and_differ() -> None:
    names = {new_machine_name() for _ in range(200)}

    assert len(names) == 200
    assert all(re.fullmatch(r"[a-z0-9]{8}", name) for name in names)


def test_where_nothing_can_be_kept_the_name_is_of_this_process(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")

    assert machine_name(tmp_path / "cache", "aaaaaaa1") == "aaaaaaa1"
    assert (tmp_path / "cache").read_text("utf-8") == "a file"


def test_a_damaged_name_is_replaced(tmp_path: Path) -> None:
    for text in (b"", b"../../etc", b"\xff\xfe", b"UPPER123", b"aaaaaaa1 bbbbbbb2"):
        (tmp_path / "machine").write_bytes(text)

        assert machine_name(tmp_path, "ccccccc3") == "ccccccc3"
        assert machine_name(tmp_path, "ddddddd4") == "ccccccc3"


NAMING = """
import sys
from pathlib import Path
from mnemos_files.store.machine import machine_name, new_machine_name
print("ready", flush=True)
sys.stdin.readline()
print(machine_name(Path(sys.argv[1]), new_machine_name()))
"""


def test_processes_that_start_together_have_one_name(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", NAMING, str(cache)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    names = {process.communicate()[0].strip() for process in processes}

    assert len(names) == 1
    assert [path.name for path in cache.iterdir()] == ["machine"]


def test_stores_of_one_cache_write_the_same_journal_and_others_do_not(
    vault: Path, open_vault: OpenStore, tmp_path: Path
) -> None:
    one, two = open_vault(vault), open_vault(vault)
    far = open_vault(vault, cache_folder=tmp_path / "other machine", process=7)

    assert one.journal.machine == two.journal.machine != far.journal.machine
    assert far.journal.process == 7
