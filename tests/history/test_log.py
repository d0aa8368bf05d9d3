"""Revisions, newest first."""

from datetime import UTC, datetime
from pathlib import PurePosixPath

from mnemos_files.history.repo import Revision


def test_a_revision_has_everything_that_git_log_shows(vault):
    result = vault.save("a.md", body="because\n\nof this", trailers=(("Mnemos-Op", "save"),))

    found = vault.open().log(1)

    assert found == [
        Revision(
            commit=result.commits[0],
            author_name="claude-code",
            author_email="claude-code@mnemos.invalid",
            when=datetime(2026, 12, 1, 10, 4, 11, tzinfo=UTC),
            subject="save(decision): a.md",
            body="because\n\nof this",
            trailers=(("Mnemos-Op", "save"),),
            paths=("a.md",),
        )
    ]


def test_the_order_is_that_of_git_even_within_one_second(vault, make_change, now):
    vault.open().commit([make_change(f"{n}.md", b"x") for n in range(12)], now)

    found = [revision.commit for revision in vault.open().log(100)]

    assert found == vault.git("log", "--format=%H").split()


def test_one_note_has_its_own_revisions_with_the_deletion(vault, make_change, now):
    vault.save("a.md", "1")
    vault.save("b.md", "1")
    vault.save("a.md", "2", subject="second")
    vault.open().commit([make_change("a.md", None, subject="delete")], now)

    found = vault.open().log(9, PurePosixPath("a.md"))

    assert [revision.subject for revision in found] == ["delete", "second", "save(decision): a.md"]


def test_pages_follow_each_other(vault, make_change, now):
    vault.open().commit([make_change("a.md", b"%d" % n, subject=str(n)) for n in range(5)], now)
    history = vault.open()

    pages = [history.log(2, PurePosixPath("a.md"), skip) for skip in (0, 2, 4)]

    assert [[each.subject for each in page] for page in pages] == [["4", "3"], ["2", "1"], ["0"]]


def test_revisions_follow_a_rename(vault):
    vault.add("old.md", "line\n" * 20)
    vault.git("mv", "old.md", "new.md")
    vault.write("new.md", "line\n" * 20 + "more\n")
    vault.git("commit", "-qam", "Rename")
    vault.save("new.md", "line\n" * 22)

    found = vault.open().log(9, PurePosixPath("new.md"))

    assert [(revision.subject, revision.paths) for revision in found] == [
        ("save(decision): new.md", ("new.md",)),
        ("Rename", ("new.md", "old.md")),
        ("Add old.md", ("old.md",)),
    ]


def test_a_merge_is_no_change_of_a_note_that_one_side_has(vault):
    vault.git("checkout", "-q", "-b", "side")
    vault.add("a.md")
    vault.git("checkout", "-q", "main")
    vault.add("b.md")
    vault.git("merge", "-q", "--no-edit", "side")

    found = vault.open().log(9, PurePosixPath("a.md"))

    assert [revision.subject for revision in found] == ["Add a.md"]


def test_an_unborn_branch_has_no_revisions(empty):
    assert empty.open().log(9) == []


def test_an_unknown_path_has_no_revisions(vault):
    assert vault.open().log(9, PurePosixPath("never/was.md")) == []


def test_a_note_named_like_an_option_has_revisions(vault):
    vault.save("--help.md")

    assert len(vault.open().log(9, PurePosixPath("--help.md"))) == 1


def test_a_commit_message_that_is_not_utf8_is_shown(vault, tmp_path):
    message = tmp_path / "message"
    message.write_bytes(b"Caf\xe9\n")
    vault.git("commit", "-q", "--allow-empty", "-F", str(message))
    vault.write("first.md", "x")
    vault.git("commit", "-qa", "-F", str(message))

    assert vault.open().log(1)[0].subject.startswith("Caf")


def test_the_last_change_of_a_note_is_the_commit_that_gave_it_its_text(vault, make_change, now):
    history = vault.open()
    commits = [
        history.commit([make_change(f"{n}.md", b"%d" % n)], now).commits[0] for n in range(23)
    ]
    second = history.commit([make_change("7.md", b"new")], now).commits[0]
    history.commit([make_change(f"late{n}.md", b"x") for n in range(9)], now)

    for number in range(23):
        mark = history.last_change(PurePosixPath(f"{number}.md"))
        assert mark.commit == (second if number == 7 else commits[number])
    assert (mark.author, mark.when) == ("claude-code", now)


def test_a_persons_edit_is_the_last_change(vault):
    vault.save("a.md", "1")
    vault.write("a.md", "mine")
    vault.git("commit", "-qam", "Edit")

    mark = vault.open().last_change(PurePosixPath("a.md"))

    assert mark.author == "Ines Example"
    assert mark.commit == vault.git("rev-parse", "HEAD").strip()


def test_the_last_change_of_a_merged_note_is_on_its_branch(vault):
    vault.add("a.md")
    vault.git("switch", "-q", "-c", "side")
    vault.add("b.md")
    side = vault.git("rev-parse", "HEAD").strip()
    vault.git("switch", "-q", "-")
    vault.add("c.md")
    vault.git("merge", "-q", "--no-ff", "-m", "Merge", "side")

    assert vault.open().last_change(PurePosixPath("b.md")).commit == side


def test_a_note_in_no_commit_has_no_last_change(vault):
    assert vault.open().last_change(PurePosixPath("a.md")) is None

    vault.add("a.md")
    vault.write("b.md", "draft")

    assert vault.open().last_change(PurePosixPath("b.md")) is None
