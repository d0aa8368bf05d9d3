"""Bytes as git would keep them, and paths that git would not keep."""

from pathlib import PurePosixPath

import pytest

from mnemos_files.errors import RefusedError

NOTES = {"lf.md": "one\ntwo\n", "crlf.md": "one\r\ntwo\r\n", "mixed.md": "one\r\ntwo\n"}


@pytest.mark.parametrize("attributes", ["", "* text=auto\n", "*.md text eol=lf\n", "* -text\n"])
@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
def test_git_status_is_clean_after_a_save(vault, autocrlf, attributes):
    vault.git("config", "core.autocrlf", autocrlf)
    if attributes:
        vault.add(".gitattributes", attributes)

    for name, text in NOTES.items():
        vault.save(name, text)

    vault.git("update-index", "--really-refresh", "-q")
    assert vault.status() == []
    vault.git("add", "--renormalize", ".")
    assert vault.status() == []


@pytest.mark.parametrize("attributes", ["", "* text=auto\n"])
@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
def test_a_note_committed_with_crlf_stays_clean_when_it_is_saved_again(vault, autocrlf, attributes):
    vault.add("crlf.md", "one\r\n")
    vault.git("config", "core.autocrlf", autocrlf)
    if attributes:
        vault.add(".gitattributes", attributes)

    vault.save("crlf.md", "one\r\ntwo\r\n")

    (vault.root / "crlf.md").touch()
    assert vault.status() == []


@pytest.mark.parametrize("attributes", ["", "* text=auto\n", "*.md text\n", "*.md ident\n"])
@pytest.mark.parametrize("data", [b"a\r\nb\n", b"a\0b\r\nc\r\n", b"\r\n\0", b"$Id: x$\n", b""])
def test_the_blob_id_is_the_one_that_git_gives(vault, attributes, data):
    if attributes:
        vault.write(".gitattributes", attributes)
    vault.git("config", "core.autocrlf", "true")
    vault.write("a.md", data)

    found = vault.open().blob_id(PurePosixPath("a.md"), data)

    assert found == vault.git("hash-object", "a.md").strip()


def test_bytes_with_a_nul_are_committed_whole(vault):
    vault.add(".gitattributes", "*.md text\n")

    vault.save("a.md", b"one\r\n\0two\r\n")

    assert vault.git("cat-file", "blob", "HEAD:a.md") == "one\n\0two\n"


def test_an_attribute_that_changes_counts_at_once(vault):
    history = vault.open()
    before = history.blob_id(PurePosixPath("a.md"), b"a\r\n")

    vault.write(".gitattributes", "* text=auto\n")

    assert history.blob_id(PurePosixPath("a.md"), b"a\r\n") != before


@pytest.mark.parametrize(
    "attribute", ["filter=lfs diff=lfs merge=lfs -text", "working-tree-encoding=UTF-16"]
)
def test_a_path_for_a_program_of_git_is_refused(vault, attribute):
    vault.add(".gitattributes", f"*.big.md {attribute}\n")
    before = vault.git("rev-parse", "HEAD")

    with pytest.raises(RefusedError, match=r"a\.big\.md has the attribute") as caught:
        vault.save("a.big.md")

    assert caught.value.rule == "filter"
    assert vault.git("rev-parse", "HEAD") == before
    assert vault.status() == ["?? a.big.md"]
    assert vault.open().unversioned(PurePosixPath("a.big.md"))


def test_a_path_that_git_ignores_is_refused(vault):
    vault.add(".gitignore", "private/\n")

    with pytest.raises(RefusedError, match=r"git ignores private/a\.md") as caught:
        vault.save("private/a.md")

    assert caught.value.rule == "ignored"
    assert vault.open().is_ignored(PurePosixPath("private/a.md"))
    assert not vault.open().is_ignored(PurePosixPath("a.md"))


def test_a_tracked_file_is_not_ignored(vault):
    vault.add(".gitignore", "*.md\n")

    vault.save("first.md", "changed\n")

    assert not vault.open().is_ignored(PurePosixPath("first.md"))
    assert vault.status() == []


def test_an_ignored_file_can_be_deleted_from_the_history(vault, make_change, now):
    vault.add(".gitignore", "*.md\n")
    (vault.root / "first.md").unlink()

    vault.open().commit([make_change("first.md", None)], now)

    assert vault.git("ls-files") == ".gitignore\n"
    assert vault.status() == []


def test_safecrlf_is_told_as_a_refusal(vault):
    vault.git("config", "core.autocrlf", "input")
    vault.git("config", "core.safecrlf", "true")

    with pytest.raises(RefusedError, match=r"git refuses a\.md"):
        vault.save("a.md", "one\r\ntwo\r\n")


def test_in_a_split_index_git_itself_converts(vault):
    vault.add(".gitattributes", "*.md text=auto\n*.lfs.md filter=lfs\n")
    vault.git("update-index", "--split-index")

    vault.save("a.md", "one\r\n")

    assert vault.git("cat-file", "blob", "HEAD:a.md") == "one\n"
    with pytest.raises(RefusedError, match="filter=lfs"):
        vault.save("a.lfs.md")


def test_a_path_behind_a_link_is_refused(vault, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (vault.root / "notes").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(RefusedError, match="behind a symbolic link") as caught:
        vault.save("notes/a.md")

    assert caught.value.rule == "path"


def test_a_path_in_a_repository_inside_is_refused(vault, make_vault):
    make_vault(vault.root / "inner")

    with pytest.raises(RefusedError, match="in another git repository"):
        vault.save("inner/a.md")


@pytest.mark.parametrize(
    "path", ["../a.md", "a/../b.md", ".git/config", "notes/.GIT/x.md", "/etc/passwd", "."]
)
def test_a_path_out_of_the_vault_is_refused(vault, make_change, now, path):
    with pytest.raises(RefusedError) as caught:
        vault.open().commit([make_change(path, b"x")], now)

    assert caught.value.rule == "path"


def test_a_name_that_is_not_utf8_is_refused(vault, make_change, now):
    with pytest.raises(RefusedError, match="not UTF-8"):
        vault.open().commit([make_change("\udcff.md", b"x")], now)
