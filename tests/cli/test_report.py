"""`mnemos-files report` and `mnemos-files canvas`: files to look at."""

import json
import subprocess
import sys
import webbrowser

import pytest


def test_the_templates_are_loaded_for_a_page_only():
    code = "import sys, mnemos_files.cli.report, mnemos_files.report.canvas; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "jinja2" not in done.stdout.split()
    assert "mnemos_files.report.canvas" in done.stdout.split()


@pytest.fixture
def saved(vault, run_json) -> str:
    old = run_json("save", "Use bcrypt", "Old.", "--type", "decision", "--vault", vault)
    value = run_json(
        *("save", "Use Argon2id", "New.", "--type", "decision", "--supersedes", old["id"]),
        *("--vault", vault),
    )
    return str(value["id"])


def test_a_report_lies_beside_the_vault(vault, run, saved):
    done = run("report", "--vault", vault)

    file = vault.parent / "vault-report.html"
    assert (done.exit_code, done.stdout) == (
        0,
        f"written: {file} (2 of 2 memories, {file.stat().st_size / 1e6:.1f} MB)\n",
    )
    assert file.read_text("utf-8").startswith("<!DOCTYPE html>\n")


def test_a_report_in_json_says_where_and_how_large(vault, run_json, saved, tmp_path):
    value = run_json("report", "--out", tmp_path / "x.html", "--json", "--vault", vault)

    assert value == {
        "file": str(tmp_path / "x.html"),
        "bytes": (tmp_path / "x.html").stat().st_size,
        "memories": 2,
        "shown": 2,
    }


def test_a_report_on_standard_output_writes_no_file(vault, run, saved):
    before = set(vault.parent.iterdir())

    done = run("report", "--out", "-", "--vault", vault)

    assert done.stdout.endswith("</html>\n")
    assert set(vault.parent.iterdir()) == before


def test_a_report_is_opened_in_the_browser(vault, run, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda place: opened.append(place) or True)

    run("report", "--open", "--vault", vault)

    assert opened == [(vault.parent / "vault-report.html").as_uri()]


def test_without_a_browser_the_file_is_written_all_the_same(vault, run, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda _place: False)

    done = run("report", "--open", "--vault", vault)

    assert done.exit_code == 0
    assert done.stderr == "note: no browser could be started\n"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--since", "yesterday"), 2),
        (("--out", "{vault}/x.html"), 5),
        (("--out", "{vault}/../theirs.html"), 4),
    ],
)
def test_a_report_that_may_not_be_is_refused(vault, run, options, code):
    (vault.parent / "theirs.html").write_text("theirs", encoding="utf-8")
    asked = [each.replace("{vault}", str(vault)) for each in options]

    done = run("report", *asked, "--vault", vault)

    assert done.exit_code == code
    assert not (vault / "x.html").exists()
    assert (vault.parent / "theirs.html").read_text("utf-8") == "theirs"


def test_a_project_and_a_window_are_named_on_the_page(vault, run, saved):
    done = run("report", "--out", "-", "--project", "api", "--since", "7d", "--vault", vault)

    assert "Project <bdi>api</bdi>" in done.stdout
    assert "By day, since " in done.stdout


def test_a_canvas_is_printed(vault, run, saved):
    done = run("canvas", saved, "--vault", vault)

    assert done.exit_code == 0
    assert [edge["label"] for edge in json.loads(done.stdout)["edges"]] == ["supersedes"]


def test_a_canvas_in_the_vault_is_replaced_until_a_person_changes_it(vault, run, saved):
    file = vault / "chain.canvas"
    for _ in range(2):
        done = run("canvas", saved, "--out", file, "--vault", vault)
        assert (done.exit_code, done.stdout) == (0, f"written: {file} (2 memories)\n")
    whole = json.loads(file.read_text("utf-8"))
    whole["nodes"][1]["x"] += 40
    file.write_text(json.dumps(whole), encoding="utf-8")

    assert run("canvas", saved, "--out", file, "--vault", vault).exit_code == 4
    assert run("canvas", saved, "--out", file, "--force", "--vault", vault).exit_code == 0


@pytest.mark.parametrize(("name", "out", "code"), [("none", None, 3), ("x", "note.md", 2)])
def test_a_bad_canvas_is_an_error(vault, run, name, out, code):
    options = ("--out", vault / out) if out else ()

    assert run("canvas", name, *options, "--vault", vault).exit_code == code
    assert not (vault / "note.md").exists()
