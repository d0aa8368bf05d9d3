"""The history as a whole: the head, names of revisions, several threads."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath

import pytest

from mnemos_files.errors import InvalidQueryError

OPTIONS = [
    "--output=OUT",
    "-OOUT",
    "--ext-diff",
    "--exec=touch PWNED",
    "HEAD --output=OUT",
    "; touch PWNED",
    "$(touch PWNED)",
    "`touch PWNED`",
    "main..--output=OUT",
    "@{upstream}",
    "HEAD:../../etc/passwd",
    "HEAD:first.md",
    "-",
    "--",
    "\n--output=OUT",
    "--no-index /etc/passwd /dev/null",
    "ext::sh -c touch% PWNED",
    "",
    "\0",
    "x" * 300,
    "main..HEAD",
    "HEAD~99",
]


@pytest.mark.parametrize("text", OPTIONS)
def test_a_text_that_names_no_commit_is_refused(vault, text):
    with pytest.raises(InvalidQueryError, match="names no commit"):
        vault.open().resolve(text)

    assert vault.status() == []
    assert sorted(path.name for path in vault.root.iterdir()) == [".git", "first.md"]


def test_usual_names_of_commits_are_resolved(vault):
    first = vault.git("rev-parse", "HEAD").strip()
    vault.save("a.md")
    second = vault.git("rev-parse", "HEAD").strip()
    vault.git("update-ref", "refs/heads/-x", first)
    vault.git("tag", "-a", "v1", "-m", "One", first)
    history = vault.open()

    found = [history.resolve(text) for text in ("HEAD", "HEAD~1", "main", second[:8], "-x", "v1")]

    assert found == [second, first, second, second, first, first]


def test_the_head_is_empty_on_an_unborn_branch(empty):
    assert empty.open().head() == ""


def test_the_head_follows_other_programs(vault):
    history = vault.open()
    seen = [history.head()]

    vault.add("b.md")
    seen.append(history.head())
    vault.git("checkout", "-q", "-b", "other", "HEAD~1")
    seen.append(history.head())
    vault.git("pack-refs", "--all")
    seen.append(history.head())
    vault.git("gc", "-q")
    vault.git("checkout", "-q", "main")
    seen.append(history.head())

    assert seen[1:] == [vault.git("rev-parse", "main").strip()] + [seen[0]] * 2 + [seen[1]]


def test_saving_goes_on_after_git_packed_everything(vault, make_change, now):
    history = vault.open()
    for number in range(3):
        data = vault.write("a.md", str(number))
        history.commit([make_change("a.md", data)], now)
        vault.git("gc", "-q", "--prune=now")

    assert vault.status() == []
    assert len(vault.subjects()) == 4


def test_reading_and_writing_at_once_is_safe(vault, make_change, now):
    history = vault.open()
    path = PurePosixPath("a.md")

    def write(number):
        return history.commit([make_change(f"{number}.md", b"%d" % number)], now).commits

    def read(number):
        head = history.head()
        return history.tree(head), history.log(3), history.at(now), history.blob_id(path, b"\r\n")

    with ThreadPoolExecutor(8) as pool:
        reads = [pool.submit(read, number) for number in range(60)]
        writes = [pool.submit(write, number) for number in range(30)]
        for each in reads:
            each.result()
        made = {each.result()[0] for each in writes}

    assert len(made) == 30
    assert len(vault.subjects()) == 31
    assert vault.fsck().startswith("0")


def test_a_group_is_a_chain_of_one_commit_each_and_one_move(vault, make_change, now):
    changes = [make_change(f"{n}.md", b"%d" % n, subject=f"save {n}") for n in range(3)]

    result = vault.open().commit(changes, now)

    assert vault.git("log", "--format=%H", "-3").split() == list(reversed(result.commits))
    assert vault.git("show", "--format=", "--name-only", result.commits[1]).split() == ["1.md"]
    reflog = vault.git("reflog", "--format=%gs").splitlines()
    assert reflog[0] == "commit: save 2 (and 2 more)"
    assert len(reflog) == 2


def test_two_changes_of_one_path_are_two_commits(vault, make_change, now):
    changes = [make_change("a.md", b"1"), make_change("a.md", vault.write("a.md", "2"))]

    vault.open().commit(changes, now)

    texts = [vault.git("show", f"{name}:a.md") for name in ("HEAD~1", "HEAD")]
    assert texts == ["1", "2"]
    assert vault.status() == []
    assert vault.git("diff-files") == ""


def test_nothing_to_commit_is_no_commit(vault, now):
    assert vault.open().commit([], now).commits == ()


def test_a_burst_is_one_pack_and_no_loose_objects(vault, make_change, now):
    vault.git("gc", "-q")
    changes = [make_change(f"{n}.md", vault.write(f"{n}.md", str(n))) for n in range(60)]

    vault.open().commit(changes, now)

    counts = dict(line.split(": ") for line in vault.git("count-objects", "-v").splitlines())
    assert (counts["count"], counts["packs"], counts["garbage"]) == ("0", "2", "0")
    assert vault.fsck().startswith("0")
    assert vault.status() == []
