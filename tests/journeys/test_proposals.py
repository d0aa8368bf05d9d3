"""Agents whose writes are proposals, through real servers, of which some are killed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import git
from tests.wire import Wire, serving

SETTINGS = '[vault]\nid = "v"\nformat = 1\n\n[review]\nmode = "branch"\n'
KILLS = 4


@pytest.fixture
def root(vault: Path) -> Path:
    own = vault / ".mnemos"
    own.mkdir()
    (own / "config.toml").write_text(SETTINGS, encoding="utf-8")
    (own / ".gitignore").write_text("*.lock\ncookie*\n", encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "review")
    return vault


def memory(number: object, content: str = "") -> dict[str, str]:
    text = content or f"what was found out about {number}"
    return {"title": f"Finding {number}", "content": text, "type": "context"}


def run(root: Path, *arguments: str) -> dict:
    done = subprocess.run(
        [sys.executable, "-m", "mnemos_files", *arguments, "--vault", str(root), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def named(root: Path, name: str) -> Wire:
    """A server whose client has this name."""
    wire = Wire("serve", "--vault", str(root))
    wire.request(
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": name, "version": "1"},
    )
    wire.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return wire


def test_a_client_proposes_on_its_own_branch_and_is_told(root):
    wire = named(root, "Claude Code")
    started = wire.call("session_start", goal="find out", project="api")
    saved = wire.call("save", session_id=started["session_id"], **memory(1))
    found = wire.call("search", query="Finding")
    ended = wire.call("session_end", session_id=started["session_id"], summary="done")
    assert wire.close() == 0

    (branch,) = git(root, "branch", "--list", "memory/*", "--format=%(refname:short)").split()
    assert branch.startswith("memory/claude-code/")
    assert started["notices"][0] == (
        f"what you save are proposals on the branch {branch}; only you read them until a person"
        " approves"
    )
    assert f"proposal on the branch {branch}" in saved["notices"][-1]
    assert [hit["id"] for hit in found["results"]] == [saved["id"]]
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "rev-list", "--count", "main").strip() == "2"

    approved = run(root, "review", "approve", "--all")

    assert {each["path"] for each in approved["approved"]} == {saved["path"], ended["path"]}
    assert git(root, "status", "--porcelain") == ""
    assert run(root, "get", saved["id"])["title"] == "Finding 1"
    events = (root / ".mnemos/journal").rglob("*.jsonl")
    names = [json.loads(line)["event"] for file in events for line in file.read_text().splitlines()]
    assert names.count("session_start") == names.count("session_end") == 1


def test_a_decision_beside_a_running_server_is_seen_by_it(root):
    wire = serving(root)
    taken, dropped = wire.call("save", **memory(1)), wire.call("save", **memory(2))

    run(root, "review", "approve", taken["id"])
    run(root, "review", "reject", dropped["id"], "--reason", "not true at all")

    assert wire.call("get", id=taken["id"])["title"] == "Finding 1"
    assert "not_found" in wire.fail("get", id=dropped["id"])
    assert "not true at all" in wire.fail("save", **memory(2))
    assert wire.call("save", **memory(3))["commit"]
    assert wire.close() == 0
    assert [each["title"] for each in run(root, "review", "list")["proposals"]] == ["Finding 3"]


def test_an_option_names_the_agent_of_a_server(root):
    wire = Wire("serve", "--agent", "My Bot", "--vault", str(root))
    wire.initialize()
    told = wire.call("save", **memory(1))["notices"][-1]
    assert wire.close() == 0

    assert "memory/my-bot/" in told


def test_two_agents_and_two_servers_of_one_of_them_write_at_once(root):
    wires = [named(root, "claude-code"), named(root, "claude-code"), named(root, "cursor")]
    numbers = range(8)
    calls = [
        (wire, wire.start_call("save", **memory(f"{place}-{number}")))
        for number in numbers
        for place, wire in enumerate(wires)
    ]
    for wire, call in calls:
        assert not wire.wait(call)["result"].get("isError")
    for wire in wires:
        assert wire.close() == 0

    listed = run(root, "review", "list")["proposals"]

    by_agent = {}
    for one in listed:
        by_agent.setdefault(one["branch"].split("/")[1], set()).add(one["title"])
    assert by_agent == {
        "claude-code": {f"Finding {place}-{number}" for place in (0, 1) for number in numbers},
        "cursor": {f"Finding 2-{number}" for number in numbers},
    }
    assert git(root, "fsck", "--no-dangling") == ""


def test_a_kill_leaves_each_proposal_whole_or_absent(root):
    answered = []
    for number in range(KILLS):
        wire = serving(root)
        answered.append(wire.call("save", **memory(f"{number}-a"))["id"])
        for more in range(6):
            wire.start_call("save", **memory(f"{number}-{more}", "long text " * 200))
        (root / f"Note {number}.md").write_text("a person's\n", encoding="utf-8")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"note {number}")
        wire.start_call("session_start", goal="again")
        wire.kill()
    wire = serving(root)
    wire.call("session_start", goal="the last one")

    for identity in answered:
        assert wire.call("get", id=identity)["content"]
    assert wire.call("get", id=f"Note {KILLS - 1}")["content"].strip() == "a person's"
    assert wire.close() == 0
    (tree,) = (
        line.split()[1]
        for line in git(root, "worktree", "list", "--porcelain").splitlines()
        if line.startswith("worktree ") and "/proposals/" in line
    )
    changed = git(Path(tree), "status", "--porcelain", "--", "observations", "*.md")
    assert changed == ""
    assert git(root, "status", "--porcelain") == ""
    titles = {each["title"] for each in run(root, "review", "list")["proposals"]}
    assert titles >= {f"Finding {number}-a" for number in range(KILLS)}
    approved = run(root, "review", "approve", "--all")
    assert approved["open"] == []
    assert run(root, "review", "list")["proposals"] == []
