"""A person edits the files of memories: the next answer tells, with a server and without one."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest
from click.testing import CliRunner

from mnemos_files.cli.main import commands
from tests.conftest import git
from tests.wire import Wire, serving

POSITIONAL = {
    "save": ("title", "content"),
    "search": ("query",),
    "get": ("id",),
    "skill_save": ("name", "description", "procedure"),
    "skill_match": ("query",),
}


class Door(Protocol):
    """A way to ask the vault."""

    def call(self, tool: str, **arguments: object) -> dict:
        """What a call gives that succeeds."""

    def fail(self, tool: str, **arguments: object) -> str:
        """What is said of one that does not."""


class Shell:
    """Commands, each with a store of its own and no server."""

    def __init__(self, vault: Path) -> None:
        self._vault = vault

    def call(self, tool: str, **arguments: object) -> dict:
        result = self._run(tool, arguments)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    def fail(self, tool: str, **arguments: object) -> str:
        result = self._run(tool, arguments)
        assert result.exit_code != 0
        return result.stderr

    def _run(self, tool: str, arguments: Mapping[str, object]):
        places = POSITIONAL.get(tool, ())
        line = [tool.replace("_", "-"), *(str(arguments[name]) for name in places)]
        for name, value in arguments.items():
            if name not in places:
                option = f"--{name.replace('_', '-')}"
                line += [option] if value is True else [option, *_texts(value)]
        return CliRunner().invoke(commands, [*line, "--vault", str(self._vault), "--json"])


def _texts(value: object) -> list[str]:
    return [",".join(value)] if isinstance(value, list) else [str(value)]


@pytest.fixture(params=["server", "no server"])
def door(request, vault: Path) -> Iterator[Door]:
    if request.param == "no server":
        yield Shell(vault)
        return
    wire: Wire = serving(vault)
    yield wire
    wire.close()


def remembered(door: Door, content: str, **arguments: object) -> dict:
    fields = {"title": content.partition(".")[0], "type": "decision"} | arguments
    return door.call("save", content=content, **fields)


def paths(door: Door, query: str, **arguments: object) -> list[str]:
    return [hit["path"] for hit in door.call("search", query=query, **arguments)["results"]]


def change(vault: Path, path: str, old: str, new: str) -> None:
    """Another text in a file, as an editor writes it: under another name, then over it."""
    file = vault / path
    text = file.read_text("utf-8")
    assert old in text
    draft = file.with_name(f".{file.name}.tmp")
    draft.write_text(text.replace(old, new, 1), encoding="utf-8")
    draft.replace(file)


def test_a_file_that_was_renamed(door: Door, vault: Path) -> None:
    walls = remembered(door, "Walls are painted white.")
    other = remembered(door, f"Doors too. See [[{Path(walls['path']).stem}]].")
    new = f"{Path(walls['path']).parent}/walls-{walls['id'][-6:].lower()}.md"

    (vault / walls["path"]).rename(vault / new)

    assert paths(door, "walls painted white")[0] == new
    assert door.call("get", id=walls["id"])["path"] == new
    assert [one["path"] for one in door.call("get", id=new)["backlinks"]] == [other["path"]]
    assert door.call("get", id=walls["path"])["path"] == new  # by the end of its id


def test_a_file_that_was_moved(door: Door, vault: Path) -> None:
    walls = remembered(door, "Walls are painted white.", project="house")

    (vault / "Building/Inside").mkdir(parents=True)
    new = f"Building/Inside/{Path(walls['path']).name}"
    (vault / walls["path"]).rename(vault / new)

    assert paths(door, "walls painted white", project="house") == [new]
    assert door.call("get", id=walls["id"])["path"] == new


def test_two_memories_that_were_merged_into_one(door: Door, vault: Path) -> None:
    walls, floors = remembered(door, "Walls are white."), remembered(door, "Floors are oak.")

    with (vault / walls["path"]).open("a", encoding="utf-8") as file:
        file.write("\nFloors are oak, oiled.\n")
    (vault / floors["path"]).unlink()

    assert paths(door, "oak floors") == [walls["path"]]
    assert door.call("get", id=walls["id"])["content"].endswith("Floors are oak, oiled.")
    assert "no note is called" in door.fail("get", id=floors["id"])


def test_a_memory_that_was_split_in_two(door: Door, vault: Path) -> None:
    both = remembered(door, "Walls are white.\n\nFloors are oak.", title="Rooms")

    change(vault, both["path"], "\n\nFloors are oak.", "")
    floors = "observations/floors.md"
    (vault / floors).write_text("---\ntype: decision\n---\nFloors are oak.\n", encoding="utf-8")

    assert paths(door, "oak floors", type="decision") == [floors]
    assert paths(door, "white walls") == [both["path"]]
    assert door.call("get", id=both["id"])["content"] == "Walls are white."


def test_a_memory_that_was_deleted(door: Door, vault: Path) -> None:
    walls = remembered(door, "Walls are painted white.")

    (vault / walls["path"]).unlink()

    assert paths(door, "walls painted white") == []
    assert "no note is called" in door.fail("get", id=walls["id"])


@pytest.mark.parametrize(
    ("change_of", "before", "after"),
    [
        (("type: decision", "type: preference"), {"type": "decision"}, {"type": "preference"}),
        (("project: house", "project: barn"), {"project": "house"}, {"project": "barn"}),
        (("  - paint\n", "  - colour\n"), {"tags": ["paint"]}, {"tags": ["colour"]}),
        (("importance: 5", "importance: 3"), {"min_importance": 5}, {"min_importance": 3}),
        (("agent: default", "agent: codex"), {"agent_id": "default"}, {"agent_id": "codex"}),
    ],
    ids=["type", "project", "tags", "importance", "agent"],
)
def test_a_property_that_was_changed(
    door: Door, vault: Path, change_of: tuple[str, str], before: dict, after: dict
) -> None:
    walls = remembered(
        *(door, "They are painted white."),
        title="Walls",
        project="house",
        tags=["paint"],
        agent_id="default",
    )
    assert paths(door, "painted white", **before) == [walls["path"]]

    change(vault, walls["path"], *change_of)

    assert paths(door, "painted white", **after) == [walls["path"]]
    assert paths(door, "painted white", **before) == []


def test_a_title_that_was_changed(door: Door, vault: Path) -> None:
    walls = remembered(door, "They are painted white.", title="Walls")

    change(vault, walls["path"], "title: Walls", "title: Fences")

    assert paths(door, "fences") == [walls["path"]]
    assert door.call("get", id=walls["id"])["title"] == "Fences"


def test_a_skill_that_was_edited(door: Door, vault: Path) -> None:
    saved = door.call(
        "skill_save", name="Paint a wall", description="Walls indoors.", procedure="1. Prime it."
    )

    change(vault, saved["path"], "1. Prime it.", "1. Sand it, then prime it.")

    (skill,) = door.call("skill_match", query="paint a wall")["matches"]
    assert (skill["procedure"], skill["version"]) == ("1. Sand it, then prime it.", 2)


def test_a_candidate_that_was_judged(door: Door, vault: Path) -> None:
    (vault / "ruminations").mkdir()
    path = "ruminations/stale-raw-0123456789ab.md"
    (vault / path).write_text(
        "---\nid: rumination-0123456789ab\ntype: rumination\ntitle: Stale\nmonitor: stale-raw\n"
        "target: '[[x]]'\ntarget_id: x\ntarget_kind: observation\nseverity: low\n"
        "reason: old\nevidence: '1'\nstatus: pending\n---\nDoes it hold?\n",
        encoding="utf-8",
    )
    assert len(door.call("ruminate_list")["candidates"]) == 1

    change(vault, path, "status: pending", "status: dismissed")

    listed = door.call("ruminate_list")
    assert (listed["candidates"], listed["counts"]["dismissed"]) == ([], 1)


def test_a_quarantined_memory_that_was_promoted(door: Door, vault: Path) -> None:
    walls = remembered(door, "Walls are painted white.", source_kind="tool")
    assert paths(door, "walls painted white") == []

    change(vault, walls["path"], "trust_tier: raw", "trust_tier: curated")

    assert paths(door, "walls painted white") == [walls["path"]]


def test_a_memory_that_was_superseded_and_taken_back(door: Door, vault: Path) -> None:
    white, blue = remembered(door, "Walls are white."), remembered(door, "Walls are blue.")
    line = f'supersedes: "[[{Path(white["path"]).stem}]]"\n'
    before = (vault / white["path"]).read_bytes()

    change(vault, blue["path"], "type: decision\n", f"type: decision\n{line}")

    assert paths(door, "colour of the walls") == [blue["path"]]
    stale = door.call("search", query="white walls", include_stale=True)["results"]
    assert {hit["path"]: hit.get("invalidated_by") for hit in stale} == {
        white["path"]: blue["id"],
        blue["path"]: None,
    }
    told = door.call("get", id=white["id"])
    assert (told["live"], told["invalidated_by"]) == (False, blue["id"])
    assert "Walls are white." not in json.dumps(door.call("context", query="colour of the walls"))
    assert (vault / white["path"]).read_bytes() == before

    change(vault, blue["path"], line, "")

    assert sorted(paths(door, "colour of the walls")) == sorted([white["path"], blue["path"]])
    assert door.call("get", id=white["id"])["live"]


def test_a_memory_that_was_ended_by_its_own_property(door: Door, vault: Path) -> None:
    walls = remembered(door, "Walls are painted white.")

    change(vault, walls["path"], "type: decision\n", "type: decision\ninvalidated: 2020-01-01\n")

    assert paths(door, "walls painted white") == []
    change(vault, walls["path"], "invalidated: 2020-01-01\n", "")
    assert paths(door, "walls painted white") == [walls["path"]]


def test_a_note_that_was_made_a_memory(door: Door, vault: Path) -> None:
    (vault / "Paint.md").write_text("Walls are painted white.\n", encoding="utf-8")
    assert paths(door, "walls painted white", type="convention") == []

    (vault / "conventions").mkdir()
    (vault / "Paint.md").rename(vault / "conventions/Paint.md")
    change(vault, "conventions/Paint.md", "Walls", "---\ntype: convention\n---\nWalls")

    assert paths(door, "walls painted white", type="convention") == ["conventions/Paint.md"]


def test_what_a_person_wrote_outlives_the_writes_of_agents(door: Door, vault: Path) -> None:
    walls = remembered(door, "Walls are painted white.")
    change(
        vault,
        walls["path"],
        "importance: 5\n",
        "# mine\nimportance: 9\nmood: 'calm'\nsupersedes:\n- \"[[Never written]]\"\n",
    )
    change(vault, walls["path"], "white.", "white, twice.")
    mine = (vault / walls["path"]).read_text("utf-8")

    new = remembered(door, "Walls are painted blue.", supersedes=[walls["id"]])

    now = (vault / walls["path"]).read_text("utf-8")
    kept = [line for line in now.splitlines() if not line.startswith(("invalidated", "valid_"))]
    assert kept == mine.splitlines()
    subjects = git(vault, "log", "-2", "--format=%s|%an", "--", walls["path"]).splitlines()
    assert subjects[0].startswith("save(decision)")
    assert subjects[1].endswith("|Ines Example")
    assert paths(door, "walls painted") == [new["path"]]
