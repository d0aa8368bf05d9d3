import errno
import os
import stat
import threading
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.config import DEFAULT_IGNORED
from mnemos_files.errors import ChangedOnDiskError, RefusedError, UnavailableError
from mnemos_files.model.digest import blob_id
from mnemos_files.vault.files import Vault, Write
from mnemos_files.vault.rename import SYSTEM, Renames
from tests.vault.disk import descriptors, put, texts

NO_CALL = Renames(None)
BOTH = pytest.mark.parametrize("renames", [SYSTEM, NO_CALL], ids=["system", "fallback"])


def blob(text: str) -> str:
    return blob_id(text.encode())


def create(path: str, text: str) -> Write:
    return Write(PurePosixPath(path), text.encode())


def replace(path: str, text: str, seen: str) -> Write:
    return Write(PurePosixPath(path), text.encode(), blob(seen))


def delete(path: str, seen: str) -> Write:
    return Write(PurePosixPath(path), None, blob(seen))


class Meddling(Renames):
    """The system's renames, and a person who does something just before or after one of them."""

    def __init__(self, renames: Renames) -> None:
        super().__init__(renames._call)
        self.before: dict[str, object] = {}
        self.after: dict[str, object] = {}

    def swap(self, folder: int, one: str, two: str) -> bool:
        self._act(self.before, two)
        done = super().swap(folder, one, two)
        self._act(self.after, two)
        return done

    def move(self, folder: int, source: str, target: str) -> None:
        self._act(self.before, target)
        super().move(folder, source, target)
        self._act(self.after, target)

    @staticmethod
    def _act(acts: dict[str, object], name: str) -> None:
        act = acts.pop(name, None)
        if callable(act):
            act()


def full_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@BOTH
def test_a_group_creates_replaces_and_deletes(root: Path, renames: Renames) -> None:
    put(root, {"old.md": "old", "gone.md": "gone", "other.md": "other"})
    files = Vault(root, DEFAULT_IGNORED, renames=renames)

    files.apply(
        [create("a/b/new.md", "new"), replace("old.md", "newer", "old"), delete("gone.md", "gone")]
    )

    assert texts(root) == {"a/b/new.md": "new", "old.md": "newer", "other.md": "other"}


@BOTH
def test_every_byte_arrives(root: Path, renames: Renames) -> None:
    data = bytes(range(256)) * 8192
    files = Vault(root, DEFAULT_IGNORED, renames=renames)

    files.apply([Write(PurePosixPath("big.md"), data), Write(PurePosixPath("empty.md"), b"")])

    assert (root / "big.md").read_bytes() == data
    assert (root / "empty.md").read_bytes() == b""


def test_a_new_file_has_the_usual_mode_and_a_replaced_one_keeps_its_own(
    root: Path, files: Vault
) -> None:
    put(root, {"private.md": "mine"})
    (root / "private.md").chmod(0o640)
    old = os.umask(0o022)

    try:
        files.apply([create("new.md", "n"), replace("private.md", "ours", "mine")])
    finally:
        os.umask(old)

    assert stat.S_IMODE((root / "new.md").stat().st_mode) == 0o644
    assert stat.S_IMODE((root / "private.md").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    "bad",
    [
        create("taken.md", "x"),
        create("link.md", "x"),
        create("folder.md", "x"),
        replace("taken.md", "x", "what the caller saw"),
        replace("missing.md", "x", "seen"),
        replace("no/folder.md", "x", "seen"),
        delete("taken.md", "what the caller saw"),
        delete("missing.md", "seen"),
        Write(PurePosixPath("taken.md"), None, None),
    ],
    ids=str,
)
def test_a_file_that_is_not_what_was_seen_stops_the_whole_group(
    root: Path, files: Vault, bad: Write
) -> None:
    put(root, {"taken.md": "taken", "gone.md": "gone", "old.md": "old"})
    (root / "link.md").symlink_to("nowhere")
    (root / "folder.md").mkdir()
    before = texts(root)

    with pytest.raises(ChangedOnDiskError):
        files.apply(
            [create("a/new.md", "n"), replace("old.md", "x", "old"), delete("gone.md", "gone"), bad]
        )

    assert texts(root) == before
    assert not (root / "a").exists()


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("templates/t.md", "not-a-note"),
        ("project/a.md", "other-repository"),
        ("project/new/deep/a.md", "other-repository"),
        ("linked/a.md", "outside"),
        ("file.md/a.md", "outside"),
        ("House (conflicted copy 2026-05-03 181502).md", "not-a-note"),
        ("NOTES/a.md", "name-twin"),
    ],
)
def test_places_that_are_not_the_vaults_are_refused(
    tmp_path: Path, root: Path, files: Vault, path: str, rule: str
) -> None:
    put(tmp_path, {"outside/private.md": "no"})
    put(root, {"project/.git/HEAD": "ref", "notes/n.md": "n", "file.md": "f"})
    (root / "linked").symlink_to("../outside")
    before = texts(tmp_path)

    with pytest.raises(RefusedError) as caught:
        files.apply([create("fresh/a.md", "n"), create(path, "x")])

    assert caught.value.rule == rule
    assert str(tmp_path) not in str(caught.value)
    assert texts(tmp_path) == before
    assert not (root / "fresh").exists()


