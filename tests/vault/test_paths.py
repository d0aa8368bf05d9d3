from pathlib import PurePosixPath

import pytest

from mnemos_files.errors import RefusedError
from mnemos_files.vault.paths import fold, new_note_parts, own_parts, parts_of

LEAVING = [
    "../secret.txt",
    "../secret",
    "a/../../secret",
    "/etc/passwd",
    "..\\secret",
    "../vault-other/x",
    "..%2fsecret",
    "%2e%2e/secret",
    "....//secret",
    "a/./../..//secret",
    "secret\0.md",
    ".git/config",
    ".git/hooks/post-commit",
    ".GIT/hooks/post-commit",
    ".git./config",
    "GIT~1/config",
    "sub/.git/config",
    ".obsidian/plugins/x/main",
    ".hidden/note",
    "~/note",
    "~root/note",
    "C:\\Users\\x\\note",
    "\\\\host\\share\\note",
    "file:///etc/passwd",
    "note.md/../../secret",
    "CON",
    "aux.md",
    "a\nb",
    "-rf",
    "",
]
FINE = ["a.b", "folder/deep/er/note", "note..two", "v1.2 notes", "100% sure"]


@pytest.mark.parametrize("text", LEAVING)
@pytest.mark.parametrize("suffix", ["", ".md"])
def test_no_note_is_made_at_a_path_that_leaves_or_hides(text: str, suffix: str) -> None:
    with pytest.raises(RefusedError):
        new_note_parts(PurePosixPath(text + suffix))


@pytest.mark.parametrize("text", FINE)
def test_plain_names_are_fine(text: str) -> None:
    assert new_note_parts(PurePosixPath(text + ".md"))[-1].endswith(".md")


@pytest.mark.parametrize(
    "name",
    [
        "note.txt",
        "note",
        ".md",
        "note.md ",
        "note.md.",
        "a:b.md",
        "what?.md",
        "com1.md",
        "nul.x.md",
    ],
)
def test_no_note_gets_a_name_that_some_system_cannot_store(name: str) -> None:
    with pytest.raises(RefusedError):
        new_note_parts(PurePosixPath(name))


def test_a_name_of_more_than_255_bytes_is_refused() -> None:
    with pytest.raises(RefusedError, match="too long"):
        new_note_parts(PurePosixPath("ü" * 127 + ".md"))


def test_existing_notes_with_odd_names_can_be_named() -> None:
    assert parts_of(PurePosixPath("Plans/What: now?.md")) == ("Plans", "What: now?.md")


@pytest.mark.parametrize(
    "text", [".git/config", "sub/.GIT/x", ".g\u200cit/config", "git~1/x", "../x"]
)
def test_the_vaults_own_files_never_go_into_git(text: str) -> None:
    with pytest.raises(RefusedError):
        own_parts(PurePosixPath(text))


def test_the_vaults_own_files_may_be_hidden() -> None:
    assert own_parts(PurePosixPath(".mnemos/config.toml")) == (".mnemos", "config.toml")
    assert own_parts(PurePosixPath(".gitignore")) == (".gitignore",)


def test_names_that_a_system_takes_for_one_fold_to_one_key() -> None:
    assert fold("Caf\u00e9.md") == fold("CAFE\u0301.MD")
    assert fold("Straße.md") == fold("STRASSE.md")
    assert fold("a.md") != fold("b.md")
