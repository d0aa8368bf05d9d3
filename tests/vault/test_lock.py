import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mnemos_files.errors import UnavailableError
from mnemos_files.vault.lock import VaultLock

HOLDER = """
import sys, threading
from pathlib import Path
from mnemos_files.vault.lock import VaultLock
with VaultLock(Path(sys.argv[1])).hold(5):
    print("held", flush=True)
    threading.Event().wait(60)
"""
COUNTER = """
import sys
from pathlib import Path
from mnemos_files.vault.lock import VaultLock
folder = Path(sys.argv[1])
lock = VaultLock(folder)
for _ in range(int(sys.argv[2])):
    with lock.hold(60):
        count = int((folder / "count").read_text())
        (folder / "count").write_text(str(count + 1))
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def enter(lock: VaultLock, seconds: float) -> None:
    with lock.hold(seconds):
        pass


def test_a_second_thread_waits_for_the_first(tmp_path: Path) -> None:
    lock = VaultLock(tmp_path)
    inside = []
    most = []

    def work() -> None:
        for _ in range(50):
            with lock.hold(30):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(most) == 400
    assert set(most) == {1}


def test_two_locks_on_one_folder_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    with VaultLock(tmp_path).hold(1), pytest.raises(UnavailableError):
        enter(VaultLock(tmp_path), 0.05)


def test_processes_take_turns_and_no_count_is_lost(tmp_path: Path) -> None:
    (tmp_path / "count").write_text("0")
    command = [sys.executable, "-c", COUNTER, str(tmp_path), "100"]

    workers = [subprocess.Popen(command) for _ in range(3)]

    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "300"


def test_who_waits_in_vain_is_told_what_to_do(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        begin = time.monotonic()

        with pytest.raises(UnavailableError, match="another program") as caught:
            enter(VaultLock(tmp_path), 0.2)

        waited = time.monotonic() - begin
        process.kill()

    assert 0.2 <= waited < 5
    assert caught.value.remedy


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        os.kill(process.pid, signal.SIGKILL)

    begin = time.monotonic()
    with VaultLock(tmp_path).hold(5):
        assert time.monotonic() - begin < 2


def test_a_leftover_lock_file_means_nothing(tmp_path: Path) -> None:
    (tmp_path / "writer.lock").write_text("4711\n")

    with VaultLock(tmp_path).hold(0.5):
        pass


def test_an_error_inside_releases_the_lock(tmp_path: Path) -> None:
    lock = VaultLock(tmp_path)

    with pytest.raises(ZeroDivisionError), lock.hold(1):
        raise ZeroDivisionError

    with lock.hold(0.5):
        pass


def test_a_vault_that_is_gone_is_not_made_anew_by_its_lock(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError):
        enter(VaultLock(tmp_path / "gone" / ".mnemos"), 0.1)

    assert list(tmp_path.iterdir()) == []


def test_the_lock_makes_its_folder_only_when_it_is_held(tmp_path: Path) -> None:
    lock = VaultLock(tmp_path / ".mnemos")
    assert list(tmp_path.iterdir()) == []

    with lock.hold(1):
        assert (tmp_path / ".mnemos" / "writer.lock").exists()


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / ".mnemos").write_text("mine", encoding="utf-8")

    with (
        pytest.raises(UnavailableError, match=r"^\.mnemos is a file"),
        VaultLock(tmp_path / ".mnemos").hold(1),
    ):
        pass
