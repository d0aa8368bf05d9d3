"""The real server on a real vault: cases c53, c55, c57, c59, c77 and c79."""

import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mnemos_files.operations.table import OPERATIONS
from mnemos_files.server.tools import Toolbox
from tests.conftest import git
from tests.wire import Wire, serving

STRANGE = "Řemeslník ✓ 東京"
CONTENT = "Cena: 1 200 Kč → zítra. ０１号 🚀 line\u2028separator"
CASES = Path(__file__).parents[1] / "cases"


def test_only_json_rpc_reaches_stdout(vault: Path):
    wire = Wire(
        "-vv", "serve", "--vault", str(vault), PYTHONIOENCODING="cp1252", PYTHONWARNINGS="always"
    )
    wire.initialize()

    saved = wire.call("save", title=STRANGE, content=CONTENT, type="semantic")
    found = wire.call("search", query="řemeslník")
    got = wire.call("get", id=saved["id"])
    error = wire.fail("get", id="no-such-note")
    wire.call("stats")

    assert wire.close() == 0
    assert {json.loads(line)["jsonrpc"] for line in wire.lines} == {"2.0"}
    assert got["title"] == STRANGE
    assert got["content"] == CONTENT.replace("\u2028", "\n")  # shown, not stored, as a line end
    assert found["results"][0]["id"] == saved["id"]
    assert error.startswith("not_found: no note is called 'no-such-note'.")


def test_the_log_holds_no_note_text_at_the_default_level(vault: Path):
    wire = serving(vault)

    wire.call("save", title="Geheimnis", content="Kennwort 4711", type="semantic")
    wire.call("search", query="Kennwort")

    assert wire.close() == 0
    assert b"Geheimnis" not in b"".join(wire.log)
    assert b"4711" not in b"".join(wire.log)


def test_tool_names_and_schemas_suit_every_client(tmp_path: Path):
    tools = [
        tool.model_dump(by_alias=True, exclude_none=True)
        for tool in Toolbox(OPERATIONS, lambda: None).listing()
    ]
    listing = tmp_path / "tools.json"
    listing.write_text(json.dumps({"tools": tools}), encoding="utf-8")
    script = CASES / "c57-tool-list" / "check_tools.py"

    done = subprocess.run(
        [sys.executable, str(script), str(listing), "mnemos", "mnemos-files"],
        capture_output=True,
        text=True,
        check=False,
    )

    # The size is measured apart: the proposal counts a list without output schemas.
    lines = [line for line in done.stdout.splitlines() if not line.startswith("list is")]
    assert [line for line in lines if line != "ok"] == []


def test_every_parameter_of_every_tool_is_described():
    tools = Toolbox(OPERATIONS, lambda: None).listing()
    bare = [
        (tool.name, name)
        for tool in tools
        for name, schema in tool.input_schema["properties"].items()
        if not schema["description"]
    ]

    assert bare == []


def test_reading_tools_say_so_and_delete_says_that_it_destroys():
    hints = {
        tool.name.removeprefix("mnemos_"): tool.annotations
        for tool in Toolbox(OPERATIONS, lambda: None).listing()
    }

    reading = {name for name, hint in hints.items() if hint.read_only_hint}
    assert reading == {
        *("search", "get", "stats", "context", "premortem", "skill_match", "skill_score"),
        *("ruminate_list", "ruminate_pack", "history", "provenance", "changes"),
    }
    assert {name for name, hint in hints.items() if hint.destructive_hint} == {
        *("delete", "edit", "restore")
    }


def test_a_long_note_is_read_in_pages_that_give_the_whole_text(vault: Path):
    big = "".join(f"Line {i}: the cable drum {i % 97} was checked ✓\n" for i in range(3_000))
    (vault / "big.md").write_text(big, encoding="utf-8")
    wire = serving(vault)
    pages = []
    offset: int | None = 0

    while offset is not None:
        got = wire.call("get", id="big.md", offset=offset)
        pages.append(got["content"])
        offset = got.get("next_offset")

    assert wire.close() == 0
    assert len(pages) > 5
    whole = "".join(pages).encode()
    assert hashlib.sha256(whole).hexdigest() == hashlib.sha256(big.encode()).hexdigest()
    assert max(len(line.decode()) for line in wire.lines[1:]) <= 20_500


