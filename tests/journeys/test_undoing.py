"""An agent and a person change the same memory, and all of it can be undone, over MCP."""

from pathlib import Path

from tests.conftest import git
from tests.wire import Wire, serving

TEXT = "Every night.\n\n### Places\n\n- cellar"


def saved(wire: Wire) -> dict:
    return wire.call("save", title="Backups", content=TEXT, type="decision", rationale="It died.")


def log(vault: Path, path: str) -> list[str]:
    return git(vault, "log", "--reverse", "--format=%an|%s", "--", path).splitlines()


def test_an_agent_edits_what_a_person_has_changed_meanwhile(vault: Path):
    wire = serving(vault)
    memory = saved(wire)
    one = memory["id"]
    version = wire.call("get", id=one)["version"]
    file = vault / memory["path"]
    file.write_text(file.read_text("utf-8").replace("Every night", "Every hour"), "utf-8")

    late = wire.fail("edit", id=one, content="Every week.", expected_version=version)
    blind = wire.fail("edit", id=one, content="Every week.")
    kept = wire.fail("edit", id=one, set=["trust_tier: skill"])
    wire.call("edit", id=one, section="Places", append="- attic")
    tagged = wire.call("edit", id=one, add_tags="disk", set='["importance: 9"]')
    same = wire.call("edit", id=one, add_tags=["disk"])

    assert late.startswith("changed_on_disk: ")
    assert "Every hour." in late
    assert blind.startswith("invalid_query: expected_version: is needed")
    assert kept.startswith("refused: trust_tier is not changed by an edit. Use mnemos_promote")
    assert (same["changed"], same["version"]) == (False, tagged["version"])
    now = wire.call("get", id=one)
    assert now["content"] == "Every hour.\n\n### Places\n\n- cellar\n- attic"
    assert (now["tags"], now["importance"]) == (["disk"], 9)
    assert wire.close() == 0
    assert log(vault, memory["path"]) == [
        "wire|save(decision): Backups",
        "Ines Example|edit(decision): Backups",
        "wire|edit(decision): Backups",
        "wire|edit(decision): Backups",
    ]


def test_what_an_agent_ends_deletes_or_spoils_comes_back(vault: Path):
    wire = serving(vault)
    memory = saved(wire)
    one, path = memory["id"], memory["path"]
    version = wire.call("get", id=one)["version"]

    wire.call("edit", id=one, append="Nonsense.")
    wire.call("invalidate", id=one, reason="The cellar was flooded.")
    assert wire.call("search", query="backups")["results"] == []
    assert wire.call("restore", id=one)["live"] is True
    assert [hit["id"] for hit in wire.call("search", query="backups")["results"]] == [one]
    wire.call("delete", id=one)
    assert wire.call("restore", id=one)["path"] == path
    first = wire.call("restore", id=one, version=memory["commit"][:10])

    assert first["version"] == version
    assert wire.close() == 0
    assert [line.partition("|")[2].partition("(")[0] for line in log(vault, path)] == [
        *("save", "edit", "invalidate", "restore", "delete", "restore", "restore")
    ]
    assert git(vault, "status", "--porcelain", "--", "observations") == ""
