"""The trail of all commits: both ways to read it agree, and what is kept equals what is read."""

import subprocess
from pathlib import Path

import pytest

from mnemos_files.errors import UnavailableError
from mnemos_files.history.past import KEPT_NAME, Past
from mnemos_files.history.process import Git
from mnemos_files.history.repo import History


def as_lines(vault, past: Past) -> list[str]:
    """Subject, path and texts before and after of every step, the newest commit first."""

    def text(blob: str) -> str:
        return vault.git("cat-file", "blob", blob).strip() if blob else "-"

    return [
        f"{past.origin(step.commit).subject}: {step.path} {text(step.before)} > {text(step.after)}"
        for steps in past.trail()
        for step in steps
    ]


def test_the_trail_names_every_note_that_a_commit_changed(empty):
    empty.add("a.md", "one\n")
    empty.add("image.png", "no note\n")
    empty.write("b/c.MD", "two\n")
    empty.write("a.md", "changed\n")
    empty.git("add", "-A")
    empty.git("commit", "-q", "-m", "both")
    empty.git("rm", "-q", "a.md")
    empty.git("commit", "-q", "-m", "gone")

    assert as_lines(empty, empty.open().past) == [
        "gone: a.md changed > -",
        "both: a.md one > changed",
        "both: b/c.MD - > two",
        "Add a.md: a.md - > one",
    ]


def test_a_merge_counts_only_for_what_it_settled_itself(vault):
    vault.add("both.md", "old\n")
    vault.git("switch", "-q", "-c", "side")
    vault.add("side.md", "side\n")
    vault.write("both.md", "theirs\n")
    vault.git("commit", "-q", "-am", "theirs")
    vault.git("switch", "-q", "main")
    vault.write("both.md", "ours\n")
    vault.git("commit", "-q", "-am", "ours")
    vault.try_git("merge", "-q", "side")
    vault.write("both.md", "settled\n")
    vault.git("commit", "-q", "-am", "merge")

    lines = as_lines(vault, vault.open().past)

    assert [line for line in lines if line.startswith("merge")] == ["merge: both.md ours > settled"]
    assert sorted(line for line in lines if "both.md old" in line) == [
        "ours: both.md old > ours",
        "theirs: both.md old > theirs",
    ]
    assert [line for line in lines if "side.md" in line] == ["Add side.md: side.md - > side"]


def test_links_and_folders_that_end_like_notes_are_none(empty):
    empty.add("real.md", "text\n")
    empty.add("folder.md/inner.md", "inner\n")
    (empty.root / "link.md").symlink_to("real.md")
    empty.git("add", "link.md")
    empty.git("commit", "-q", "-m", "link")
    (empty.root / "real.md").unlink()
    (empty.root / "real.md").symlink_to("folder.md/inner.md")
    empty.git("commit", "-q", "-am", "becomes a link")

    assert as_lines(empty, empty.open().past) == [
        "becomes a link: real.md text > -",
        "Add folder.md/inner.md: folder.md/inner.md - > inner",
        "Add real.md: real.md - > text",
    ]


def test_a_vault_in_a_folder_sees_its_own_notes_only(make_vault, tmp_path: Path):
    code = make_vault(tmp_path / "code")
    code.add("README.md", "code\n")
    code.add("docs/memory/a.md", "one\n")
    code.add("docs/memory.md", "not inside\n")
    for number in range(20):
        code.add("main.py", f"{number}\n")
    code.add("docs/memory/a.md", "two\n")

    past = Past(History.open(code.root / "docs/memory")._layout)

    assert as_lines(code, past) == [
        "Add docs/memory/a.md: a.md one > two",
        "Add docs/memory/a.md: a.md - > one",
    ]


