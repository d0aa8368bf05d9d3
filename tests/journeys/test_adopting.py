"""A vault of years is adopted: not a byte of it changes, and all of it is found."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mnemos_files.cli.main import commands
from mnemos_files.model.query import Query
from mnemos_files.operations.reading import get, search
from mnemos_files.store.store import Store
from tests.benchmarks import foreign
from tests.conftest import OpenStore, git
from tests.wire import serving

NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen"),
)
Vault = tuple[Path, foreign.Foreign]


def digests(root: Path, made: foreign.Foreign) -> dict[str, str]:
    return {path: hashlib.sha256((root / path).read_bytes()).hexdigest() for path in made.files}


def command(*arguments: object) -> dict:
    result = CliRunner().invoke(commands, [*map(str, arguments), "--json"])
    assert result.exit_code in (0, 1), result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def adopted(tmp_path: Path) -> Vault:
    """A foreign vault, committed by its owner, after `init`."""
    root, made = tmp_path / "notes", foreign.make(250)
    made.write(root)
    git(tmp_path, "init", "-q", "-b", "main", str(root))
    git(root, "config", "user.name", "Ines Example")
    git(root, "config", "user.email", "ines@example.org")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "vault backup")
    before = digests(root, made)
    told = command("init", root)
    assert digests(root, made) == before
    assert git(root, "status", "--porcelain") == ""
    in_commit = git(root, "show", "--name-only", "-z", "--format=", "HEAD").strip("\0").split("\0")
    assert sorted(in_commit) == sorted(told["added"])
    assert not set(told["added"]) & set(made.files)
    return root, made


@pytest.fixture
def store(adopted: Vault, open_vault: OpenStore) -> Iterator[Store]:
    store = open_vault(adopted[0])
    store.finish()
    return store


def paths(store: Store, query: str, **options: object) -> list[str]:
    return [hit.path for hit in search(store, query=query, **options).results]


def test_what_is_there_already_is_left_and_told(tmp_path: Path) -> None:
    root, made = tmp_path / "notes", foreign.make(40)
    made.write(root)
    before = digests(root, made)

    told = command("init", root)

    assert digests(root, made) == before
    assert ".gitignore" not in told["added"]
    assert {".obsidian/graph.json", "Memories.base", "Templates/decision.md"} <= set(told["added"])
    assert any(one.startswith(".gitignore is yours and stays as it is") for one in told["notices"])
    assert any("*.md -text" in one for one in told["notices"])
    assert command("init", root)["added"] == []


def test_a_folder_that_would_be_the_same_on_some_systems_is_told(tmp_path: Path) -> None:
    (tmp_path / "Skills").mkdir()
    (tmp_path / "Skills/Juggling.md").write_text("three balls\n", encoding="utf-8")

    told = command("init", tmp_path)

    assert "skills/.gitkeep" not in told["added"]
    assert any("a folder 'Skills' exists" in notice for notice in told["notices"])


def test_every_note_is_in_the_index_and_no_other_file(store: Store, adopted: Vault) -> None:
    ours = {"Home.md"}
    listed = {path for path in store.index.entries if path not in ours}

    assert listed == set(adopted[1].notes) - ours
    assert all(not entry.is_ours for entry in store.index.entries.values())


def test_notes_of_every_odd_kind_are_found(store: Store, adopted: Vault) -> None:
    assert len(adopted[1].special) == len(NUMBERS)
    for number, path in zip(NUMBERS, adopted[1].special.values(), strict=True):
        expected = [] if path.endswith("Latin.md") else [path]
        assert paths(store, f"wombat{number}")[:1] == expected


@pytest.mark.parametrize("word", ["wombatgone", "wombatcode"])
def test_what_obsidian_keeps_apart_is_not_found(store: Store, word: str) -> None:
    assert paths(store, word) == []


def test_each_alias_leads_to_its_note(store: Store, adopted: Vault) -> None:
    for alias, path in adopted[1].aliases.items():
        assert get(store, id=alias).path == path
        assert get(store, id=f"[[{alias.upper()}|shown]]").path == path


def test_links_of_every_form_lead_to_their_notes(store: Store, adopted: Vault) -> None:
    for hub, path in adopted[1].links:
        backlinks = [(one.type, one.path) for one in get(store, id=path).backlinks]
        assert ("mentions", hub) in backlinks, path


def test_a_name_that_several_notes_have_is_ambiguous_and_its_path_is_not(store: Store) -> None:
    assert len(store.resolve("Spoke Three")) == 2
    assert store.resolve("deep/spoke three") == ("Links/Deep/Spoke Three.md",)


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("Spoke One#Plan", "# Plan\n\nwombatplan"),
        ("[[spoke two#^here]]", "second wombathere ^here"),
        ("Links/SPOKE TWO.md#^here", "second wombathere ^here"),
    ],
)
def test_a_heading_or_block_is_where_the_text_begins(
    store: Store, name: str, beginning: str
) -> None:
    assert get(store, id=name).content.startswith(beginning)


def test_a_heading_that_is_not_there_is_told(store: Store) -> None:
    answer = get(store, id="Spoke One#Nothing")

    assert answer.content.startswith("# Plan")
    assert any("no heading or block #Nothing" in notice for notice in answer.notices)


def test_tags_of_front_matter_and_text_are_found_and_those_below_them_on_request(
    store: Store, adopted: Vault
) -> None:
    tagged = adopted[1].tagged
    for tag in (*tagged, "project", "area"):
        exact = store.index.select(_query(store, tag), order="created", limit=1_000)
        below = store.index.select(_query(store, f"{tag}/"), order="created", limit=1_000)
        inside = {
            path for name in tagged if f"{name}/".startswith(f"{tag}/") for path in tagged[name]
        }
        assert {str(entry.path) for entry in exact} == tagged.get(tag, set()), tag
        assert {str(entry.path) for entry in below} == inside, tag


def _query(store: Store, tag: str) -> Query:
    return Query(text="", now=store.now(), tags=(tag,))


def test_check_tells_of_links_of_foreign_notes_on_request_only(adopted: Vault) -> None:
    root = adopted[0]

    plain = command("check", "--vault", root)["problems"]
    asked = command("check", "--foreign", "--vault", root)["problems"]

    assert not {"broken-link", "ambiguous-link"} & {one["rule"] for one in plain}
    found = {(one["path"], one["rule"]) for one in asked}
    assert any(rule == "broken-link" for _, rule in found)
    assert any(rule == "ambiguous-link" for _, rule in found)
    assert not [one for one in found if one == ("Links/Hub.md", "broken-link")]


def test_a_day_of_work_changes_no_foreign_file(adopted: Vault) -> None:
    root, made = adopted
    before = digests(root, made)
    wire = serving(root)

    started = wire.call("session_start", goal="Look around", project="atlas")
    noted = wire.call(
        "save",
        title="Garden plan",
        content="See [[Nickname]] and [[Spoke One#Plan]].",
        type="context",
        session_id=started["session_id"],
    )
    wire.call("context", query="garden")
    assert "a person's own note" in wire.fail(
        "link", source_id="Home.md", target_id=noted["id"], link_type="related"
    )
    assert wire.call("get", id="Nickname")["path"] == "Links/Named.md"
    assert [one["path"] for one in wire.call("get", id="Spoke One")["backlinks"]] == [
        "Links/Hub.md",
        noted["path"],
    ]
    wire.call("session_end", session_id=started["session_id"], summary="Looked.")
    wire.close()

    assert digests(root, made) == before
    assert git(root, "status", "--porcelain") == ""
