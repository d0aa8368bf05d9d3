"""Files of any kind, which a merge brings."""

from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import ChangedOnDiskError, RefusedError
from mnemos_files.model.digest import blob_id
from mnemos_files.vault.files import Vault, Write

OUTSIDE = ["../x", "/x", ".git/config", "a/.GIT/x", "git~1/x", ".git\u200c/x", "a\\b", ""]


@pytest.fixture
def files(tmp_path: Path) -> Vault:
    root = tmp_path / "vault"
    root.mkdir()
    return Vault(root, ())


def test_files_that_are_no_notes_are_written_together(files):
    (files.root / "old.bin").write_bytes(b"\0old")
    (files.root / "gone.txt").write_bytes(b"gone")

    files.apply_any(
        [
            Write(PurePosixPath(".obsidian/app.json"), b"{}"),
            Write(PurePosixPath("old.bin"), b"\0new", blob_id(b"\0old")),
            Write(PurePosixPath("gone.txt"), None, blob_id(b"gone")),
        ]
    )

    assert files.read_any(PurePosixPath(".obsidian/app.json")) == b"{}"
    assert files.read_any(PurePosixPath("old.bin")) == b"\0new"
    assert files.read_any(PurePosixPath("gone.txt")) is None
    assert files.read_any(PurePosixPath("old.bin/below")) is None


def test_a_file_that_moved_on_keeps_all_of_them_as_they_were(files):
    (files.root / "a.txt").write_bytes(b"newer")

    with pytest.raises(ChangedOnDiskError):
        files.apply_any(
            [
                Write(PurePosixPath("b.txt"), b"b"),
                Write(PurePosixPath("a.txt"), b"x", blob_id(b"older")),
            ]
        )

    assert {file.name for file in files.root.iterdir()} == {"a.txt"}
    assert (files.root / "a.txt").read_bytes() == b"newer"


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out_of_the_vault_or_into_gits_folder(files, path):
    place = PurePosixPath(path)

    for deed in (
        lambda: files.read_any(place),
        lambda: files.apply_any([Write(place, b"x")]),
        lambda: files.set_executable(place, is_executable=True),
    ):
        with pytest.raises(RefusedError):
            deed()


def test_a_file_becomes_a_program_for_those_who_may_read_it(files):
    file = files.root / "tool.sh"
    file.write_bytes(b"#!/bin/sh\n")
    file.chmod(0o640)

    files.set_executable(PurePosixPath("tool.sh"), is_executable=True)
    assert file.stat().st_mode & 0o777 == 0o750

    files.set_executable(PurePosixPath("tool.sh"), is_executable=False)
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_is_neither_read_nor_made_a_program(files, tmp_path):
    target = tmp_path / "target"
    target.write_bytes(b"secret")
    target.chmod(0o600)
    (files.root / "link").symlink_to(target)

    for deed in (
        lambda: files.read_any(PurePosixPath("link")),
        lambda: files.set_executable(PurePosixPath("link"), is_executable=True),
    ):
        with pytest.raises(Exception, match="link"):
            deed()
    assert target.stat().st_mode & 0o777 == 0o600
