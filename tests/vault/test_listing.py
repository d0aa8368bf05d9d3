import os
import unicodedata
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.config import DEFAULT_IGNORED
from mnemos_files.errors import MnemosError, RefusedError, UnavailableError
from mnemos_files.model.problem import Problem
from mnemos_files.vault.files import Vault
from mnemos_files.vault.listing import DEPTH_MAX, Listing
from tests.vault.disk import put


def rules(listing: Listing) -> dict[str, str]:
    return {problem.path: problem.rule for problem in listing.problems}


def problem_of(listing: Listing, path: str) -> Problem:
    return next(problem for problem in listing.problems if problem.path == path)


def test_markdown_files_of_any_case_are_notes(root: Path, files: Vault) -> None:
    put(root, {"a.md": "1", "b/C.MD": "2", "b/d.Md": "3", "b/e.txt": "no", "f.md.bak": "no"})

    listing = files.listing()

    assert sorted(listing.notes) == ["a.md", "b/C.MD", "b/d.Md"]
    assert listing.problems == []
    assert sorted(listing.folders) == ["", "b"]


def test_a_stamp_in_the_listing_is_the_stamp_of_reading(root: Path, files: Vault) -> None:
    put(root, {"a/b.md": "text"})

    listed = files.listing().notes["a/b.md"]

    assert listed == files.stamp(PurePosixPath("a/b.md"))
    assert (b"text", listed) == files.read(PurePosixPath("a/b.md"))


def test_an_edit_that_puts_the_old_time_back_has_another_stamp(root: Path, files: Vault) -> None:
    note = root / "a.md"
    note.write_text("save4\n")
    before, times = files.listing().notes["a.md"], note.stat()

    note.write_text("save5\n")
    os.utime(note, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert files.listing().notes["a.md"] != before


def test_ignored_folders_are_not_listed(root: Path, files: Vault) -> None:
    put(
        root,
        {
            "node_modules/p/readme.md": "",
            ".obsidian/x.md": "",
            ".trash/y.md": "",
            "templates/t.md": "",
            "sub/.hidden/z.md": "",
            "kept.md": "",
        },
    )

    assert sorted(files.listing().notes) == ["kept.md"]
    assert sorted(files.folders()) == ["", "sub"]


def test_a_pattern_of_the_settings_hides_folders_and_files(root: Path) -> None:
    put(root, {"drafts-1/a.md": "", "b/drafts-x.md": "", "b/c.md": ""})

    listing = Vault(root, (*DEFAULT_IGNORED, "drafts-*")).listing()

    assert sorted(listing.notes) == ["b/c.md"]


def test_what_a_crash_leaves_behind_is_no_note(root: Path, files: Vault) -> None:
    put(
        root,
        {
            ".#note.md": "lock",
            ".note.md.tmp": "half",
            "4913": "",
            "note.md": "",
            "note.md.swp": "",
            "note.md~": "old",
            "~$note.md": "office",
        },
    )

    listing = files.listing()

    assert list(listing.notes) == ["note.md"]
    assert listing.problems == []


def test_copies_of_sync_programs_are_problems_that_name_the_original(
    root: Path, files: Vault
) -> None:
    copies = [
        "House (Tomek's conflicted copy 2026-05-03).md",
        "House (conflicted copy 2026-05-03 181502).md",
        "House.sync-conflict-20260503-181502-K7Q2XAB.md",
    ]
    honest = [
        "Chapter 1.md",
        "House 2.md",
        "House-LAPTOP7.md",
        "House.md",
        "My conflict with Tomek.md",
    ]
    put(root, dict.fromkeys([*copies, *honest], "ladder"))

    listing = files.listing()

    assert sorted(listing.notes) == honest
    assert rules(listing) == dict.fromkeys(copies, "conflict-copy")
    assert all("House.md" in problem.message for problem in listing.problems)


def test_a_note_that_icloud_keeps_elsewhere_is_a_problem(root: Path, files: Vault) -> None:
    put(root, {"a/.Plan.md.icloud": "binary", "a/.photo.png.icloud": "binary"})

    listing = files.listing()

    assert listing.notes == {}
    assert rules(listing) == {"a/.Plan.md.icloud": "not-downloaded"}


def test_a_vault_reached_through_a_link_is_the_same_vault(tmp_path: Path) -> None:
    put(tmp_path / "real/vault", {"lamp.md": "oil", "sub/wick.md": "drawer"})
    (tmp_path / "link").symlink_to("real/vault")

    linked = Vault(tmp_path / "link", DEFAULT_IGNORED)
    real = Vault(tmp_path / "real/vault", DEFAULT_IGNORED)

    assert linked.root == real.root
    assert linked.listing() == real.listing()
    assert sorted(linked.listing().notes) == ["lamp.md", "sub/wick.md"]


def test_links_are_never_followed_and_only_the_bad_ones_are_told(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"vault/lamp.md": "oil", "vault/sub/wick.md": "drawer", "outside/private.md": "no"},
    )
    vault = tmp_path / "vault"
    (vault / "also").symlink_to("sub")
    (vault / "again.md").symlink_to("lamp.md")
    (vault / "sub/up").symlink_to("..")
    (vault / "ext").symlink_to("../outside")
    (vault / "out.md").symlink_to("../outside/private.md")
    (vault / "dangling.md").symlink_to("nowhere.md")
    (vault / "loop.md").symlink_to("loop.md")
    files = Vault(vault, DEFAULT_IGNORED)

    listing = files.listing()

    assert sorted(listing.notes) == ["lamp.md", "sub/wick.md"]
    assert rules(listing) == {
        "dangling.md": "dangling-link",
        "ext": "link-outside",
        "loop.md": "dangling-link",
        "out.md": "link-outside",
    }
    assert sorted(files.folders()) == ["", "sub"]


