"""Objects in memory until they are one pack."""

import contextlib
import threading

import pygit2

from mnemos_files.history.layout import layout_of
from mnemos_files.history.objects import PACK_FROM, LooseWriter, PackWriter, object_writer


def test_a_few_commits_write_loose_objects_and_many_a_pack(vault):
    layout = layout_of(pygit2.Repository(str(vault.root)), vault.root)

    assert isinstance(object_writer(layout, PACK_FROM - 1), LooseWriter)
    assert isinstance(object_writer(layout, PACK_FROM), PackWriter)


def test_a_loose_object_is_the_file_that_git_would_write(vault):
    writer = LooseWriter(layout_of(pygit2.Repository(str(vault.root)), vault.root))
    blob = writer.repo.create_blob(b"text")
    assert vault.try_git("cat-file", "-e", str(blob)).returncode == 1

    writer.publish()

    (file,) = (vault.root / ".git/objects" / str(blob)[:2]).glob(str(blob)[2:])
    assert vault.git("cat-file", "blob", str(blob)) == "text"
    assert file.stat().st_mode & 0o777 == 0o444
    assert list((vault.root / ".git/objects").glob("tmp*")) == []


def test_no_object_is_lost_while_git_removes_empty_folders(vault, make_change, now):
    """`git gc` does so at its end."""
    done = threading.Event()

    def sweep() -> None:
        while not done.is_set():
            for folder in (vault.root / ".git/objects").glob("??"):
                with contextlib.suppress(OSError):
                    folder.rmdir()

    sweeper = threading.Thread(target=sweep)
    sweeper.start()
    history = vault.open()
    for number in range(150):
        path = f"{number}.md"
        history.commit([make_change(path, vault.write(path, f"text {number}"))], now)
    done.set()
    sweeper.join(60)

    assert vault.try_git("fsck", "--strict", "--no-dangling").returncode == 0
    assert len(vault.subjects()) == 151


def test_nothing_is_on_disk_before_it_is_published(vault):
    repo = pygit2.Repository(str(vault.root))
    writer = PackWriter(layout_of(repo, vault.root))

    blob = writer.repo.create_blob(b"text")

    assert writer.repo[blob].data == b"text"
    assert vault.try_git("cat-file", "-e", str(blob)).returncode == 1
    writer.publish()
    assert vault.git("cat-file", "blob", str(blob)) == "text"
    assert repo[blob].data == b"text"


def test_published_objects_leave_the_memory_at_once(vault):
    writer = PackWriter(layout_of(pygit2.Repository(str(vault.root)), vault.root))
    writer.repo.create_blob(b"text")

    writer.publish()

    assert writer._memory.objects == {}


def test_objects_of_the_repository_are_read_through(vault):
    writer = PackWriter(layout_of(pygit2.Repository(str(vault.root)), vault.root))

    assert writer.repo.head.peel(pygit2.Commit).tree["first.md"].data == b"first\n"
    assert "1" * 40 not in writer.repo


def test_publishing_nothing_makes_no_pack(vault):
    writer = PackWriter(layout_of(pygit2.Repository(str(vault.root)), vault.root))

    writer.publish()

    assert list((vault.root / ".git/objects/pack").iterdir()) == []


def test_objects_of_an_alternate_are_found(vault, tmp_path, make_vault, make_change, now):
    clone = tmp_path / "clone"
    vault.git("clone", "-q", "--shared", str(vault.root), str(clone))
    vault.root = clone

    vault.open().commit(
        [make_change(f"{n}.md", vault.write(f"{n}.md", "x")) for n in range(9)], now
    )

    assert vault.status() == []
    assert len(vault.subjects()) == 10
