"""Input that nobody should send, and things that happen to a vault while it is served."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import git
from tests.wire import Wire, serving

DEADLINE = 60.0  # seconds; generous, because machines are busy
DEEP = 20_000


@pytest.fixture
def server(vault: Path) -> Iterator[Wire]:
    wire = serving(vault)
    yield wire
    wire.kill()


def text_of(answer: dict) -> str:
    """What the caller reads, whatever kind of answer it is."""
    return json.dumps(answer.get("error") or answer["result"], ensure_ascii=False)


HOSTILE = [
    "",
    " ",
    "\0",
    "a\0b",
    "\x1b[31mred",
    "\u200b\u200b",
    "\u202e",
    "😀",
    "!!! ???",
    "\r",
    "\u2028",
    "../../etc/passwd",
    "/etc/passwd",
    ".git/config",
    "observations/../../x",
    "--help",
    "%s%n$(x)`x`",
    "\n---\nid: x\n---\n",
    "[[x]]",
    "z" * 401,
    "NaN",
    None,
    True,
    -1,
    1e308,
    10**30,
    [],
    {},
    [[["a"]]],
    {"a": [None]},
]
SLOTS = [
    ("search", "query", {}),
    ("search", "limit", {"query": "alpha"}),
    ("search", "offset", {"query": "alpha"}),
    ("search", "tags", {"query": "alpha"}),
    ("search", "as_of", {"query": "alpha"}),
    ("search", "project", {"query": "alpha"}),
    ("get", "id", {}),
    ("get", "offset", {"id": "alpha"}),
    ("link", "source_id", {"target_id": "alpha", "link_type": "related"}),
    ("link", "link_type", {"source_id": "alpha", "target_id": "alpha"}),
    ("delete", "id", {}),
    ("save", "title", {"content": "c", "type": "semantic", "supersedes": ["no-such"]}),
    ("save", "supersedes", {"title": "t", "content": "c", "type": "semantic"}),
    ("save", "valid_from", {"title": "t", "content": "c", "type": "semantic", "type_": "x"}),
    ("stats", "anything", {}),
]


def test_no_argument_brings_out_a_fault_of_the_server(server: Wire, vault: Path) -> None:
    calls = [(tool, {**rest, name: odd}) for odd in HOSTILE for tool, name, rest in SLOTS]
    numbers = [server.start_call(tool, **arguments) for tool, arguments in calls]

    for number, call in zip(numbers, calls, strict=True):
        text = text_of(server.wait(number))
        assert "internal:" not in text, call
        assert "Traceback" not in text, call

    assert server.call("stats")["problems"] == 0
    assert server.close() == 0
    assert b"Traceback" not in b"".join(server.log)
    assert git(vault, "fsck", "--strict") == ""


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_beyond_the_calendar_is_refused_by_name(server: Wire, time: str) -> None:
    assert server.fail("search", query="alpha", as_of=time).startswith("invalid_query: as_of: ")


def test_a_list_without_end_is_refused_and_changes_nothing(server: Wire, vault: Path) -> None:
    before = git(vault, "rev-parse", "HEAD")
    note = {"title": "t", "content": "c", "type": "semantic"}

    for name in ("tags", "supersedes", "derived_from"):
        said = server.fail("save", **note, **{name: ["x"] * 100_000})
        assert said == f"invalid_query: {name}: 100000 items are too many, at most 100 fit. " + (
            "Send fewer."
        )
    assert git(vault, "rev-parse", "HEAD") == before


def test_a_page_after_the_last_one_does_not_say_that_nothing_fits(server: Wire) -> None:
    server.call("save", title="Alpha", content="alpha", type="semantic")

    said = server.call("search", query="alpha", offset=10**9)

    assert said["results"] == []
    assert said["message"] == "No more: this question has 1 results, all before this offset."


def test_a_validity_that_ends_before_it_begins_is_refused(server: Wire) -> None:
    said = server.fail(
        "save",
        title="t",
        content="c",
        type="semantic",
        valid_from="2026-12-02",
        valid_until="2026-12-01",
    )

    assert said.startswith("invalid_record: valid_until: is not after valid_from")


RAW = [
    b'{"jsonrpc":"2.0","id":7,"method":"tools/list"',
    b"[" * DEEP + b"]" * DEEP,
    b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"mnemos_search",'
    b'"arguments":{"query":"\\ud800"}}}',
    b'{"jsonrpc":"2.0","id":"y","method":"tools/call","params":{"name":1}}',
    b'{"jsonrpc":"1.0","id":"z","method":"tools/list"}',
    b"\xff\xfe\x00",
    b"null",
    b"{}" * 1000,
    b"\0" * 100_000,
]


def test_lines_that_are_no_messages_do_not_end_the_conversation(server: Wire) -> None:
    for line in RAW:
        server.process.stdin.write(line + b"\n")
    server.process.stdin.flush()

    assert server.call("stats")["notes"] == 1
    assert server.close() == 0
    for line in server.lines:
        assert json.loads(line)["jsonrpc"] == "2.0"


def test_one_file_with_endless_properties_does_not_spoil_search_and_get(
    server: Wire, vault: Path
) -> None:
    tags = "".join(f"  - tag-{number}-{'y' * 50}\n" for number in range(800))
    front = f"type: decision\nproject: {'p' * 30_000}\ntags:\n{tags}"
    path = vault / "observations/wild.md"
    path.parent.mkdir()
    path.write_text(f"---\n{front}---\nThe wild lighthouse.\n", encoding="utf-8")

    (hit,) = server.call("search", query="wild lighthouse")["results"]
    assert hit["path"] == "observations/wild.md"
    assert server.call("get", id="observations/wild.md")["content"] == "The wild lighthouse."
    assert server.call("stats")["notes"] == 2


@pytest.mark.parametrize("how", ["not UTF-8", "a folder", "no TOML"])
def test_settings_that_cannot_be_read_are_named(vault: Path, how: str) -> None:
    settings = vault / ".mnemos/config.toml"
    settings.parent.mkdir()
    if how == "a folder":
        settings.mkdir()
    else:
        settings.write_bytes(b"\xff\xfe[vault]" if how == "not UTF-8" else b"[vault")
    server = serving(vault)

    said = server.fail("search", query="alpha")

    server.kill()
    assert said.startswith("corrupt: .mnemos/config.toml:1: ")


def test_a_history_that_lost_its_objects_is_named_and_search_goes_on(vault: Path) -> None:
    server = serving(vault)
    server.call("save", title="Alpha", content="alpha", type="semantic")
    server.close()
    shutil.rmtree(vault / ".git/objects")
    (vault / ".git/objects").mkdir()
    server = serving(vault)

    for said in (
        server.fail("search", query="alpha", as_of="2020-01-01"),
        server.fail("save", title="Beta", content="beta", type="semantic"),
    ):
        assert said.startswith("unavailable: the git history is damaged: ")

    assert server.call("search", query="alpha")["total"] == 1
    server.kill()


def test_a_file_in_the_place_of_the_own_folder_is_named_and_kept(server: Wire, vault: Path) -> None:
    (vault / ".mnemos").write_text("mine", encoding="utf-8")

    said = server.fail("save", title="t", content="c", type="semantic")

    assert said == (
        "unavailable: .mnemos is a file, but a vault keeps a folder of that name. "
        "Give that file another name."
    )
    assert (vault / ".mnemos").read_text("utf-8") == "mine"


class Person(threading.Thread):
    """Adds line after line to a note as an editor does: by rename, as fast as it can."""

    def __init__(self, note: Path) -> None:
        super().__init__(daemon=True)
        self.note = note
        self.written: list[str] = []
        self.done = threading.Event()

    def run(self) -> None:
        draft = self.note.with_suffix(".editing")
        while not self.done.is_set():
            line = f"line {len(self.written)} of a person"
            old = self.note.read_text("utf-8")
            draft.write_text(f"{old.rstrip()}\n{line}\n", encoding="utf-8")
            if self.note.read_text("utf-8") == old:  # editors warn when another one wrote
                draft.replace(self.note)
                self.written.append(line)
        draft.unlink(missing_ok=True)


def versions(vault: Path, path: str) -> str:
    """Every text that a file has or had, and what a double race set aside for `check` to report."""
    aside = [left.read_text("utf-8") for left in (vault / path).parent.glob(".*.tmp")]
    commits = git(vault, "log", "--format=%H", "--", path).split()
    old = [git(vault, "show", f"{commit}:{path}") for commit in commits]
    return "\n".join([(vault / path).read_text("utf-8"), *old, *aside])


def test_no_edit_of_a_person_is_lost_while_an_agent_changes_the_note(
    server: Wire, vault: Path
) -> None:
    saved = server.call("save", title="Harbour", content="first text", type="semantic")
    person = Person(vault / saved["path"])
    person.start()

    for number in range(12):
        note = {"title": f"Harbour {number}", "content": f"text {number}", "type": "semantic"}
        ended = {"supersedes": [saved["id"]]} if number == 6 else {}
        other = server.wait(server.start_call("save", **note, **ended))["result"]
        if "structuredContent" in other:  # else a conflict: the person was faster
            ends = {"source_id": saved["id"], "target_id": other["structuredContent"]["id"]}
            server.wait(server.start_call("link", **ends, link_type="related"))
    person.done.set()
    person.join(DEADLINE)

    whole = versions(vault, saved["path"])
    assert len(person.written) > 12
    assert [line for line in person.written if line not in whole] == []
    assert git(vault, "fsck", "--strict") == ""
    assert not list(vault.rglob("*.tmp"))


def test_two_vaults_that_share_a_cache_do_not_see_each_other(tmp_path: Path) -> None:
    wires = []
    for name in ("one", "two"):
        (tmp_path / name / "memory").mkdir(parents=True)
        wires.append(serving(tmp_path / name / "memory"))
        wires[-1].call("save", title=f"Lamp {name}", content=f"lamp {name}", type="semantic")

    titles = [
        [hit["title"] for hit in wire.call("search", query="lamp")["results"]] for wire in wires
    ]

    assert titles == [["Lamp one"], ["Lamp two"]]
    assert [wire.close() for wire in wires] == [0, 0]


def test_a_vault_that_moves_away_is_named_and_not_made_anew(server: Wire, vault: Path) -> None:
    server.call("save", title="Alpha", content="alpha", type="semantic")
    moved = vault.rename(vault.with_name("moved"))

    said = server.fail("save", title="Beta", content="beta", type="semantic")

    assert "the vault's folder is gone" in said
    assert not vault.exists()
    moved.rename(vault)
    assert server.call("search", query="alpha")["total"] == 1


def test_a_folder_that_a_person_renames_keeps_its_memories_found(server: Wire, vault: Path) -> None:
    saved = server.call("save", title="Alpha", content="alpha", type="semantic", project="api")
    (vault / "observations/api").rename(vault / "observations/service")

    (hit,) = server.call("search", query="alpha")["results"]

    assert hit["path"] == saved["path"].replace("/api/", "/service/")
    assert server.call("get", id=saved["id"])["path"] == hit["path"]


def test_many_files_that_git_brings_are_all_found(server: Wire, vault: Path) -> None:
    server.call("save", title="Alpha", content="alpha", type="semantic")
    clone = vault.with_name("clone")
    git(vault.parent, "clone", "-q", str(vault), str(clone))
    git(clone, "config", "user.name", "Jo Example")
    git(clone, "config", "user.email", "jo@example.org")
    for number in range(600):
        (clone / f"note-{number}.md").write_text(f"lighthouse number{number}\n", encoding="utf-8")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "many")
    git(vault, "pull", "-q", str(clone), "HEAD")

    while server.call("search", query="lighthouse number599")["pending"]:
        pass  # each search reads more of them

    assert server.call("search", query="number599")["results"][0]["path"] == "note-599.md"
    assert server.call("stats")["index"]["on_disk"] == 602