def test_names_that_git_quotes_are_whole(empty):
    names = ["Zürich 日本.md", 'a "quoted"\tname.md', "new\nline.md", "-dash.md", ":colon.md"]
    for name in names:
        empty.write(name, f"{names.index(name)}\n")
    empty.git("add", "-A")
    empty.git("commit", "-q", "-m", "all")

    trail = empty.open().past.trail()

    assert sorted(trail.paths()) == sorted(names)
    assert all(len(trail.steps(name)) == 1 for name in names)
    assert trail.paths_ending("line.md") == ["new\nline.md"]


def test_a_branch_without_a_commit_has_an_empty_trail(empty):
    past = empty.open().past

    assert list(past.trail()) == []
    assert past.since("") == []


def test_what_a_rewritten_branch_lost_is_no_longer_there(vault):
    past = vault.open().past
    vault.add("a.md", "one\n")
    past.trail()
    vault.write("a.md", "two\n")
    vault.git("commit", "-q", "-a", "--amend", "-m", "amended")

    assert as_lines(vault, past) == ["amended: a.md - > two", "Add first.md: first.md - > first"]

    vault.git("switch", "-q", "-c", "other", "HEAD~1")
    vault.add("b.md", "b\n")

    assert as_lines(vault, past) == ["Add b.md: b.md - > b", "Add first.md: first.md - > first"]


def test_a_history_of_which_nothing_is_left_is_read_anew(vault, tmp_path: Path):
    past = vault.open().past
    past.folder = tmp_path / "cache"
    past.trail()
    vault.git("switch", "-q", "--orphan", "fresh")
    vault.add("b.md", "b\n")
    vault.git("branch", "-q", "-D", "main")
    vault.git("reflog", "expire", "--expire=now", "--all")
    vault.git("gc", "-q", "--prune=now")

    assert as_lines(vault, past) == ["Add b.md: b.md - > b"]


def test_a_shallow_clone_tells_what_it_has_until_it_is_whole(vault, tmp_path: Path, make_vault):
    for text in ("two", "three"):
        vault.add("first.md", f"{text}\n")
    clone = make_vault(tmp_path / "clone")
    clone.git("pull", "-q", "--depth", "1", f"file://{vault.root}", "main")
    past = clone.open().past
    past.folder = tmp_path / "cache"

    assert past.is_shallow
    assert as_lines(clone, past) == ["Add first.md: first.md - > three"]

    clone.git("fetch", "-q", "--unshallow", f"file://{vault.root}", "main")

    assert not past.is_shallow
    assert len(as_lines(clone, past)) == 3


def remove_object(vault, name: str) -> None:
    oid = vault.git("rev-parse", name).strip()
    file = vault.root / ".git/objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    file.unlink()


@pytest.mark.parametrize("lost", ["HEAD~1", "HEAD~1^{tree}", "HEAD"])
def test_a_missing_object_is_a_clear_error(vault, lost):
    for text in ("two", "three"):
        vault.add("first.md", f"{text}\n")
    remove_object(vault, lost)

    with pytest.raises(UnavailableError, match=r"cannot read the history|is damaged") as caught:
        vault.open().past.trail()

    assert "git fsck" in caught.value.remedy


def test_a_missing_object_is_a_clear_error_without_git(vault, monkeypatch):
    monkeypatch.setattr(Git, "is_installed", False)
    for text in ("two", "three"):
        vault.add("first.md", f"{text}\n")
    remove_object(vault, "HEAD~1^{tree}")

    with pytest.raises(UnavailableError, match="the git history is damaged"):
        vault.open().past.trail()


