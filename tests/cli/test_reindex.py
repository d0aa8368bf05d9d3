import shutil
from pathlib import Path

from tests.conftest import git


def test_a_lost_index_is_made_again(vault: Path, hermetic_git: Path, run_json):
    place = ("--vault", str(vault))
    run_json("save", "Tide", "It turns at nine.", "--type", "context", *place)
    shutil.rmtree(hermetic_git / "mnemos-cache")

    told = run_json("reindex", *place)

    assert told == {"vault": str(vault), "notes": 2}
    assert run_json("search", "tide turns", *place)["results"][0]["title"] == "Tide"


def test_notes_that_vanished_are_given_up_only_when_asked(vault: Path, run, run_json):
    place = ("--vault", str(vault))
    for number in range(30):
        (vault / f"n{number}.md").write_text(f"note {number}\n", encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "notes")
    run_json("reindex", *place)
    for number in range(30):
        (vault / f"n{number}.md").unlink()

    refused = run("reindex", *place)
    accepted = run_json("reindex", "--accept-missing", *place)

    assert refused.exit_code == 5
    assert "notes are missing from the vault's folder" in refused.stderr
    assert accepted["notes"] == 1
