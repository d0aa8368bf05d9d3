"""A supersession as JSON Canvas 1.0."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import InvalidQueryError, NotFoundError
from mnemos_files.report.canvas import (
    NODES_MAX,
    Chain,
    canvas,
    chain,
    folder_in_obsidian,
    is_untouched,
)
from mnemos_files.report.relations import KINDS, Relation
from mnemos_files.store.store import Store
from tests.conftest import Clock
from tests.report.vaults import save

SIDES = {"top", "right", "bottom", "left"}
NODE_KEYS = {"id", "type", "x", "y", "width", "height", "color"}
EDGE_KEYS = {"id", "fromNode", "fromSide", "toNode", "toSide", "label"}


def checked(text: str) -> dict:
    """The canvas, when it keeps the rules of the format (jsoncanvas.org/spec/1.0)."""
    whole = json.loads(text)
    assert set(whole) == {"nodes", "edges"}
    ids = [each["id"] for each in (*whole["nodes"], *whole["edges"])]
    assert len(ids) == len(set(ids))
    for node in whole["nodes"]:
        own = {"file": {"file"}, "text": {"text"}}[node["type"]]
        assert NODE_KEYS - {"color"} <= set(node) - own <= NODE_KEYS
        assert all(type(node[key]) is int for key in ("x", "y", "width", "height"))
        assert node.get("color", "1") in {"1", "2", "3", "4", "5", "6"}
    nodes = {node["id"] for node in whole["nodes"]}
    for edge in whole["edges"]:
        assert set(edge) == EDGE_KEYS
        assert {edge["fromSide"], edge["toSide"]} <= SIDES
        assert {edge["fromNode"], edge["toNode"]} <= nodes
    return whole


def files(whole: dict) -> list[dict]:
    return [node for node in whole["nodes"] if node["type"] == "file"]


@pytest.fixture
def paths(store: Store, clock: Clock) -> list[str]:
    """Three that replaced each other, one that refines the last, one that only relates to it."""
    old = save(store, clock, "Use bcrypt", content="Twelve rounds.")
    mid = save(store, clock, "Use scrypt", content="N is 2^15.", supersedes=[old.id])
    new = save(store, clock, "Use Argon2id", content="64 MiB.", supersedes=[mid.id])
    fine = save(store, clock, "Argon2id with 3 passes", content="t = 3.", trust_tier="raw")
    side = save(store, clock, "Passwords are long", content="At least 14.")
    store.link(fine.id, new.id, "refines")
    store.link(side.id, new.id, "related")
    store.link(new.id, old.id, "contradicts")
    return [store.index.by_id(one.id)[0] for one in (old, mid, new, fine)]


def test_a_supersession_runs_from_left_to_right(store: Store, paths: list[str]) -> None:
    whole = checked(canvas(chain(store, paths[1])))

    shown = files(whole)
    assert [node["file"] for node in shown] == paths
    assert [(node["x"], node["y"]) for node in shown] == [(0, 0), (520, 0), (1040, 0), (1560, 0)]
    assert [node["color"] for node in shown] == ["1", "1", "4", "3"]
    named = {node["id"]: node["file"] for node in shown}
    assert [
        (named[edge["fromNode"]], edge["label"], named[edge["toNode"]]) for edge in whole["edges"]
    ] == [
        *sorted([(paths[1], "supersedes", paths[0]), (paths[2], "supersedes", paths[1])]),
        (paths[3], "refines", paths[2]),
        (paths[2], "contradicts", paths[0]),
    ]


def test_any_memory_of_it_gives_the_same_canvas(store: Store, paths: list[str]) -> None:
    assert len({canvas(chain(store, path)) for path in paths}) == 1


def test_a_memory_alone_is_a_canvas_of_one(store: Store, clock: Clock) -> None:
    one = save(store, clock, "Alone", content="x")

    whole = checked(canvas(chain(store, one.id)))

    assert len(files(whole)) == 1
    assert whole["nodes"][0]["text"].startswith("One memory; it replaces none")


def test_two_that_replace_the_same_one_have_rows_of_their_own() -> None:
    links = [Relation(new, "a", "supersedes") for new in "bc"]

    whole = checked(canvas(Chain(("a", "b", "c"), tuple(links), dict.fromkeys("abc", "4"))))

    assert [node["y"] for node in files(whole)] == [0, 0, 440]


def test_a_long_supersession_is_cut_around_the_one_asked_for(store: Store, clock: Clock) -> None:
    lines = "---\ntype: decision\ntitle: T\ncreated: 2026-01-01T00:{1:02}:{2:02}Z\n"
    folder = store.place.vault.root / "observations"
    folder.mkdir()
    for number in range(NODES_MAX + 30):
        text = lines.format(number, *divmod(number, 60))
        text += f'supersedes: ["[[n{number - 1:03}]]"]\n' if number else ""
        (folder / f"n{number:03}.md").write_text(f"{text}---\nx\n", encoding="utf-8")

    found = chain(store, "observations/n129.md")

    assert len(found.paths) == NODES_MAX
    assert found.paths[-1] == "observations/n129.md"
    assert found.left_out == 30
    assert "30 more are left out." in canvas(found)


def test_what_is_no_memory_has_no_canvas(store: Store) -> None:
    with pytest.raises(InvalidQueryError, match=r"Home\.md is no memory"):
        chain(store, "Home.md")
    with pytest.raises(NotFoundError):
        chain(store, "nothing")


def test_a_canvas_that_obsidian_wrote_again_is_still_ours(store: Store, paths: list[str]) -> None:
    whole = json.loads(canvas(chain(store, paths[0])))
    again = {
        "edges": whole["edges"][::-1],
        "nodes": [dict(reversed(node.items())) for node in whole["nodes"][::-1]],
    }

    assert is_untouched(json.dumps(again).encode())


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: whole["nodes"][1].update(x=7),
        lambda whole: whole["edges"].pop(),
        lambda whole: whole["nodes"].append(
            {"id": "mine", "type": "text", "text": "a", "x": 0, "y": 0, "width": 1, "height": 1}
        ),
        lambda whole: whole["nodes"].pop(0),
    ],
    ids=["moved", "edge gone", "node added", "note gone"],
)
def test_a_canvas_that_a_person_changed_is_not_ours(store: Store, paths: list[str], change) -> None:
    whole = json.loads(canvas(chain(store, paths[0])))
    change(whole)

    assert not is_untouched(json.dumps(whole).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"nodes": 3, "edges": 4}', b"\xff", b"null"])
def test_other_files_are_not_ours(data: bytes) -> None:
    assert not is_untouched(data)


def test_paths_are_those_of_the_folder_that_obsidian_opens(tmp_path) -> None:
    (tmp_path / ".obsidian").mkdir()
    inner = tmp_path / "docs" / "memory"
    inner.mkdir(parents=True)

    assert folder_in_obsidian(tmp_path) == ""
    assert folder_in_obsidian(inner) == "docs/memory"
    found = Chain(("a/b.md",), (), {"a/b.md": "4"})
    assert files(checked(canvas(found, "docs/memory")))[0]["file"] == "docs/memory/a/b.md"


NAMES = [f"m{number}" for number in range(12)]


@given(
    st.lists(
        st.builds(Relation, st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(KINDS)),
        unique=True,
        max_size=40,
    )
)
def test_no_two_memories_lie_on_each_other(relations: list[Relation]) -> None:
    links = tuple(one for one in relations if one.source != one.target)

    whole = checked(canvas(Chain(tuple(NAMES), links, dict.fromkeys(NAMES, "4"))))

    places = [(node["x"], node["y"]) for node in files(whole)]
    assert len(set(places)) == len(NAMES)
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert is_untouched(json.dumps(whole).encode())
