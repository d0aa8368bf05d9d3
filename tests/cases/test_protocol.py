"""The server and the command line as programs: streams, sizes, places."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mnemos_files.cli.vault_choice import find_vault
from mnemos_files.errors import MnemosError
from mnemos_files.operations.table import OPERATIONS
from tests.cases.conftest import Build, Serve
from tests.cases.inputs import DEADLINE, command, data_of, folder_of
from tests.conftest import git

LIST_MAX = 24_000
"""Most characters of the core tools in the list, four for each of 6,000 tokens."""


def run_session(vault: Path, *options: str, **environment: str) -> tuple[list[dict], str]:
    """Answers and log of a server that gets a whole session at once."""
    done = subprocess.run(
        [sys.executable, "-m", "mnemos_files", *options, "serve", "--vault", str(vault)],
        input=(folder_of("c53") / "session.jsonl").read_bytes(),
        capture_output=True,
        check=True,
        env=os.environ | environment,
        timeout=DEADLINE,
    )
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").split("\n")[:-1]]
    return answers, done.stderr.decode("utf-8")


def test_a_session_leaves_only_json_rpc_on_stdout(vault: Path) -> None:
    """Case c53, at the most talkative level, on a console that lacks most letters."""
    answers, log = run_session(vault, "-vv", PYTHONIOENCODING="cp1252", PYTHONWARNINGS="always")

    assert {answer["jsonrpc"] for answer in answers} == {"2.0"}
    assert sorted(answer["id"] for answer in answers) == [1, 2, 3, 4, 5, 6]
    assert "Traceback" not in log
    assert git(vault, "log", "-1", "--format=%s") == "save(semantic): Řemeslník ✓ 東京\n"
    (file,) = (vault / "observations/global").iterdir()
    assert file.read_text("utf-8").endswith(
        "---\nCena: 1 200 Kč → zítra. 漢字 🚀 line\u2028separator\n"
    )


def test_the_log_of_a_session_holds_no_note_text(vault: Path) -> None:
    """Case c53."""
    answers, log = run_session(vault)
    by_id = {answer["id"]: answer["result"] for answer in answers}

    assert by_id[4]["structuredContent"]["results"][0]["title"] == "Řemeslník ✓ 東京"
    assert by_id[5]["isError"] is True
    assert by_id[6]["structuredContent"]["observations"] == 1
    for text in ("Cena", "Řemeslník", "emesln", "漢字", "zítra"):
        assert text not in log


def test_a_server_whose_reader_has_left_ends_quietly(vault: Path) -> None:
    """Case c53, outcome 4."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "mnemos_files", "serve", "--vault", str(vault)],
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    os.close(reader)

    _, log = process.communicate((folder_of("c53") / "session.jsonl").read_bytes(), DEADLINE)

    assert process.returncode == 0
    assert b"Traceback" not in log


def test_what_was_sent_before_the_end_of_input_is_saved_and_answered(
    vault: Path, serve: Serve
) -> None:
    """Case c34, outcome 3."""
    wire = serve(vault)
    for number in range(20):
        wire.start_call(
            "save", title=f"Survey point {number}", content=f"Bolt {number}.", type="semantic"
        )

    assert wire.close() == 0

    results = [json.loads(line)["result"] for line in wire.lines[1:]]
    assert len(results) == 20
    assert all(result["structuredContent"]["commit"] for result in results)
    assert git(vault, "rev-list", "--count", "HEAD") == "22\n"
    assert git(vault, "status", "--porcelain") == ""