def test_a_link_in_place_of_a_note_is_never_written_through(tmp_path: Path, files: Vault) -> None:
    put(tmp_path, {"outside.md": "theirs"})
    (files.root / "a.md").symlink_to("../outside.md")

    for write in (replace("a.md", "x", "theirs"), delete("a.md", "theirs")):
        with pytest.raises(RefusedError):
            files.apply([write])

    assert (tmp_path / "outside.md").read_text() == "theirs"
    assert (files.root / "a.md").is_symlink()


def test_a_write_protected_note_is_left_alone(root: Path, files: Vault) -> None:
    put(root, {"fixed.md": "fixed"})
    (root / "fixed.md").chmod(0o444)

    for write in (replace("fixed.md", "x", "fixed"), delete("fixed.md", "fixed")):
        with pytest.raises(RefusedError, match="write-protected"):
            files.apply([write])

    assert texts(root) == {"fixed.md": "fixed"}


@pytest.mark.parametrize("twin", ["a/b.md", "A/B.md", "a/B.MD"])
def test_a_path_comes_only_once_in_a_group(files: Vault, twin: str) -> None:
    with pytest.raises(RefusedError, match="twice"):
        files.apply([create("a/b.md", "1"), create(twin, "2")])

    assert texts(files.root) == {}


def test_a_note_with_an_odd_name_can_be_changed_and_deleted(root: Path, files: Vault) -> None:
    names = ["What: now?.md", "-dash.md", "~tilde.md", "ü" * 126 + ".md"]
    put(root, dict.fromkeys(names, "old"))

    files.apply([replace(name, "new", "old") for name in names])
    assert texts(root) == dict.fromkeys(sorted(names), "new")

    files.apply([delete(name, "new") for name in names])
    assert texts(root) == {}


def test_hundreds_of_files_in_one_group_need_few_descriptors(files: Vault) -> None:
    before = descriptors()

    files.apply([create(f"f{i % 7}/n{i}.md", str(i)) for i in range(1500)])

    assert len(files.listing().notes) == 1500
    assert descriptors() <= before


@BOTH
def test_a_full_disk_in_the_middle_leaves_everything_as_it_was(
    root: Path, renames: Renames
) -> None:
    put(root, {"one.md": "one", "two.md": "two", "three.md": "three"})
    inode = (root / "two.md").stat().st_ino
    meddling = Meddling(renames)
    meddling.before["last.md"] = full_disk
    files = Vault(root, DEFAULT_IGNORED, renames=meddling)
    group = [
        create("new/deep/a.md", "a"),
        replace("one.md", "ONE", "one"),
        delete("two.md", "two"),
        create("last.md", "last"),
        replace("three.md", "THREE", "three"),
    ]

    with pytest.raises(UnavailableError, match=r"^last\.md: the disk is full$") as caught:
        files.apply(group)

    assert caught.value.remedy
    assert texts(root) == {"one.md": "one", "two.md": "two", "three.md": "three"}
    assert (root / "two.md").stat().st_ino == inode
    assert not (root / "new").exists()


def test_an_edit_in_the_moment_of_the_swap_is_kept_and_reported(root: Path) -> None:
    put(root, {"one.md": "one", "note.md": "seen"})
    meddling = Meddling(SYSTEM)
    meddling.before["note.md"] = lambda: (root / "note.md").write_text("typed")
    files = Vault(root, DEFAULT_IGNORED, renames=meddling)

    with pytest.raises(ChangedOnDiskError):
        files.apply([replace("one.md", "ONE", "one"), replace("note.md", "ours", "seen")])

    assert texts(root) == {"one.md": "one", "note.md": "typed"}


def test_an_atomic_save_in_the_moment_of_the_swap_is_kept_and_reported(root: Path) -> None:
    put(root, {"note.md": "seen", ".note.new": "saved"})
    meddling = Meddling(SYSTEM)
    meddling.before["note.md"] = lambda: (root / ".note.new").rename(root / "note.md")
    files = Vault(root, DEFAULT_IGNORED, renames=meddling)

    with pytest.raises(ChangedOnDiskError):
        files.apply([replace("note.md", "ours", "seen")])

    assert texts(root) == {"note.md": "saved"}


def test_of_two_saves_around_the_swap_the_last_stands_and_the_first_is_kept_aside(
    root: Path,
) -> None:
    put(root, {"note.md": "seen", ".second": "second save"})
    meddling = Meddling(SYSTEM)
    meddling.before["note.md"] = lambda: (root / "note.md").write_text("first save")
    meddling.after["note.md"] = lambda: (root / ".second").rename(root / "note.md")
    files = Vault(root, DEFAULT_IGNORED, renames=meddling)

    with pytest.raises(ChangedOnDiskError):
        files.apply([replace("note.md", "ours", "seen")])

    left = texts(root)
    assert left.pop("note.md") == "second save"
    assert list(left.values()) == ["first save"]
    assert list(left) == list(files.listing().temporaries)


