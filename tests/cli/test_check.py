import json
from pathlib import Path

BROKEN = "---\ntitle: [unclosed\n---\nText of a broken note.\n"


def test_a_clean_vault_has_no_problems(vault: Path, run):
    result = run("check", "--vault", str(vault))

    assert result.exit_code == 0
    assert result.stdout == "no problems\n"


def test_a_broken_note_is_named_with_file_and_line(vault: Path, run):
    (vault / "broken.md").write_text(BROKEN, encoding="utf-8")

    result = run("check", "--vault", str(vault))

    assert result.exit_code == 1
    assert result.stdout.startswith("broken.md:")
    assert (vault / "broken.md").read_text(encoding="utf-8") == BROKEN


def test_json_lists_the_same_problems(vault: Path, run):
    (vault / "broken.md").write_text(BROKEN, encoding="utf-8")

    result = run("check", "--json", "--vault", str(vault))

    assert result.exit_code == 1
    problem = json.loads(result.stdout)["problems"][0]
    assert problem["path"] == "broken.md"
    assert set(problem) == {"path", "line", "rule", "message", "remedy"}