def test_a_single_long_line_is_read_in_pages_too(vault: Path):
    one = "mooring " * 10_000
    (vault / "oneline.md").write_text(one, encoding="utf-8")
    wire = serving(vault)

    first = wire.call("get", id="oneline.md")
    second = wire.call("get", id="oneline.md", offset=first["next_offset"])

    assert wire.close() == 0
    assert first["total_chars"] == 80_000
    assert (first["content"] + second["content"]) == one[: len(first["content"]) * 2]


def test_many_hits_come_in_pages_that_do_not_repeat(vault: Path):
    (vault / "many").mkdir()
    for number in range(300):
        text = f"cable {number} runs to box {number % 50}\n"
        (vault / "many" / f"{number:04d}.md").write_text(text, encoding="utf-8")
    wire = serving(vault)
    while wire.call("stats")["index"]["pending"]:
        pass
    seen: list[str] = []
    offset = 0

    for _ in range(20):
        answer = wire.call("search", query="cable", limit=10, offset=offset)
        seen += [hit["path"] for hit in answer["results"]]
        offset = answer["next_offset"]

    assert wire.close() == 0
    assert answer["total"] == 300
    assert len(seen) == len(set(seen)) == 200
    assert max(len(line.decode()) for line in wire.lines[1:]) <= 20_500


def test_tools_are_listed_before_a_large_vault_is_read(vault: Path):
    for number in range(1_000):
        folder = vault / f"y{number % 10}"
        folder.mkdir(exist_ok=True)
        text = f"Unique marker m{number:05d}x.\n\n" + "quay crane rope pump valve\n" * 20
        (folder / f"{number:05d}.md").write_text(text, encoding="utf-8")
    wire = serving(vault)

    tools = wire.request("tools/list")["result"]["tools"]
    got = wire.call("get", id="y7/00007.md")

    assert len(tools) == len(OPERATIONS)
    assert got["content"].startswith("Unique marker m00007x.")
    begin = time.monotonic()
    assert wire.close() == 0
    assert time.monotonic() - begin < 2


def test_calls_of_one_turn_are_all_answered_and_all_kept(vault: Path):
    wire = serving(vault)

    saves = [
        wire.start_call(
            "save", title=f"Berth {n}", content=f"Berth {n} has a blue ladder.", type="semantic"
        )
        for n in range(8)
    ]
    searches = [wire.start_call("search", query="blue ladder") for _ in range(4)]
    answers = {number: wire.wait(number)["result"] for number in saves + searches}

    assert not [answer for answer in answers.values() if answer.get("isError")]
    assert [answers[number]["structuredContent"]["total"] for number in searches] == [8] * 4
    assert wire.close() == 0
    assert git(vault, "status", "--porcelain") == ""
    assert git(vault, "rev-list", "--count", "HEAD") == "10\n"  # the start, the settings, 8 saves
    git(vault, "fsck", "--strict")


def test_a_folder_that_was_never_initialised_is_changed_by_the_first_write_only(tmp_path: Path):
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "note.md").write_text("the tide turns at nine\n", encoding="utf-8")
    wire = serving(folder)

    found = wire.call("search", query="tide")
    before = sorted(path.name for path in folder.iterdir())
    wire.call("save", title="Tide", content="It turned at ten.", type="semantic")

    assert wire.close() == 0
    assert [hit["path"] for hit in found["results"]] == ["note.md"]
    assert before == ["note.md"]
    assert (folder / ".git").is_dir()
    assert (folder / ".mnemos" / "config.toml").is_file()


@pytest.mark.parametrize("name", ["vault with space", "Vült"])
def test_a_vault_of_any_name_is_served(tmp_path: Path, name: str):
    folder = tmp_path / name
    folder.mkdir()
    wire = serving(folder)

    stats = wire.call("stats")

    assert wire.close() == 0
    assert stats["vault"] == str(folder)


def test_a_server_starts_without_path_and_home(vault: Path):
    wire = Wire("serve", "--vault", str(vault), PATH="", HOME="")

    wire.initialize()
    wire.call("save", title="x", content="y", type="semantic")

    assert wire.close() == 0
    assert not list(vault.glob("~*"))


@pytest.mark.parametrize("given", ["", "${workspaceFolder}/vault", "missing/deep", "Home.md"])
def test_a_vault_that_cannot_be_ends_the_server_with_a_sentence(vault: Path, given: str):
    done = subprocess.run(
        [sys.executable, "-m", "mnemos_files", "serve", "--vault", given],
        cwd=vault,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode in (2, 75)
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in vault.iterdir()) == [".git", "Home.md"]