def test_the_list_of_tools_suits_every_client(vault: Path, serve: Serve, tmp_path: Path) -> None:
    """Case c57. It proposes 6,000 characters for the list; 6,000 tokens hold for the core tools."""
    wire = serve(vault)
    tools = wire.request("tools/list")["result"]["tools"]
    assert wire.close() == 0
    listing = tmp_path / "tools.json"
    listing.write_text(json.dumps({"tools": tools}), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, folder_of("c57") / "check_tools.py", listing, "mnemos", "mnemos-files"],
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=DEADLINE,
    )

    faults = [line for line in done.stdout.splitlines() if not line.startswith("list is ")]
    assert faults in ([], ["ok"])
    names = {f"mnemos_{row.name}" for row in OPERATIONS if row.toolset == "core"}
    core = [tool for tool in tools if tool["name"] in names]
    weight = len(json.dumps(core, ensure_ascii=False, separators=(",", ":")))
    assert weight < LIST_MAX
    hints = {tool["name"]: tool["annotations"] for tool in tools}
    assert {name for name, hint in hints.items() if hint["readOnlyHint"]} >= {
        "mnemos_search",
        "mnemos_get",
        "mnemos_stats",
    }
    assert hints["mnemos_delete"]["destructiveHint"] is True
    assert hints["mnemos_save"]["readOnlyHint"] is False


FORMS = data_of("c77", "forms.json")


@pytest.mark.parametrize("form", FORMS, ids=[form["vault"] or "empty" for form in FORMS])
def test_a_vault_is_found_in_every_form_or_refused_in_a_sentence(
    build: Build, monkeypatch: pytest.MonkeyPatch, form: dict
) -> None:
    """Case c77."""
    root = build("c77", "place")
    before = sorted(root.rglob("*"))
    if "home" in form:
        monkeypatch.setenv("HOME", form["home"].replace("{D}", str(root)))
    given = form["vault"].replace("{D}", str(root))
    cwd = Path(form["cwd"].replace("{D}", str(root)))

    found = outcome(given, cwd)

    if isinstance(found, MnemosError):
        assert "error" in form["want"]
        assert "\n" not in found.message
        assert found.remedy
    else:
        assert "ok" in form["want"]
        assert found.is_absolute()
        assert found.parent == root
        assert find_vault(None, {"MNEMOS_VAULT": given}, cwd) == found
    assert sorted(root.rglob("*")) == before


def outcome(given: str, cwd: Path) -> Path | MnemosError:
    try:
        return find_vault(given, os.environ, cwd)
    except MnemosError as error:
        return error


@pytest.mark.parametrize("given", ["{D}/missing/deep", "{D}/vault/a.md", "${workspaceFolder}/x"])
def test_a_place_that_is_no_vault_ends_the_command_with_a_sentence(
    build: Build, given: str
) -> None:
    """Case c77."""
    root = build("c77", "place")

    done = command("status", "--vault", given.replace("{D}", str(root)), cwd=root)

    assert done.returncode not in (0, 1)
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in root.iterdir()) == ["Vült", "vault", "vault with space"]


def test_a_command_gives_the_same_from_inside_and_from_elsewhere(build: Build) -> None:
    """Case c77."""
    vault = build("c77", "place") / "vault with space"
    saved = command("save", "Tide", "It turns at nine.", "--type", "semantic", "--vault", vault)
    assert saved.returncode == 0, saved.stderr

    inside = command("search", "tide turns", cwd=vault / ".mnemos")
    elsewhere = command("search", "tide turns", "--vault", vault, cwd=Path("/"))

    assert inside.returncode == elsewhere.returncode == 0
    assert json.loads(inside.stdout) == json.loads(elsewhere.stdout)
    assert json.loads(inside.stdout)["results"][0]["title"] == "Tide"


def test_a_server_starts_without_a_search_path_and_a_home(vault: Path) -> None:
    """Case c77: HOME is not set at all."""
    environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "PATH")}

    done = subprocess.run(
        [sys.executable, "-m", "mnemos_files", "serve", "--vault", str(vault)],
        input=(folder_of("c53") / "session.jsonl").read_bytes(),
        capture_output=True,
        check=True,
        cwd="/",
        env=environment,
        timeout=DEADLINE,
    )

    answers = map(json.loads, done.stdout.decode("utf-8").split("\n")[:-1])
    (stats,) = (answer["result"] for answer in answers if answer["id"] == 6)
    assert stats["structuredContent"]["vault"] == str(vault)
    assert git(vault, "rev-list", "--count", "HEAD") == "3\n"
