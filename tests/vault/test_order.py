"""The claim that a search after a write sees it: tried with writers that never rest."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from mnemos_files.errors import NotFoundError
from mnemos_files.vault.files import Vault
from mnemos_files.vault.watch import Watcher

ROUNDS = 2_000
SECONDS_MAX = 6.0
ROUNDS_MIN = 20
BEING_WRITTEN = sys.maxsize  # empty or missing between two steps of a save: more news must follow

WRITER = """
import os, sys
from pathlib import Path

def work(folder, name, pipe, is_stopped):
    version = 0
    while not is_stopped():
        version += 1
        note = folder / name / f"f{version % 7}" / f"n{version % 11}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        way = version % 4
        if way == 0:
            note.write_text(str(version))
        elif way == 1:
            new = note.with_suffix(".tmp")
            new.write_text(str(version))
            new.rename(note)
        elif way == 2:
            note.unlink(missing_ok=True)
            note.write_text(str(version))
        else:
            with note.open("a+") as file:
                file.truncate(0)
                file.write(str(version))
        os.write(pipe, f"{note.relative_to(folder).as_posix()} {version}\\n".encode())
"""
RUN = "work(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), lambda: False)"


class Reader:
    """Follows the news as a store does, and remembers the version of each note."""

    def __init__(self, files: Vault, watcher: Watcher) -> None:
        self.files = files
        self.watcher = watcher
        self.versions: dict[str, int] = {}
        self.lost = 0

    def refresh(self) -> None:
        taken = self.watcher.take(5.0)
        if taken is None or taken.all:
            self.lost += 1
            doubtful = set(self.files.listing().notes)
        else:
            doubtful = set(taken.paths)
            for folder in taken.folders:
                doubtful |= set(self.files.listing(folder).notes)
        for path in doubtful:
            self.versions[path] = self._read(path)

    def _read(self, path: str) -> int:
        try:
            text = self.files.read(PurePosixPath(path))[0].decode()
        except NotFoundError:
            text = ""
        return int(text) if text else BEING_WRITTEN


class Writers:
    """Threads and processes that write without rest and say through a pipe what they have done."""

    def __init__(self, root: Path) -> None:
        self._read_end, write_end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._read_end, False)
        self._write_end = write_end
        self._rest = b""
        self._stopped = threading.Event()
        names: dict[str, Callable[..., None]] = {}
        exec(compile(WRITER, "writer", "exec"), names)  # noqa: S102 - the text above
        self._threads = [
            threading.Thread(
                target=names["work"], args=(root, f"t{i}", write_end, self._stopped.is_set)
            )
            for i in range(3)
        ]
        command = [sys.executable, "-c", WRITER + RUN, str(root)]
        self._processes = [
            subprocess.Popen([*command, f"p{i}", str(write_end)], pass_fds=[write_end])
            for i in range(2)
        ]
        for thread in self._threads:
            thread.start()

    def announced(self) -> list[tuple[str, int]]:
        """Path and version of what was written by now, since the last call."""
        with suppress(BlockingIOError):
            self._rest += os.read(self._read_end, 1 << 20)
        *lines, self._rest = self._rest.split(b"\n")
        pairs = (line.decode().split(" ") for line in lines)
        return [(path, int(version)) for path, version in pairs]

    def stop(self) -> None:
        """End them all; the pipe is emptied meanwhile, so that none waits for room in it."""
        self._stopped.set()
        for process in self._processes:
            process.kill()
            process.wait()
        while any(thread.is_alive() for thread in self._threads):
            self.announced()
        os.close(self._read_end)
        os.close(self._write_end)


def test_every_write_that_ended_before_the_question_is_in_the_answer(
    root: Path, files: Vault, tmp_path: Path
) -> None:
    watcher = Watcher(files, tmp_path / "cookies")
    assert watcher.start(), watcher.problem
    reader = Reader(files, watcher)
    writers = Writers(root)

    rounds, written, stale = 0, 0, []
    begin = time.monotonic()
    while rounds < ROUNDS and time.monotonic() - begin < SECONDS_MAX:
        known = writers.announced()
        reader.refresh()
        stale += [(path, v) for path, v in known if reader.versions.get(path, 0) < v]
        rounds += 1
        written += len(known)
    writers.stop()
    reader.refresh()
    watcher.stop()

    assert stale == []
    disk = {path: reader._read(path) for path in files.listing().notes}
    known = {path: version for path, version in reader.versions.items() if path in disk}
    assert known == disk
    assert min(rounds, written) >= ROUNDS_MIN
    assert reader.lost < rounds / 2


def test_a_write_is_in_the_very_next_answer_thousands_of_times(
    root: Path, files: Vault, tmp_path: Path
) -> None:
    folders = [root / f"d{i}" for i in range(40)]
    for folder in folders:
        folder.mkdir()
    watcher = Watcher(files, tmp_path / "cookies")
    assert watcher.start(), watcher.problem

    missed = []
    for i in range(ROUNDS):
        note = folders[i % 40] / f"n{i % 3}.md"
        note.write_text(str(i))
        taken = watcher.take(5.0)
        if taken is None or note.relative_to(root).as_posix() not in taken.paths:
            missed.append(i)
    watcher.stop()

    assert missed == []
