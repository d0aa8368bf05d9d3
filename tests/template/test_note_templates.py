"""The note templates: what Obsidian makes of them is a memory to our reader."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
import yaml

from mnemos_files.format.record import parse
from mnemos_files.model.kind import KINDS, SAVED_TYPES

TEMPLATE = Path(__file__).parents[2] / "vault-template"
PROPERTIES = json.loads((TEMPLATE / ".obsidian/types.json").read_text(encoding="utf-8"))["types"]


def read(name):
    return (TEMPLATE / name).read_text(encoding="utf-8")


def front_matter(text):
    """The block between the fences as Obsidian takes it: flat, one key a line, lists of text."""
    opening, block, _ = text.split("---\n", 2)
    assert opening == ""
    values = yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - BaseLoader makes only text
    for key, value in values.items():
        items = value if isinstance(value, list) else [value]
        assert all(isinstance(item, str) for item in items), key
    assert len(block.splitlines()) == len(values)
    return values


def test_every_kind_has_a_note_template():
    names = {path.stem for path in (TEMPLATE / "templates").iterdir()}

    assert names == set(SAVED_TYPES)


@pytest.mark.parametrize("kind", SAVED_TYPES)
def test_note_template_is_flat_yaml_with_known_keys(kind):
    values = front_matter(read(f"templates/{kind}.md"))

    assert list(values) == ["type", "title", "project", "tags", "importance", "created"]
    assert values["type"] == kind
    assert set(values) <= set(PROPERTIES)


@pytest.mark.parametrize("kind", SAVED_TYPES)
def test_note_template_uses_placeholders_of_the_core_plugin_only(kind):
    found = re.findall(r"\{\{(.*?)\}\}", read(f"templates/{kind}.md"))

    assert found == ["title", "date:YYYY-MM-DDTHH:mm:ssZ"]
    assert "<%" not in read(f"templates/{kind}.md")


@pytest.mark.parametrize("kind", SAVED_TYPES)
def test_note_template_has_the_headings_of_its_kind(kind):
    headings = re.findall(r"^## (.*)$", read(f"templates/{kind}.md"), re.MULTILINE)

    expected = {
        "correction": ["Tried", "Wrong because", "Fix", "When this applies"],
        "convention": ["Why", "Example"],
    }
    assert headings == expected.get(kind, ["Why"])


def filled(kind, title="Keep the lamp lit", created="2026-12-01T23:30:00+02:00"):
    """The note that Obsidian makes of a template, before a word is typed."""
    text = read(f"templates/{kind}.md").replace("{{title}}", title)
    return text.replace("{{date:YYYY-MM-DDTHH:mm:ssZ}}", created)


@pytest.mark.parametrize("kind", SAVED_TYPES)
def test_note_made_from_a_template_in_its_folder_is_a_memory(kind):
    path = PurePosixPath(KINDS[kind].folder, "Keep the lamp lit.md")

    note = parse(path, filled(kind).encode())

    record = note.record
    assert note.problems == ()
    assert note.is_ours
    assert (record.type, record.title, record.tags, record.project) == (
        kind,
        "Keep the lamp lit",
        (),
        "",
    )
    assert record.created == datetime(2026, 12, 1, 21, 30, tzinfo=UTC)
    assert (record.content, record.sections) == ("", ())


def test_note_made_from_a_template_elsewhere_is_a_note_of_the_persons_own():
    note = parse(PurePosixPath("Keep the lamp lit.md"), filled("decision").encode())

    assert not note.is_ours
    assert note.problems == ()


def test_text_under_the_headings_of_a_template_becomes_its_parts():
    text = filled("correction").replace("## Fix\n", "## Fix\n\nTurn it off and on.\n")

    record = parse(PurePosixPath("corrections/note.md"), text.encode()).record

    assert record.sections == (("fix", "Turn it off and on."),)


def test_a_day_closes_a_memory_as_the_guide_says():
    text = "---\ntype: decision\ninvalidated: 2026-12-01\n---\nOld.\n"

    record = parse(PurePosixPath("observations/old.md"), text.encode()).record

    assert record.invalidated == datetime(2026, 12, 1, tzinfo=UTC)
    assert not record.is_live(datetime(2026, 12, 1, 0, 0, 1, tzinfo=UTC))
