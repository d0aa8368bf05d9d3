from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import NotFoundError, RefusedError
from mnemos_files.vault.files import Vault, Write
from tests.vault.disk import put, texts
from tests.vault.test_paths import LEAVING


@pytest.mark.parametrize("text", LEAVING)
@pytest.mark.parametrize("suffix", ["", ".md"])
def test_no_path_argument_reads_or_changes_anything_outside(
    tmp_path: Path, files: Vault, text: str, suffix: str
) -> None:
    put(tmp_path, {"secret": "top", "secret.md": "top", "vault-other/x.md": "other"})
    put(files.root, {".git/config": "", "a.md": "inside"})
    before = texts(tmp_path)
    path = PurePosixPath(text + suffix)

    with pytest.raises((RefusedError, NotFoundError)) as caught:
        files.read(path)
    for write in (Write(path, b"x"), Write(path, b"x", "0" * 40), Write(path, None, "0" * 40)):
        with pytest.raises(Exception, match=r".+") as refused:
            files.apply([Write(PurePosixPath("new/b.md"), b"b"), write])
        assert str(tmp_path) not in str(refused.value)

    assert str(tmp_path) not in str(caught.value)
    assert texts(tmp_path) == before
    assert not (files.root / "new").exists()


@pytest.mark.parametrize("path", ["no.md", "a/no.md", "a.md/b.md", "a.txt", "templates/t.md"])
def test_reading_what_is_no_note_of_the_vault_says_so(files: Vault, path: str) -> None:
    put(files.root, {"a.md": "", "a.txt": "", "templates/t.md": ""})

    with pytest.raises((NotFoundError, RefusedError)):
        files.read(PurePosixPath(path))
    assert files.stamp(PurePosixPath(path)) is None


def test_what_is_listed_can_be_read_by_the_listed_path(files: Vault) -> None:
    names = ["What: now?.md", "-dash.md", "~tilde.md", "CON.md", "日本語.md", "a b/ c .md", "x.MD"]
    put(files.root, dict.fromkeys(names, "text"))

    listing = files.listing()

    assert set(listing.notes) == set(names)
    assert all(files.read(PurePosixPath(name))[0] == b"text" for name in listing.notes)


def test_a_note_is_known_by_its_name_alone(files: Vault) -> None:
    assert files.is_note(PurePosixPath("a/b.md"))
    for text in ("a/b.txt", ".a/b.md", "node_modules/b.md", "/a.md", "../a.md", "a/.b.md", "."):
        assert not files.is_note(PurePosixPath(text))
    assert not files.is_note(PurePosixPath("House (conflicted copy 2026-05-03 181502).md"))


def test_a_file_too_large_to_be_a_note_is_refused(files: Vault) -> None:
    with (files.root / "big.md").open("wb") as file:
        file.truncate(65 * 2**20)

    with pytest.raises(RefusedError, match="64 MiB"):
        files.read(PurePosixPath("big.md"))
