"""Texts as people type them: front matter, tags, links, rules, conflict markers."""

import json
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import CorruptError, RefusedError
from mnemos_files.format.outline import outline
from mnemos_files.model.kind import PLAIN
from mnemos_files.model.query import Query
from mnemos_files.operations.editing import edit
from mnemos_files.operations.reading import get, search
from mnemos_files.operations.schema import to_json
from mnemos_files.store.store import Store
from tests.cases.conftest import Build
from tests.cases.inputs import command, data_of, folder_of, snapshot
from tests.conftest import NOON, OpenStore, an_observation, git

ULID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"


def found(store: Store, text: str, **filters: object) -> list[str]:
    answer = store.search(Query(text=text, now=NOON, **filters))
    return [str(one.hit.entry.path) for one in answer.found]


def as_memory(vault: Path, name: str, text: str) -> PurePosixPath:
    """Put a text into the folder of memories and commit it."""
    path = vault / "observations/global" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "by hand")
    return PurePosixPath("observations/global", name)


def original(case: str, name: str) -> str:
    return (folder_of(case) / "vault" / name).read_text("utf-8")


def test_a_block_that_does_not_parse_hides_neither_its_note_nor_others(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c01."""
    store = open_vault(build("c01"))

    answer = search(store, query="blue-green switch")

    assert answer.results[0].path == "notes/deploy.md"
    assert answer.results[0].problems == [
        "notes/deploy.md:2: front matter: the value of title has a colon and no quotes"
    ]
    assert found(store, "tide table")[0] == "notes/tides.md"
    assert len(store.index.entries) == 5


def test_a_block_that_does_not_parse_is_never_rewritten(
    build: Build, open_vault: OpenStore, vault: Path
) -> None:
    """Case c01, with a link as the edit; also for a memory of ours that a person broke."""
    store = open_vault(vault)
    mine = store.put(an_observation(store)).record.id
    text = original("c01", "notes/deploy.md").replace("---\n", f"---\nid: {ULID}\n", 1)
    path = as_memory(vault, "deploy.md", text)

    with pytest.raises(CorruptError, match=r"observations/global/deploy\.md:3: "):
        store.link(str(path), mine, "related")

    assert (vault / path).read_text("utf-8") == text
    plain = build("c01", "plain")
    before = snapshot(plain)
    with pytest.raises(RefusedError, match="a person's own note"):
        open_vault(plain).link("notes/deploy.md", "notes/tides.md", "related")
    assert snapshot(plain).items() >= before.items()


def test_check_names_the_line_of_a_broken_block(build: Build) -> None:
    """Case c01."""
    done = command("check", "--vault", build("c01"))

    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert line.startswith("notes/deploy.md:2: ")


def test_values_are_what_was_typed(build: Build, open_vault: OpenStore) -> None:
    """Case c05."""
    vault = build("c05")
    store = open_vault(vault)

    note = json.loads(json.dumps(to_json(get(store, id="trip"))))

    assert note["tags"] == ["no", "on-call", "off"]
    assert note["properties"] == {
        "country": "NO",
        "depart": "12:30",
        "build": "1.10",
        "locker": "0022",
        "commit": "1e10",
    }
    assert found(store, "platform changes", tags=("no",)) == ["trip.md"]
    assert found(store, "platform changes", tags=("false",)) == []


def test_one_property_changes_and_nothing_else(build: Build, open_vault: OpenStore) -> None:
    """Case c07."""
    vault = build("c07")
    store = open_vault(vault)
    note = vault / "projects/roof.md"
    before = note.read_bytes()

    done = edit(store, id="projects/roof.md", set=("status: done",))

    old, new = b"status: open   # open / done\n", b"status: done   # open / done\n"
    assert note.read_bytes() == before.replace(old, new)
    assert git(vault, "show", "--numstat", "--format=", "HEAD") == "1\t1\tprojects/roof.md\n"
    assert git(vault, "rev-parse", "HEAD").strip() == done.commit
    assert edit(store, id="projects/roof.md", set=("status: done",)).commit == ""
    assert git(vault, "rev-parse", "HEAD").strip() == done.commit


@pytest.mark.parametrize(("case", "name"), [("c05", "trip.md"), ("c07", "projects/roof.md")])
def test_a_link_adds_its_own_lines_and_keeps_every_other(
    vault: Path, open_vault: OpenStore, case: str, name: str
) -> None:
    """Cases c05 and c07, for a memory, with a link as the change."""
    store = open_vault(vault)
    target = store.put(an_observation(store, title="Offer"))
    lines = [line for line in original(case, name).splitlines() if not line.startswith("id:")]
    text = "\n".join([lines[0], f"id: {ULID}", *lines[1:]]) + "\n"
    path = as_memory(vault, "note.md", text)

    store.link(str(path), target.record.id, "related")

    after = (vault / path).read_text("utf-8").splitlines()
    added = ["related:", f'  - "[[{target.path.stem}]]"']
    assert [line for line in after if line not in added] == text.splitlines()
    assert git(vault, "show", "--numstat", "--format=", "HEAD") == f"2\t0\t{path}\n"
    head = git(vault, "rev-parse", "HEAD")
    assert store.link(str(path), target.record.id, "related").is_new is False
    assert git(vault, "rev-parse", "HEAD") == head


def test_a_person_s_own_note_is_never_rewritten(build: Build, open_vault: OpenStore) -> None:
    """Case c07: only an edit that names it changes a note without an id of ours."""
    vault = build("c07")
    store = open_vault(vault)
    mine = store.put(an_observation(store)).record.id
    before = (vault / "projects/roof.md").read_bytes()

    with pytest.raises(RefusedError, match="a person's own note"):
        store.link("projects/roof.md", mine, "related")
    store.link(mine, "projects/roof.md", "related")

    assert (vault / "projects/roof.md").read_bytes() == before


def test_a_rule_is_not_taken_for_a_fence(build: Build, open_vault: OpenStore) -> None:
    """Case c09. A first line of four dashes is text."""
    store = open_vault(build("c09"))

    assert "rule-first.md" in found(store, "left bank")
    assert "rule-first.md" in found(store, "right bank")
    value = store.get("value").note
    assert value.record.title == "Ferry --- old timetable"
    assert value.record.content.lstrip().startswith("Runs hourly.")
    assert value.record.content.rstrip().endswith("No service in fog.")
    block = store.get("block").note.record
    assert block.tags == ("ferry",)
    assert dict(block.properties)["description"] == "Dear guests,\n---\nthe ferry is late.\n"
    assert store.get("four").note.body == original("c09", "four.md")
    assert store.get("unclosed").note.body == original("c09", "unclosed.md")
    assert "unclosed.md" in found(store, "Password of the shed")
    assert [problem.path for problem in store.problems()] == ["unclosed.md"]


def test_tags_of_every_shape_are_read(build: Build, open_vault: OpenStore) -> None:
    """Case c11."""
    vault = build("c11")
    before = snapshot(vault)
    store = open_vault(vault)
    store.finish()

    read = {path[:-3]: list(entry.record.tags) for path, entry in store.index.entries.items()}

    assert read == data_of("c11", "expect.json")
    for tag, numbers in [("garden", "123458"), ("2024", "6")]:
        names = found(store, "Text", tags=(tag,))
        assert sorted(names) == [f"{number}.md" for number in numbers]
    assert snapshot(vault) == before


def test_appended_text_leaves_what_is_above_as_it_was(build: Build, open_vault: OpenStore) -> None:
    """Case c13."""
    vault = build("c13")
    store = open_vault(vault)

    edit(store, id="para.md", append="---\n\n## Second\n\nmore")
    edit(store, id="list.md", append="- third")
    edit(store, id="empty.md", append="new line")

    para = "## Log\n\nPrices checked in May.\n\n---\n\n## Second\n\nmore\n"
    rows = "- first\n- second\n- third\n"
    assert (vault / "para.md").read_bytes() == para.encode()
    assert [place.heading for place in outline(para, PLAIN)] == ["Log", "Second"]
    assert (vault / "list.md").read_bytes() == rows.encode()
    assert (vault / "empty.md").read_bytes() == b"new line\n"
    edit(store, id="para.md", append="once\n\n\n")
    edit(store, id="para.md", append="twice")
    edit(store, id="list.md", append="- fourth\n\n")
    edit(store, id="empty.md", append="another")
    assert (vault / "para.md").read_bytes() == f"{para}\nonce\n\ntwice\n".encode()
    assert (vault / "list.md").read_bytes() == f"{rows}- fourth\n".encode()
    assert (vault / "empty.md").read_bytes() == b"new line\n\nanother\n"


def test_links_count_in_properties_and_not_in_code(build: Build, open_vault: OpenStore) -> None:
    """Case c15."""
    store = open_vault(build("c15"))
    store.finish()
    entry = store.index.entry("syntax.md")

    assert entry is not None
    assert set(entry.outgoing) == {"Home", "Pump", "Valve"}
    assert entry.record.tags == ("docs",)
    for name in ("Home", "Pump", "Valve"):
        assert [link.path for link in get(store, id=name).backlinks] == ["syntax.md"]


def test_a_link_that_we_add_is_quoted_and_leaves_an_unquoted_one(
    vault: Path, open_vault: OpenStore
) -> None:
    """Case c15."""
    store = open_vault(vault)
    target = store.put(an_observation(store, title="Hose"))
    text = original("c15", "syntax.md").replace("---\n", f"---\nid: {ULID}\n", 1)
    path = as_memory(vault, "syntax.md", text)

    store.link(str(path), target.record.id, "related")

    after = (vault / path).read_text("utf-8")
    assert "\nup: [[Home]]\n" in after
    assert f'\nrelated:\n  - "[[Pump]]"\n  - "[[{target.path.stem}]]"\n' in after
    assert after.partition("\nSee ")[2] == text.partition("\nSee ")[2]


def test_a_property_changes_beside_a_link_without_quotes(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c15, outcomes 2 and 4."""
    vault = build("c15")
    store = open_vault(vault)
    before = original("c15", "syntax.md")

    edit(store, id="syntax.md", set=("status: ok",))

    after = (vault / "syntax.md").read_text("utf-8")
    assert after == before.replace("status: draft", "status: ok")
    edit(store, id="syntax.md", set=("seen: [[Valve]]", "related: [[Pump]], [[Valve]]"))
    last = (vault / "syntax.md").read_text("utf-8")
    assert last == after.replace('  - "[[Pump]]"\n', '  - "[[Pump]]"\n  - "[[Valve]]"\n').replace(
        "tags: [docs]\n", 'tags: [docs]\nseen: "[[Valve]]"\n'
    )


@pytest.mark.parametrize("name", ["real.md", "teach.md", "rule.md"])
def test_an_edit_is_refused_in_an_open_conflict_only(
    build: Build, open_vault: OpenStore, name: str
) -> None:
    """Case c63, outcome 1."""
    vault = build("c63")
    store = open_vault(vault)
    before = (vault / name).read_bytes()

    if name == "real.md":
        for change in ({"append": "x"}, {"title": "x"}, {"set": ("a: b",)}):
            with pytest.raises(CorruptError, match=r"real\.md:3: unresolved merge conflict"):
                edit(store, id=name, **change)
        assert (vault / name).read_bytes() == before
    else:
        edit(store, id=name, append="More.")
        assert (vault / name).read_bytes() == before + b"\nMore.\n"


def test_an_open_conflict_is_told_and_not_served(build: Build, open_vault: OpenStore) -> None:
    """Case c63."""
    vault = build("c63")
    store = open_vault(vault)

    assert [str(problem) for problem in store.problems()] == [
        "real.md:3: unresolved merge conflict in lines 3 to 7",
        "real.md:10: unresolved merge conflict in lines 10 to 14",
    ]
    for question in ("First boat at six", "Ferry times"):
        assert "real.md" not in found(store, question)
    assert len(get(store, id="real").problems) == 2
    saved = store.put(an_observation(store))
    assert saved.receipt.commit
    assert "real.md" not in git(vault, "ls-files")


def test_conflict_markers_that_are_only_shown_are_text(build: Build, open_vault: OpenStore) -> None:
    """Case c63."""
    store = open_vault(build("c63"))

    assert found(store, "teachword") == ["teach.md"]
    assert found(store, "ruleword") == ["rule.md"]
    assert get(store, id="teach").problems == []
    assert get(store, id="rule").problems == []


def test_a_memory_in_conflict_is_not_written_to(vault: Path, open_vault: OpenStore) -> None:
    """Case c63, for a memory of ours."""
    store = open_vault(vault)
    target = store.put(an_observation(store, title="Hose")).record.id
    text = original("c63", "real.md").replace("---\n", f"---\nid: {ULID}\n", 1)
    path = as_memory(vault, "real.md", text)

    with pytest.raises(CorruptError, match="unresolved merge conflict"):
        store.link(str(path), target, "related")
    with pytest.raises(CorruptError, match="unresolved merge conflict"):
        store.link(target, str(path), "supersedes")

    assert (vault / path).read_text("utf-8") == text
    assert git(vault, "status", "--porcelain") == ""