@pytest.mark.parametrize(
    "path", ["ext/private.md", "out.md", "also/wick.md", "again.md", "sub/up/lamp.md"]
)
def test_nothing_is_read_through_a_link(tmp_path: Path, path: str) -> None:
    put(
        tmp_path,
        {"vault/lamp.md": "oil", "vault/sub/wick.md": "drawer", "outside/private.md": "no"},
    )
    vault = tmp_path / "vault"
    (vault / "also").symlink_to("sub")
    (vault / "again.md").symlink_to("lamp.md")
    (vault / "sub/up").symlink_to("..")
    (vault / "ext").symlink_to("../outside")
    (vault / "out.md").symlink_to("../outside/private.md")
    files = Vault(vault, DEFAULT_IGNORED)

    with pytest.raises(RefusedError) as caught:
        files.read(PurePosixPath(path))

    assert str(tmp_path) not in str(caught.value)
    assert files.stamp(PurePosixPath(path)) is None


def test_the_same_name_in_two_unicode_forms_is_reported_and_both_stay(
    root: Path, files: Vault
) -> None:
    composed = unicodedata.normalize("NFC", "both/Résumé.md")
    decomposed = unicodedata.normalize("NFD", "both/Résumé.md")
    put(root, {composed: "from linux", decomposed: "from mac"})

    listing = files.listing()

    assert set(listing.notes) == {composed, decomposed}
    assert [problem.rule for problem in listing.problems] == ["name-twin"]
    assert files.read(PurePosixPath(composed))[0] == b"from linux"
    assert files.read(PurePosixPath(decomposed))[0] == b"from mac"


def test_folders_that_differ_only_in_case_are_reported(root: Path, files: Vault) -> None:
    put(root, {"Schemas/a.md": "", "schemas/b.md": ""})

    listing = files.listing()

    assert len(listing.notes) == 2
    assert [problem.rule for problem in listing.problems] == ["name-twin"]


def test_another_repository_inside_is_not_part_of_the_vault(root: Path, files: Vault) -> None:
    put(root, {".git/HEAD": "ref", "a.md": "", "project/.git/HEAD": "ref", "project/b.md": ""})
    put(root, {"module/.git": "gitdir: ../.git/modules/module", "module/deep/c.md": ""})

    assert list(files.listing().notes) == ["a.md"]
    assert files.folders() == [""]
    assert files.stamp(PurePosixPath("project/b.md")) is None
    assert files.listing("module/deep").notes == {}
    with pytest.raises(MnemosError, match="no note is called"):
        files.read(PurePosixPath("module/deep/c.md"))


