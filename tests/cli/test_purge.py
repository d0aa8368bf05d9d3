"""`mnemos-files purge` shows what it comes to, asks, and does it."""

import pytest

from tests.conftest import git


@pytest.fixture
def saved(vault, run_json) -> str:
    value = run_json("save", "The cello", "It hums.", "--type", "context", "--vault", vault)
    return str(value["id"])


def test_a_dry_run_shows_and_changes_nothing(vault, run, saved):
    head = git(vault, "rev-parse", "HEAD")

    done = run("purge", saved, "--dry-run", "--no-json", "--vault", vault)

    assert done.exit_code == 0
    assert done.stdout.startswith("1 commits change (1 of them go): all of them get new ids.\n")
    assert f"the-cello-{saved[-6:].lower()}.md" in done.stdout
    assert git(vault, "rev-parse", "HEAD") == head


def test_without_a_terminal_it_wants_a_yes(vault, run, saved):
    done = run("purge", saved, "--no-json", "--vault", vault)

    assert done.exit_code == 2
    assert done.stderr.endswith("Say --yes to do it.\nNothing was changed.\n")
    assert list(vault.glob("observations/*/*cello*"))


def test_yes_does_it_and_json_tells_it(vault, run_json, saved):
    value = run_json("purge", saved, "--yes", "--json", "--vault", vault)

    assert (value["purged"], value["commits_dropped"], value["files_changed"]) == (True, 1, [])
    assert not list(vault.glob("observations/*/*cello*"))
    assert "cello" not in git(vault, "log", "--all", "--format=%B")


def test_a_text_may_come_from_standard_input(vault, run_json, saved):
    value = run_json("purge", "--pattern", "-", "--yes", "--json", "--vault", vault, input="hums\n")

    assert len(value["files_changed"]) == 1
    assert "It removed." in next(vault.glob("observations/*/*cello*")).read_text("utf-8")


def test_nothing_to_purge_is_an_error(vault, run):
    done = run("purge", "--vault", vault)

    assert done.exit_code == 2
    assert "Give an id, path or --pattern." in done.stderr


def test_finish_without_a_debt_says_so(vault, run):
    assert run("purge", "--finish", "--vault", vault).stdout == "No purge was cut short.\n"
