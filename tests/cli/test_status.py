from pathlib import Path


def test_status_names_the_places_in_full(vault: Path, hermetic_git: Path, run_json):
    told = run_json("status", "--vault", str(vault))

    assert told["vault"] == str(vault)
    assert told["repository"] == str(vault / ".git")
    assert told["index_folder"].startswith(str(hermetic_git / "mnemos-cache"))
    assert told["initialised"] is False
    assert told["notes"] == 1


def test_status_changes_nothing_in_the_vault(vault: Path, run_json):
    run_json("status", "--vault", str(vault))

    assert sorted(path.name for path in vault.iterdir()) == [".git", "Home.md"]
