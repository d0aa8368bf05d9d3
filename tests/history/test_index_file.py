"""The git index as a value, against the one that git writes."""

import hashlib
from pathlib import Path

import pytest

from mnemos_files.history.index_file import ForeignIndexError, IndexFile, Staged

BLOB = "ce013625030ba8dba906f756967f9e9ca394464a"


def test_an_unchanged_index_is_rendered_as_git_wrote_it(vault):
    for name in ("a.md", "b/c.md", "b/ü.md", "b.md"):
        vault.write(name, name)
    vault.git("add", "-A")
    data = (vault.root / ".git/index").read_bytes()

    content, trailer = IndexFile(data).render()

    # Only git's cache of trees is left out.
    assert b"TREE" in data
    assert data.startswith(content[: len(content) - 1])
    assert trailer == hashlib.sha1(content, usedforsecurity=False).digest()


def test_git_reads_what_we_render(vault):
    index = IndexFile((vault.root / ".git/index").read_bytes())
    blob = vault.git("hash-object", "-w", "first.md").strip()
    for name in ("z.md", "a/b.md", "a.md", "ü.md", "a-b.md"):
        index.put(name, Staged(blob, 0o100644))
    index.remove("first.md")

    (vault.root / ".git/index").write_bytes(b"".join(index.render()))

    names = vault.git("-c", "core.quotePath=false", "ls-files").splitlines()
    assert names == ["a-b.md", "a.md", "a/b.md", "z.md", "ü.md"]
    assert vault.fsck().startswith("0")


def test_extended_flags_and_stages_survive(vault):
    vault.git("update-index", "--skip-worktree", "first.md")
    vault.write("later.md", "later")
    vault.git("add", "-N", "later.md")
    data = (vault.root / ".git/index").read_bytes()
    assert data[7] == 3  # version

    (vault.root / ".git/index").write_bytes(b"".join(IndexFile(data).render()))

    assert vault.git("ls-files", "-t").splitlines() == ["S first.md", "H later.md"]
    assert vault.status() == [" A later.md"]


def test_the_empty_index_has_no_entries():
    assert b"".join(IndexFile().render())[:12] == b"DIRC\0\0\0\2\0\0\0\0"
    assert IndexFile().blob("a.md") == ""


def test_a_folder_takes_the_place_of_a_file():
    index = IndexFile()
    index.put("a", Staged(BLOB, 0o100644))
    index.put("a.md", Staged(BLOB, 0o100644))

    index.put("a/b.md", Staged(BLOB, 0o100644))

    assert [index.blob(name) for name in ("a", "a.md", "a/b.md")] == ["", BLOB, BLOB]


def test_a_file_takes_the_place_of_a_folder():
    index = IndexFile()
    for name in ("a/b.md", "a/c/d.md", "a-b.md", "ab.md"):
        index.put(name, Staged(BLOB, 0o100644))

    index.put("a", Staged(BLOB, 0o100644))

    blobs = [index.blob(name) for name in ("a", "a/b.md", "a/c/d.md", "a-b.md", "ab.md")]
    assert blobs == [BLOB, "", "", BLOB, BLOB]


def test_a_name_longer_than_the_length_field_is_read_by_its_end(vault):
    index = IndexFile()
    blob = vault.git("hash-object", "-w", "first.md").strip()
    name = "/".join(["d" * 200] * 21) + ".md"
    assert len(name) > 0xFFF
    index.put(name, Staged(blob, 0o100644))
    index.put("z.md", Staged(blob, 0o100644))

    again = IndexFile(b"".join(index.render()))

    assert (again.blob(name), again.blob("z.md")) == (blob, blob)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "damaged"),
        (lambda data: data[:40], "damaged"),
        (lambda data: b"NOPE" + data[4:], "damaged"),
        (lambda data: data[:5], "damaged"),
        (lambda data: data[:4] + b"\0\0\0\4" + data[8:], "version 4"),
        (lambda data: data[:-20] + b"what\0\0\0\0" + data[-20:], "extension b'what'"),
        (lambda data: data[:-20] + b"link\0\0\0\0" + data[-20:], "split"),
    ],
)
def test_an_index_that_is_not_understood_is_refused(vault, change, problem):
    data = (vault.root / ".git/index").read_bytes()

    with pytest.raises(ForeignIndexError, match=problem):
        IndexFile(change(data))


def test_an_index_without_checksum_is_read(vault):
    data = (vault.root / ".git/index").read_bytes()

    assert IndexFile(data[:-20] + bytes(20)).blob("first.md")


def test_the_entry_has_the_files_times_and_size(vault):
    file = Path(vault.root, "first.md")
    index = IndexFile()
    blob = vault.git("hash-object", "-w", "first.md").strip()
    index.put("first.md", Staged(blob, 0o100644, file.stat()))

    (vault.root / ".git/index").write_bytes(b"".join(index.render()))

    # diff-files does not refresh: it believes the times alone.
    assert vault.git("diff-files") == ""
