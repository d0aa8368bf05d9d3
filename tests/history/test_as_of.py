"""The commit that the branch had at an instant."""

from datetime import UTC, datetime, timedelta

import pytest

DAY = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def days(vault, make_change):
    """A vault with one commit at midnight of each of ten days, newest last; gives their ids."""
    history = vault.open()
    return [
        history.commit([make_change("a.md", b"%d" % n)], DAY + timedelta(days=n)).commits[0]
        for n in range(10)
    ]


def test_the_newest_commit_not_after_the_instant_counts(vault, days):
    history = vault.open()

    assert history.at(DAY + timedelta(days=4, hours=5)) == days[4]
    assert history.at(DAY + timedelta(days=4)) == days[4]
    assert history.at(DAY + timedelta(days=4, seconds=-1)) == days[3]
    assert history.at(DAY + timedelta(days=99)) == days[9]
    assert history.at(DAY) == days[0]


def test_before_the_first_commit_there_was_none(vault, days):
    assert vault.open().at(datetime(2026, 1, 1, tzinfo=UTC)) == ""


def test_an_unborn_branch_had_no_commit(empty):
    assert empty.open().at(DAY) == ""


def test_of_one_second_the_last_commit_counts(vault, make_change):
    result = vault.open().commit([make_change("a.md", b"%d" % n) for n in range(3)], DAY)

    assert vault.open().at(DAY) == result.commits[2]


def test_a_new_commit_is_known_at_once(vault, days, make_change):
    history = vault.open()
    later = DAY + timedelta(days=20)
    assert history.at(later) == days[9]

    new = vault.open().commit([make_change("b.md", b"x")], later).commits[0]

    assert history.at(later) == new
    assert history.at(DAY + timedelta(days=2)) == days[2]
    assert history.at(later - timedelta(seconds=1)) == days[9]


def test_a_branch_that_was_rewritten_is_read_anew(vault, days):
    history = vault.open()
    assert history.at(DAY + timedelta(days=8)) == days[8]

    vault.git("reset", "-q", "--hard", days[5])

    assert history.at(DAY + timedelta(days=8)) == days[5]
    assert history.at(DAY + timedelta(days=2)) == days[2]


def test_another_branch_has_its_own_past(vault, days):
    history = vault.open()
    assert history.at(DAY + timedelta(days=8)) == days[8]

    vault.git("checkout", "-q", "-b", "old", days[3])

    assert history.at(DAY + timedelta(days=8)) == days[3]


def test_what_a_merge_brought_in_was_not_here_before(vault, monkeypatch):
    vault.git("checkout", "-q", "-b", "side")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-05-10T00:00:00Z")
    vault.add("side.md")
    vault.git("checkout", "-q", "main")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-05-20T00:00:00Z")
    vault.git("merge", "-q", "--no-ff", "--no-edit", "side")
    first = vault.git("rev-parse", "HEAD^1").strip()

    history = vault.open()

    assert history.at(datetime(2026, 5, 15, tzinfo=UTC)) == first
    assert history.at(datetime(2026, 5, 20, tzinfo=UTC)) == history.head()
