"""Trees of commits: built, listed, compared."""

from pathlib import PurePosixPath

import pytest

from mnemos_files.errors import NotFoundError

HELLO = "ce013625030ba8dba906f756967f9e9ca394464a"  # hello\n
WORLD = "cc628ccd10742baea8241c5924df992b5c019f71"  # world\n


def commit(vault, changes, now):
    vault.open().commit(changes, now)
    return vault.open().head()


def test_only_the_changed_path_differs(vault, make_change, now):
    vault.add("a/b/c.md", "hello\n")
    before = vault.git("ls-tree", "-r", "HEAD").splitlines()

    commit(vault, [make_change("a/b/d.md", b"world\n")], now)

    after = vault.git("ls-tree", "-r", "HEAD").splitlines()
    assert sorted(set(after) - set(before)) == [f"100644 blob {WORLD}\ta/b/d.md"]
    assert set(before) - set(after) == set()


def test_an_empty_folder_vanishes(vault, make_change, now):
    vault.add("a/b/c.md")

    commit(vault, [make_change("a/b/c.md", None)], now)

    assert vault.git("ls-tree", "--name-only", "HEAD") == "first.md\n"
    assert vault.fsck().startswith("0")


def test_the_last_file_leaves_an_empty_tree(vault, make_change, now):
    commit(vault, [make_change("first.md", None)], now)

    assert vault.git("ls-tree", "HEAD") == ""
    assert vault.fsck().startswith("0")


def test_a_file_becomes_a_folder_and_back(vault, make_change, now):
    vault.add("a.md", "hello\n")

    vault.open().commit([make_change("a.md", None), make_change("a.md/b.md", b"x")], now)
    names = vault.git("ls-tree", "-r", "--name-only", "HEAD").split()
    vault.open().commit([make_change("a.md/b.md", None), make_change("a.md", b"y")], now)

    assert names == ["a.md/b.md", "first.md"]
    assert vault.git("ls-tree", "-r", "--name-only", "HEAD").split() == ["a.md", "first.md"]
    assert vault.fsck().startswith("0")


def test_what_is_there_already_makes_no_commit(vault, make_change, now):
    head = vault.open().head()

    result = vault.open().commit(
        [make_change("first.md", b"first\n"), make_change("absent.md", None)], now
    )

    assert result.commits == ("", "")
    assert vault.open().head() == head


@pytest.mark.parametrize(
    "name", ["ü.md", "日本語.md", 'it\'s "q".md', "--help.md", "a b.md", "#.md"]
)
def test_odd_names_are_committed_as_they_are(vault, name):
    vault.save(name)

    assert vault.git("ls-tree", "-z", "--name-only", "HEAD").split("\0")[:-1] == sorted(
        [name, "first.md"], key=str.encode
    )
    assert vault.status() == []


def test_the_tree_lists_markdown_files_only(vault, make_change, now):
    vault.write("a.md", "hello\n")
    vault.write("deep/in/B.MD", "world\n")
    vault.write("deep/c.txt", "no\n")
    (vault.root / "link.md").symlink_to("a.md")
    vault.git("add", "-A")
    vault.git("commit", "-qm", "All")

    found = vault.open().tree(vault.open().head())

    assert found == {
        "a.md": HELLO,
        "deep/in/B.MD": WORLD,
        "first.md": "9c59e24b8393179a5d712de4f990178df5734d99",
    }


def test_the_tree_of_no_commit_is_empty(empty):
    assert empty.open().tree("") == {}


@pytest.mark.parametrize("commit", ["0" * 40, "xyz", HELLO])
def test_the_tree_of_an_unknown_commit_is_not_found(vault, commit):
    with pytest.raises(NotFoundError):
        vault.open().tree(commit)


def test_the_difference_has_new_changed_and_gone_notes(vault, make_change, now):
    vault.add("changed.md", "hello\n")
    vault.add("gone/x.md", "hello\n")
    vault.add("same/y.md", "hello\n")
    vault.add("no.txt")
    old = vault.open().head()
    changes = [
        make_change("changed.md", b"world\n"),
        make_change("gone/x.md", None),
        make_change("new/z.md", b"hello\n"),
        make_change("no.txt", b"more"),
    ]
    new = commit(vault, changes, now)

    forth = vault.open().diff(old, new)
    back = vault.open().diff(new, old)

    assert forth == {"changed.md": WORLD, "gone/x.md": "", "new/z.md": HELLO}
    assert back == {"changed.md": HELLO, "gone/x.md": HELLO, "new/z.md": ""}


def test_a_note_that_becomes_a_folder_or_a_link_is_gone(vault, make_change, now):
    vault.add("a.md", "hello\n")
    vault.add("b.md", "hello")
    old = vault.open().head()
    vault.git("rm", "-q", "a.md", "b.md")
    vault.write("a.md/c.md", "world\n")
    (vault.root / "b.md").symlink_to("hello")
    vault.git("add", "-A")
    vault.git("commit", "-qm", "Change kinds")

    assert vault.open().diff(old, vault.open().head()) == {
        "a.md": "",
        "a.md/c.md": WORLD,
        "b.md": "",
    }


def test_the_difference_from_nothing_is_everything(vault):
    head = vault.open().head()

    assert vault.open().diff("", head) == vault.open().tree(head)


@pytest.mark.parametrize("old", ["0" * 40, "gone", HELLO])
def test_the_difference_from_an_unknown_commit_is_none(vault, old):
    assert vault.open().diff(old, vault.open().head()) is None


def test_a_blob_is_read(vault):
    history = vault.open()

    assert history.read_blob(history.committed(PurePosixPath("first.md"))) == b"first\n"


@pytest.mark.parametrize("blob", ["0" * 40, "", "nonsense"])
def test_an_unknown_blob_is_not_found(vault, blob):
    with pytest.raises(NotFoundError):
        vault.open().read_blob(blob)


def test_a_commit_is_no_blob(vault):
    with pytest.raises(NotFoundError):
        vault.open().read_blob(vault.open().head())


def test_a_name_that_is_not_utf8_in_history_is_listed(vault):
    blob = vault.git("hash-object", "-w", "first.md").strip()
    (vault.root / b"\xff.md".decode("utf-8", "surrogateescape")).write_bytes(b"first\n")
    vault.git("add", "-A")
    vault.git("commit", "-qm", "Odd name")

    assert vault.open().tree(vault.open().head())["\udcff.md"] == blob