def test_messages_and_names_in_other_encodings_are_read(empty):
    empty.write("a.md", "a\n")
    empty.git("add", "a.md")
    tree = empty.git("write-tree").strip()
    raw = (
        f"tree {tree}\n".encode()
        + "author Jörg <j@x> 1700000000 +0100\n".encode("latin-1")
        + b"committer \xff\xfe <> 1700000100 +0000\nencoding ISO-8859-1\n\n"
        + "Größer\n\nWarum: weil\n\nMnemos-Op: save\n".encode("latin-1")
    )
    done = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        cwd=empty.root, input=raw, capture_output=True, check=True,
    )  # fmt: skip
    commit = done.stdout.decode().strip()
    empty.git("update-ref", "refs/heads/main", commit)

    origin = empty.open().past.origin(commit)

    assert (origin.subject, origin.body) == ("Größer", "Warum: weil")
    assert origin.trailers == (("Mnemos-Op", "save"),)
    assert origin.author == "Jörg"
    assert (origin.authored.timestamp(), origin.when.timestamp()) == (1_700_000_000, 1_700_000_100)


def test_since_gives_what_is_new(vault):
    base = vault.git("rev-parse", "HEAD").strip()
    vault.add("a.md", "a\n")
    middle = vault.git("rev-parse", "HEAD").strip()
    vault.add("code.py", "no note\n")
    vault.add("a.md", "b\n")
    past = vault.open().past

    def paths(*span: str) -> list[list[str]]:
        return [[step.path for step in steps] for steps in past.since(*span)]

    assert paths(base) == [["a.md"], ["a.md"]]
    assert paths(base, middle) == [["a.md"]]
    assert paths("", middle) == [["a.md"], ["first.md"]]
    assert paths(middle, base) == []


def test_net_is_what_differs_in_sum(vault):
    base = vault.git("rev-parse", "HEAD").strip()
    first = vault.git("rev-parse", "HEAD:first.md").strip()
    vault.add("first.md", "other\n")
    vault.add("first.md", "first\n")
    vault.add("a.md", "a\n")
    blob = vault.git("rev-parse", "HEAD:a.md").strip()
    past = vault.open().past

    assert past.net(base, past.trail().head) == {"a.md": ("", blob)}
    assert past.net("", base) == {"first.md": ("", first)}
    assert past.net(base, "") == {"first.md": (first, "")}
    assert past.net(base, base) == past.net("", "") == {}


def test_sides_are_what_the_parents_had(vault):
    vault.git("switch", "-q", "-c", "side")
    vault.add("first.md", "theirs\n")
    vault.git("switch", "-q", "main")
    vault.git("merge", "-q", "--no-ff", "side")

    sides = vault.open().past.sides(vault.git("rev-parse", "HEAD").strip(), "first.md")

    assert [vault.git("cat-file", "blob", blob) for blob in sides] == ["first\n", "theirs\n"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-20],
        lambda data: data[:-20] + b"x" + data[-19:],
        lambda _: b"",
        lambda data: data.replace(b"mnemos-trail 1", b"mnemos-trail 0"),
    ],
)
def test_a_kept_trail_that_is_not_whole_is_read_anew(vault, tmp_path: Path, damage):
    for number in range(60):
        vault.add("first.md", f"{number}\n")
    folder = tmp_path / "cache"
    first = vault.open().past
    first.folder = folder
    expected = first.trail()
    kept = folder / KEPT_NAME
    kept.write_bytes(damage(kept.read_bytes()))

    again = vault.open().past
    again.folder = folder

    assert again.trail() == expected
    assert [path.name for path in folder.iterdir()] == [KEPT_NAME]


def test_what_is_forgotten_leaves_no_name_behind(vault, tmp_path: Path):
    for number in range(60):
        vault.add("secret-name.md", f"{number}\n")
    past = vault.open().past
    past.folder = tmp_path / "cache"
    past.trail()
    assert b"secret-name" in (tmp_path / "cache" / KEPT_NAME).read_bytes()

    past.forget()

    assert list((tmp_path / "cache").iterdir()) == []


def test_a_folder_that_cannot_be_written_keeps_nothing_and_tells_all(vault, tmp_path: Path):
    for number in range(60):
        vault.add("first.md", f"{number}\n")
    past = vault.open().past
    past.folder = tmp_path / "file" / "cache"
    (tmp_path / "file").write_text("in the way")

    assert len(past.trail().steps("first.md")) == 61
