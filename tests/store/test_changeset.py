"""A change, whole: what it touches, and the vault that results; nothing is written."""

import hashlib
import os
import subprocess

import pytest

from mnemos_files.errors import NotFoundError
from mnemos_files.store.changeset import change_set
from tests.conftest import git
from tests.review.notes import A, B, C, at, note

ONE, TWO = at("one"), at("two")


def write(root, texts):
    for path, text in texts.items():
        if text is None:
            (root / path).unlink()
            continue
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def commit(root, texts):
    write(root, texts)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "change")


@pytest.fixture
def opened(vault, open_vault):
    def change(named="", **options):
        store = open_vault(vault)
        store.finish()
        return change_set(store, named, **options)

    return change


def sides(change):
    return {one.path: (one.before, one.after) for one in change.files}


def test_the_work_tree_is_compared_with_the_commit_whatever_is_staged(vault, opened):
    commit(vault, {ONE: "a\n", TWO: "b\n"})
    write(vault, {ONE: "staged\n", "new.md": "n\n"})
    git(vault, "add", ONE)
    write(vault, {ONE: "c\n", TWO: None})

    assert sides(opened()) == {
        ONE: (b"a\n", b"c\n"),
        TWO: (b"b\n", None),
        "new.md": (None, b"n\n"),
    }


def test_the_index_is_compared_without_what_is_not_staged(vault, opened):
    commit(vault, {ONE: "a\n"})
    write(vault, {ONE: "b\n", TWO: "new\n"})
    git(vault, "add", "-A")
    write(vault, {ONE: "c\n", TWO: "newer\n", "unseen.md": "x\n"})

    change = opened(staged=True)

    assert sides(change) == {ONE: (b"a\n", b"b\n"), TWO: (None, b"new\n")}
    assert set(change.after) == {"Home.md", ONE, TWO}
    assert change.read(TWO) == b"new\n"


def test_another_index_file_is_read_where_it_is_named(vault, opened, tmp_path):
    commit(vault, {ONE: "a\n"})
    write(vault, {ONE: "b\n"})
    git(vault, "add", "-A")
    other = tmp_path / "other-index"
    subprocess.run(
        ["git", "-C", str(vault), "read-tree", "HEAD"],
        env=os.environ | {"GIT_INDEX_FILE": str(other)},
        check=True,
    )

    assert sides(opened(staged=True, index_file=other)) == {}
    assert sides(opened(staged=True)) == {ONE: (b"a\n", b"b\n")}


def test_before_the_first_commit_everything_is_new(tmp_path, open_vault):
    git(tmp_path, "init", "-q", "-b", "main", "young")
    write(tmp_path / "young", {ONE: "a\n"})
    git(tmp_path / "young", "add", "-A")
    store = open_vault(tmp_path / "young")
    store.finish()

    assert sides(change_set(store, staged=True)) == {ONE: (None, b"a\n")}
    assert sides(change_set(store)) == {ONE: (None, b"a\n")}


def test_a_branch_that_is_not_checked_out_has_its_own_vault(vault, opened):
    commit(vault, {ONE: note()})
    git(vault, "checkout", "-q", "-b", "proposal")
    commit(vault, {ONE: None, TWO: note("Other.", id=B)})
    git(vault, "checkout", "-q", "main")
    commit(vault, {at("three"): note("Third.", id=C)})

    change = opened("proposal")

    assert set(change.after) == {"Home.md", TWO}
    assert change.resolve("2026-11-01-one") == ()
    assert change.resolve("2026-11-01-two") == (TWO,)
    assert change.after.by_id(B) == (TWO,)
    assert change.after.by_id(A) == ()
    assert change.after.by_id_tail("f7k3qa") == ()
    assert change.after.by_id_tail(B[-6:].lower()) == (TWO,)
    assert len(change.after) == 2
    with pytest.raises(NotFoundError):
        change.read(ONE)
    assert change.read("Home.md") == b"# Home\n"


def test_a_note_that_another_side_has_changed_is_that_of_the_side(vault, opened):
    commit(vault, {ONE: note(title="First")})
    commit(vault, {ONE: note(title="Second")})

    change = opened("HEAD~1")

    assert change.after[ONE].record.title == "First"
    with pytest.raises(KeyError):
        change.after["nothing.md"]


def test_line_ends_that_git_converts_are_no_change(vault, opened):
    (vault / ".gitattributes").write_text("*.md text\n", encoding="utf-8")
    commit(vault, {ONE: "a\nb\n"})
    write(vault, {ONE: "a\r\nb\r\n"})
    git(vault, "add", "-A")

    assert sides(opened(staged=True)) == {}


def test_files_of_others_are_there_but_not_read(vault, opened):
    commit(vault, {"code/main.py": "print(1)\n", ".mnemos/journal/a/2026-11.jsonl": "{}\n"})

    assert sides(opened("HEAD")) == {
        "code/main.py": (None, b""),
        ".mnemos/journal/a/2026-11.jsonl": (None, b"{}\n"),
    }


def test_a_name_that_is_no_utf8_is_a_file_like_any_other(vault, opened):
    with open(os.fsencode(vault) + b"/a\xff.md", "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"text\n")

    assert "a\udcff.md" in sides(opened())
    git(vault, "add", "-A")
    assert "a\udcff.md" in sides(opened(staged=True))


def test_commits_are_those_that_touch_the_file(vault, opened):
    commit(vault, {ONE: "a\n"})
    commit(vault, {TWO: "b\n"})
    commit(vault, {ONE: "c\n"})
    ids = git(vault, "log", "--format=%H").split()

    files = {one.path: one for one in opened("HEAD~3..HEAD").files}

    assert [revision.commit for revision in files[ONE].revisions] == [ids[0], ids[2]]
    assert [revision.commit for revision in files[TWO].revisions] == [ids[1]]


def test_reading_writes_nothing_into_the_vault_or_its_repository(vault, opened):
    commit(vault, {ONE: note()})
    git(vault, "checkout", "-q", "-b", "proposal")
    commit(vault, {ONE: note("Other.")})
    git(vault, "checkout", "-q", "main")
    write(vault, {TWO: note(id=B)})
    before = state(vault)

    for change in (opened("proposal"), opened(), opened(staged=True), opened("HEAD")):
        assert change.files is not None
        assert change.similar(list(change.after), change._store.now()) is not None

    assert state(vault) == before


def state(root):
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_submodule_is_no_note(vault, opened, tmp_path):
    git(tmp_path, "init", "-q", "other")
    git(tmp_path / "other", "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q",
        "--allow-empty", "-m", "x")  # fmt: skip
    git(vault, "-c", "protocol.file.allow=always", "submodule", "add", "-q",
        str(tmp_path / "other"), "sub.md")  # fmt: skip
    git(vault, "commit", "-q", "-m", "submodule")

    assert sides(opened("HEAD")).keys() == {".gitmodules"}


def test_an_alias_that_a_change_brings_leads_to_its_note(vault, opened):
    commit(vault, {ONE: note(aliases="[Hashing]")})
    git(vault, "checkout", "-q", "-b", "proposal")
    commit(vault, {ONE: note(aliases="[Passwords]")})
    git(vault, "checkout", "-q", "main")

    change = opened("proposal")

    assert change.resolve("passwords") == (ONE,)
    assert change.resolve("hashing") == ()