@BOTH
def test_a_note_that_appears_in_the_moment_of_creation_is_not_replaced(
    root: Path, renames: Renames
) -> None:
    meddling = Meddling(renames)
    meddling.before["note.md"] = lambda: (root / "note.md").write_text("theirs")
    files = Vault(root, DEFAULT_IGNORED, renames=meddling)

    with pytest.raises(ChangedOnDiskError):
        files.apply([create("first.md", "1"), create("note.md", "ours")])

    assert texts(root) == {"note.md": "theirs"}


@BOTH
def test_a_note_deleted_in_the_moment_of_the_swap_stays_deleted(
    root: Path, renames: Renames
) -> None:
    put(root, {"note.md": "seen"})
    meddling = Meddling(renames)
    meddling.before["note.md"] = (root / "note.md").unlink
    files = Vault(root, DEFAULT_IGNORED, renames=meddling)

    with pytest.raises(ChangedOnDiskError):
        files.apply([replace("note.md", "ours", "seen")])

    assert texts(root) == {}


@BOTH
def test_an_edit_of_our_new_text_survives_the_undo(root: Path, renames: Renames) -> None:
    put(root, {"note.md": "seen", "gone.md": "gone"})
    meddling = Meddling(renames)

    def edit_then_fail() -> None:
        (root / "note.md").write_text("ours, edited")
        (root / "new.md").write_text("new, edited")
        (root / "gone.md").write_text("made anew")
        full_disk()

    meddling.before["last.md"] = edit_then_fail
    files = Vault(root, DEFAULT_IGNORED, renames=meddling)
    group = [replace("note.md", "ours", "seen"), create("new.md", "new"), delete("gone.md", "gone")]

    with pytest.raises(UnavailableError):
        files.apply([*group, create("last.md", "x")])

    left = texts(root)
    hidden = [name for name in left if name.startswith(".")]
    assert {name: text for name, text in left.items() if name not in hidden} == {
        "note.md": "ours, edited",
        "new.md": "new, edited",
        "gone.md": "made anew",
    }
    assert [left[name] for name in hidden] == ["gone"]


def test_readers_never_see_a_note_missing_or_half(root: Path, files: Vault) -> None:
    versions = [f"{i}\n" * 20_000 + f"end {i}" for i in range(2)]
    put(root, {"note.md": versions[0]})
    done = threading.Event()
    seen: set[str] = set()

    def read() -> None:
        while not done.is_set():
            seen.add((root / "note.md").read_text())

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(200):
        files.apply([replace("note.md", versions[(i + 1) % 2], versions[i % 2])])
    done.set()
    reader.join()

    assert seen <= set(versions)


def test_two_writers_without_a_lock_leave_a_text_that_one_of_them_won_with(
    root: Path, files: Vault
) -> None:
    put(root, {"note.md": "0"})
    wins: list[str] = []

    def write(name: str) -> None:
        for _ in range(100):
            text = (root / "note.md").read_text()
            new = f"{int(text.split()[0]) + 1} {name}"
            try:
                files.apply([replace("note.md", new, text)])
            except ChangedOnDiskError:
                continue
            wins.append(new)

    writers = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert (root / "note.md").read_text() in wins
    assert len(wins) == len(set(wins))


def test_nothing_is_written_to_a_vault_that_is_gone(root: Path, files: Vault) -> None:
    root.rename(root.with_name("away"))
    root.mkdir()

    with pytest.raises(UnavailableError):
        files.apply([create("a.md", "x")])
    with pytest.raises(UnavailableError):
        files.write_own(PurePosixPath(".mnemos/config.toml"), b"x")

    assert texts(root) == {}


def test_the_vaults_own_files_are_added_and_never_replaced(root: Path, files: Vault) -> None:
    put(root, {".gitignore": "mine"})

    files.write_own(PurePosixPath(".mnemos/config.toml"), b"[vault]")
    with pytest.raises(ChangedOnDiskError):
        files.write_own(PurePosixPath(".gitignore"), b"ours")

    assert texts(root) == {".gitignore": "mine", ".mnemos/config.toml": "[vault]"}


@pytest.mark.parametrize("path", [".git/config", "../x", "/etc/x", "sub/.git/hooks/x"])
def test_the_vaults_own_files_stay_inside_and_out_of_git(files: Vault, path: str) -> None:
    with pytest.raises(RefusedError):
        files.write_own(PurePosixPath(path), b"x")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to somebody else")
def test_a_replaced_file_keeps_its_owner(root: Path, files: Vault) -> None:
    put(root, {"note.md": "mine"})
    os.chown(root / "note.md", 1000, 1001)

    files.apply([replace("note.md", "ours", "mine")])

    found = (root / "note.md").stat()
    assert (found.st_uid, found.st_gid) == (1000, 1001)