def test_a_home_folder_is_walked_without_its_masses(root: Path, files: Vault) -> None:
    put(root, {f"notes/{i}.md": "fact" for i in range(12)})
    put(root, {f"node_modules/p{i}/f{j}.md": "" for i in range(20) for j in range(5)})
    put(root, {".cache/x/c.md": "", "project/.git/objects/o": ""})
    (root / "rootlink").symlink_to("/")

    listing = files.listing()

    assert len(listing.notes) == 12
    assert sorted(listing.folders) == ["", "notes"]
    assert rules(listing) == {"rootlink": "link-outside"}


def test_more_notes_than_a_vault_has_stop_the_walk(root: Path) -> None:
    put(root, {f"{i}.md": "" for i in range(30)})

    listing = Vault(root, DEFAULT_IGNORED, notes_max=20).listing()

    assert len(listing.notes) == 20
    assert not listing.complete
    assert [problem.rule for problem in listing.problems] == ["too-many-notes"]


def test_folders_beyond_reason_are_reported_and_cost_no_crash(root: Path, files: Vault) -> None:
    deep = root.joinpath(*["d"] * (DEPTH_MAX + 5))
    deep.mkdir(parents=True)
    (deep / "lost.md").write_text("")

    listing = files.listing()

    assert listing.notes == {}
    assert [problem.rule for problem in listing.problems] == ["too-deep"]


def test_a_pipe_named_like_a_note_is_reported_and_never_waits(root: Path, files: Vault) -> None:
    os.mkfifo(root / "pipe.md")

    listing = files.listing()

    assert rules(listing) == {"pipe.md": "not-a-file"}
    assert files.stamp(PurePosixPath("pipe.md")) is None
    with pytest.raises(RefusedError):
        files.read(PurePosixPath("pipe.md"))


def test_a_name_that_is_not_utf8_is_reported_in_letters_that_can_be_shown(
    root: Path, files: Vault
) -> None:
    (root / os.fsdecode(b"caf\xe9.md")).write_text("old")

    listing = files.listing()

    assert listing.notes == {}
    assert rules(listing) == {"caf\\xe9.md": "unusable-name"}
    problem_of(listing, "caf\\xe9.md").path.encode("utf-8")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_a_folder_without_access_is_a_problem_and_the_rest_is_listed(
    root: Path, files: Vault
) -> None:
    put(root, {"a.md": "", "closed/b.md": ""})
    (root / "closed").chmod(0)

    listing = files.listing()
    (root / "closed").chmod(0o700)

    assert list(listing.notes) == ["a.md"]
    assert rules(listing) == {"closed": "unreadable-folder"}


def test_a_part_of_the_vault_can_be_listed_alone(root: Path, files: Vault) -> None:
    put(root, {"a/x.md": "", "a/b/y.md": "", "c/z.md": ""})

    assert sorted(files.listing("a").notes) == ["a/b/y.md", "a/x.md"]
    assert files.listing("nowhere").notes == {}
    assert files.listing("a/x.md").notes == {}
    with pytest.raises(RefusedError):
        files.listing("../elsewhere")


def test_a_vault_that_is_gone_is_not_an_empty_vault(root: Path, files: Vault) -> None:
    put(root, {"a.md": ""})
    root.rename(root.with_name("away"))

    assert not files.alive()
    with pytest.raises(UnavailableError):
        files.listing()
    with pytest.raises(UnavailableError):
        files.read(PurePosixPath("a.md"))


def test_a_vault_replaced_by_an_empty_folder_is_gone_until_it_comes_back(
    root: Path, files: Vault
) -> None:
    put(root, {"a.md": ""})
    root.rename(root.with_name("away"))
    root.mkdir()

    with pytest.raises(UnavailableError):
        files.listing()
    assert not files.alive()

    root.rmdir()
    root.with_name("away").rename(root)
    assert files.alive()
    assert list(files.listing().notes) == ["a.md"]


def test_a_disk_that_was_mounted_anew_can_be_taken_for_the_vault(root: Path, files: Vault) -> None:
    root.rename(root.with_name("away"))
    put(root, {"copy.md": ""})

    files.reopen()

    assert files.alive()
    assert list(files.listing().notes) == ["copy.md"]


def test_a_vault_needs_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    for path in (tmp_path / "missing", tmp_path / "file"):
        with pytest.raises(UnavailableError):
            Vault(path, DEFAULT_IGNORED)
