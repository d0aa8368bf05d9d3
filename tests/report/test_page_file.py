"""Where a page is written, and what it never replaces."""

import stat
from pathlib import Path

import pytest

from mnemos_files.errors import ConflictError, RefusedError, UnavailableError
from mnemos_files.report.page_file import check_outside, default_place, is_report, write
from mnemos_files.store.store import Store
from tests.conftest import git

PAGE = '<!DOCTYPE html><meta name="generator" content="mnemos-files report">'


def test_the_default_is_beside_the_vault(vault: Path) -> None:
    assert default_place(vault) == vault.parent / "vault-report.html"


def test_the_default_is_beside_the_repository_that_the_vault_lies_in(vault: Path) -> None:
    inner = vault / "docs" / "memory"
    inner.mkdir(parents=True)

    assert default_place(inner) == vault.parent / "memory-report.html"


@pytest.mark.parametrize("name", ["x.html", "sub/x.html", ".git/x.html", "x.md", ""])
def test_no_page_is_written_into_the_vault(store: Store, vault: Path, name: str) -> None:
    with pytest.raises(RefusedError, match="lies in the vault"):
        check_outside(store, vault / name)


def test_a_way_around_into_the_vault_is_seen(store: Store, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(vault)

    with pytest.raises(RefusedError):
        check_outside(store, tmp_path / "link" / "x.html")
    with pytest.raises(RefusedError):
        check_outside(store, tmp_path / "other" / ".." / "vault" / "x.html")


def test_a_place_in_the_vault_that_git_ignores_is_allowed(store: Store, vault: Path) -> None:
    (vault / ".gitignore").write_text("*.html\n*.md\n", encoding="utf-8")

    check_outside(store, vault / "x.html")
    check_outside(store, vault.parent / "x.html")
    with pytest.raises(RefusedError):  # ignored, but read as a note
        check_outside(store, vault / "x.md")


def test_a_new_file_is_for_its_owner_only(tmp_path: Path) -> None:
    write(tmp_path / "x.html", PAGE, is_ours=is_report)

    assert (tmp_path / "x.html").read_text("utf-8") == PAGE
    assert stat.S_IMODE((tmp_path / "x.html").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["x.html"]


def test_an_earlier_report_is_replaced(tmp_path: Path) -> None:
    for text in (PAGE, PAGE + "2"):
        write(tmp_path / "x.html", text, is_ours=is_report)

    assert (tmp_path / "x.html").read_text("utf-8") == PAGE + "2"


def test_a_file_of_somebody_else_stays(tmp_path: Path) -> None:
    file = tmp_path / "thesis.html"
    file.write_text("my thesis", encoding="utf-8")

    with pytest.raises(ConflictError, match="is there already"):
        write(file, PAGE, is_ours=is_report)
    assert file.read_text("utf-8") == "my thesis"

    write(file, PAGE, is_ours=is_report, force=True)
    assert file.read_text("utf-8") == PAGE


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(ConflictError):
        write(tmp_path, PAGE, is_ours=is_report)
    with pytest.raises(UnavailableError):
        write(tmp_path, PAGE, is_ours=is_report, force=True)
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="cannot be written"):
        write(tmp_path / "no" / "x.html", PAGE, is_ours=is_report)


def test_a_link_is_followed_and_kept(tmp_path: Path) -> None:
    (tmp_path / "link.html").symlink_to(tmp_path / "x.html")

    write(tmp_path / "link.html", PAGE, is_ours=is_report)

    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "x.html").read_text("utf-8") == PAGE


def test_the_default_place_is_not_in_the_commit_of_the_vault(store: Store, vault: Path) -> None:
    write(default_place(vault), PAGE, is_ours=is_report)

    assert git(vault, "status", "--porcelain") == ""
