"""Files that grow: whole lines, and no way out of the vault."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import NotFoundError, RefusedError, UnavailableError
from mnemos_files.vault.files import Vault
from mnemos_files.vault.own import OwnFiles

FILE = PurePosixPath(".mnemos/journal/m1/2026-12.jsonl")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def own(root: Path) -> OwnFiles:
    return Vault(root, ()).own


def test_folders_and_file_are_made_and_lines_go_behind_each_other(
    root: Path, own: OwnFiles
) -> None:
    own.append(FILE, b"one\n")
    own.append(FILE, b"two\nthree\n")

    assert (root / FILE).read_bytes() == b"one\ntwo\nthree\n"


def test_a_line_that_was_cut_gets_its_end_first(root: Path, own: OwnFiles) -> None:
    own.append(FILE, b"one\n")
    with (root / FILE).open("ab") as file:
        file.write(b'{"half')

    own.append(FILE, b"two\n")

    assert (root / FILE).read_bytes() == b'one\n{"half\ntwo\n'


@pytest.mark.parametrize("part", [".mnemos", ".mnemos/journal", ".mnemos/journal/m1", str(FILE)])
def test_a_link_is_never_followed(root: Path, own: OwnFiles, tmp_path: Path, part: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "2026-12.jsonl").write_bytes(b"not ours\n")
    link = root / part
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside / "2026-12.jsonl" if part == str(FILE) else outside)

    with pytest.raises(RefusedError):
        own.append(FILE, b"one\n")
    with pytest.raises((RefusedError, NotFoundError)), own.reading(FILE):
        pass

    assert own.stamps(FILE.parent) == {}
    assert [path.name for path in outside.rglob("*")] == ["2026-12.jsonl"]
    assert (outside / "2026-12.jsonl").read_bytes() == b"not ours\n"


def test_links_and_odd_things_are_not_listed(root: Path, own: OwnFiles, tmp_path: Path) -> None:
    own.append(FILE, b"one\n")
    folder = root / FILE.parent
    (folder / "link.jsonl").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.jsonl")
    (folder.parent / "m2").symlink_to(folder)

    assert list(own.stamps(FILE.parent)) == ["2026-12.jsonl"]
    assert own.folders(FILE.parent.parent) == ["m1"]


def test_a_pipe_in_place_of_the_file_neither_blocks_nor_takes_lines(
    root: Path, own: OwnFiles
) -> None:
    (root / FILE).parent.mkdir(parents=True)
    os.mkfifo(root / FILE)

    with pytest.raises(RefusedError):
        own.append(FILE, b"one\n")
    with pytest.raises(RefusedError), own.reading(FILE):
        pass


def test_a_repository_below_is_not_ours(root: Path, own: OwnFiles) -> None:
    (root / ".mnemos/journal/.git").mkdir(parents=True)

    with pytest.raises(RefusedError):
        own.append(FILE, b"one\n")

    assert own.folders(FILE.parent.parent) == []


def test_a_vault_that_is_gone_is_not_made_anew(root: Path, own: OwnFiles) -> None:
    root.rmdir()

    with pytest.raises(UnavailableError):
        own.append(FILE, b"one\n")

    assert not root.exists()


@pytest.mark.parametrize("path", ["../x.jsonl", "/x.jsonl", ".git/x.jsonl", "a/../../x"])
def test_a_path_that_leads_out_is_refused(own: OwnFiles, path: str) -> None:
    with pytest.raises(RefusedError):
        own.append(PurePosixPath(path), b"one\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_permission_is_told(root: Path, own: OwnFiles) -> None:
    own.append(FILE, b"one\n")
    (root / FILE).chmod(0o400)

    with pytest.raises(UnavailableError):
        own.append(FILE, b"two\n")


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """Files end at this size [bytes], as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_is_told_and_the_next_line_stands_by_itself(root: Path, own: OwnFiles) -> None:
    own.append(FILE, b"one\n")
    with disk_of(8), pytest.raises(UnavailableError):
        own.append(FILE, b"a long line\n")

    own.append(FILE, b"two\n")

    assert (root / FILE).read_bytes() == b"one\na lo\ntwo\n"


APPENDING = """
import sys
from pathlib import Path, PurePosixPath
from mnemos_files.vault.files import Vault
own = Vault(Path(sys.argv[1]), ()).own
print("ready", flush=True)
sys.stdin.readline()
for number in range(500):
    line = f"{sys.argv[3]}-{number}-{'x' * (number % 300)}\\n"
    own.append(PurePosixPath(sys.argv[2]), line.encode())
"""


def test_lines_of_eight_processes_are_all_there_and_whole(root: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", APPENDING, str(root), str(FILE), str(name)],
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

    assert [process.returncode for process in processes] == [0] * 8
    lines = (root / FILE).read_text("ascii").splitlines()
    expected = [f"{name}-{n}-{'x' * (n % 300)}" for name in range(8) for n in range(500)]
    # A write of another process that is seen half looks like a cut line: it costs a blank one.
    assert sorted(filter(None, lines)) == sorted(expected)
