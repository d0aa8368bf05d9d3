"""Inputs from the field: what the reader and the writer of files make of them."""

import json
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
import yaml
from ruamel.yaml import YAML

from mnemos_files.errors import CorruptError, RefusedError
from mnemos_files.format.front_matter import edit, read, split
from mnemos_files.format.paths import check_relative, conflict_copy_of, is_temporary, path_for
from mnemos_files.format.record import add_links, append, parse, render, update
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record

CASES = Path(__file__).with_name("cases")


def data_of(case: str, name: str) -> bytes:
    return next(CASES.glob(f"{case}-*")).joinpath(name).read_bytes()


def note_of(case: str, name: str) -> Note:
    return parse(PurePosixPath("notes", name), data_of(case, name))


def json_of(case: str, name: str):
    return json.loads(data_of(case, name))


def titled(title: str, text: str = "text") -> Record:
    return Record(
        id="01KBC3W6H5M0V2T8N4Q9F7K3QX",
        type="decision",
        title=title,
        content=text,
        created=datetime(2026, 12, 1, 10, 4, 11, tzinfo=UTC),
    )


TITLES = json_of("c03", "titles.json")


def test_c01_a_colon_in_a_title_leaves_the_note_readable_and_names_line_2():
    note = note_of("c01", "deploy.md")

    assert note.record.title == "Deploy: staging first, then blue-green switch"
    assert note.record.tags == ("release",)
    assert "blue-green switch" in note.record.content
    assert [(p.line, p.rule) for p in note.problems] == [(2, "front-matter-invalid")]
    assert note.problems[0].message == "front matter: the value of title has a colon and no quotes"
    assert '"Deploy: staging first, then blue-green switch"' in note.problems[0].remedy


def test_c01_a_tag_is_refused_while_the_block_does_not_parse():
    with pytest.raises(CorruptError, match=r"notes/deploy\.md:2: ") as caught:
        edit(data_of("c01", "deploy.md"), {"tags": ("release", "x")}, "notes/deploy.md")

    assert caught.value.line == 2
    assert caught.value.remedy != ""


@pytest.mark.parametrize("name", ["kettle.md", "plain.md", "tides.md", "vpn.md"])
def test_c01_the_neighbours_have_no_problem(name):
    assert note_of("c01", name).problems == ()


@pytest.mark.parametrize("title", TITLES)
def test_c03_every_title_comes_back_and_is_a_text_to_yaml_1_1_and_1_2(title):
    data = render(titled(title))
    parts = split(data.decode())

    assert parse(PurePosixPath("x.md"), data).record.title == title
    assert yaml.safe_load(parts.block)["title"] == title
    assert YAML(typ="safe", pure=True).load(parts.block)["title"] == title


def test_c03_no_name_is_hidden_too_long_or_impossible_on_another_system():
    names = [path_for(titled(title)).name for title in TITLES]

    assert all(len(name.encode()) <= 200 and not name.startswith(".") for name in names)
    assert not any(set(name) & set('<>:"/\\|?*\n') for name in names)


def test_c05_values_stay_as_typed():
    record = note_of("c05", "trip.md").record

    assert record.tags == ("no", "on-call", "off")
    assert dict(record.properties) == {
        "country": "NO",
        "depart": "12:30",
        "build": "1.10",
        "locker": "0022",
        "commit": "1e10",
    }


def test_c05_one_tag_more_is_one_line_more():
    note = note_of("c05", "trip.md")
    tags = (*note.record.tags, "done")

    changed = edit(data_of("c05", "trip.md"), {"tags": tags})

    assert changed == data_of("c05", "trip.md").replace(b"  - off\n", b"  - off\n  - done\n")


def test_c07_one_key_changes_one_line_and_its_comment_stays():
    data = data_of("c07", "roof.md")

    changed = edit(data, {"status": "done"})

    assert changed == data.replace(b"status: open   # open / done", b"status: done   # open / done")
    assert edit(changed, {"status": "done"}) == changed


def test_c09_a_rule_at_the_top_is_text():
    data = data_of("c09", "rule-first.md")
    note = parse(PurePosixPath("rule-first.md"), data)

    assert note.record.content == data.decode()
    assert note.record.properties == ()
    assert note.problems == ()
    assert append(data, "one more line") == data + b"\none more line\n"


def test_c09_dashes_in_a_value_and_in_a_block_text_end_nothing():
    value, block = note_of("c09", "value.md"), note_of("c09", "block.md")

    assert value.record.title == "Ferry --- old timetable"
    assert value.record.content.lstrip().startswith("Runs hourly")
    assert dict(block.record.properties)["description"].split("\n")[1] == "---"
    assert block.record.tags == ("ferry",)


def test_c09_a_block_without_end_is_text_and_a_problem():
    note = note_of("c09", "unclosed.md")

    assert note.record.content == data_of("c09", "unclosed.md").decode()
    assert [(p.line, p.rule) for p in note.problems] == [(1, "front-matter-unclosed")]


def test_c09_four_dashes_are_no_fence():
    note = note_of("c09", "four.md")

    assert note.record.content == data_of("c09", "four.md").decode()
    assert note.problems == ()


@pytest.mark.parametrize(("name", "tags"), json_of("c11", "expect.json").items())
def test_c11_tags_of_every_shape(name, tags):
    assert list(note_of("c11", f"{name}.md").record.tags) == tags


def test_c11_a_hint_names_tags_that_are_a_comment():
    assert [p.rule for p in note_of("c11", "7.md").problems] == ["tags-comment"]


def test_c11_one_tag_more_makes_a_list_of_tags_on_one_line():
    note, data = note_of("c11", "2.md"), data_of("c11", "2.md")
    record = titled_like(note, tags=(*note.record.tags, "seen"))

    changed = update(data, note, record)

    assert changed == data.replace(
        b"tags: garden, tools\n", b"tags:\n  - garden\n  - tools\n  - seen\n"
    )


def test_c11_one_tag_more_keeps_the_spelling_of_the_others():
    note, data = note_of("c11", "5.md"), data_of("c11", "5.md")

    changed = update(data, note, titled_like(note, tags=("garden", "seen")))

    assert changed == data.replace(b'tags: ["#garden"]', b'tags: ["#garden", seen]')


def test_c11_the_old_key_tag_becomes_tags():
    note, data = note_of("c11", "8.md"), data_of("c11", "8.md")

    changed = update(data, note, titled_like(note, tags=("garden", "seen")))

    assert changed == data.replace(b"tag: garden\n", b"tags:\n  - garden\n  - seen\n")


def titled_like(note: Note, **changes) -> Record:
    fields = {name: getattr(note.record, name) for name in Record.__dataclass_fields__}
    return Record(**(fields | changes))


def test_c13_an_appended_rule_does_not_make_a_heading_of_the_text_above():
    data = data_of("c13", "para.md")

    assert append(data, "---\n\n## Second\n\nmore") == data + b"\n---\n\n## Second\n\nmore\n"


def test_c13_an_appended_item_continues_the_list():
    assert append(data_of("c13", "list.md"), "- third") == b"- first\n- second\n- third\n"


def test_c13_an_empty_file_gets_the_line_alone():
    assert append(data_of("c13", "empty.md"), "new line") == b"new line\n"


def test_c15_links_are_those_outside_of_code():
    note = note_of("c15", "syntax.md")

    assert note.outgoing == ("Home", "Pump", "Valve")
    assert note.record.related == ("Pump",)
    assert note.record.tags == ("docs",)


def test_c15_an_unquoted_link_keeps_its_line():
    data = data_of("c15", "syntax.md")

    changed = edit(data, {"status": "ok"})

    assert changed == data.replace(b"status: draft", b"status: ok")
    assert b"\nup: [[Home]]\n" in changed


def test_c15_a_link_of_ours_is_written_in_double_quotes():
    data = data_of("c15", "syntax.md")

    changed = add_links(data, PurePosixPath("syntax.md"), "related", ["Pump", "Valve"])

    assert changed == data.replace(b'  - "[[Pump]]"\n', b'  - "[[Pump]]"\n  - "[[Valve]]"\n')


def test_c17_titles_without_latin_letters_keep_their_letters():
    titles = [note["title"] for note in json_of("c17", "notes.json")]
    names = [path_for(titled(title)).name for title in titles]

    assert [name.removeprefix("2026-12-01-").removesuffix("-f7k3qx.md") for name in names] == [
        "東京の天気",
        "東京の天気",
        "погода",
        "회의",
        "موعد",
        "untitled",
        "untitled",
        "untitled",
    ]


def test_c39_files_of_editors_are_temporary_and_the_note_is_not():
    names = [".note.md.tmp", "note.md~", ".#note.md", "note.md.swp", "4913", "note.md"]

    assert [is_temporary(name) for name in names] == [True] * 5 + [False]


def test_c45_copies_are_told_from_notes_that_look_alike():
    copies = [
        "House (Tomek's conflicted copy 2026-05-03).md",
        "House (conflicted copy 2026-05-03 181502).md",
        "House.sync-conflict-20260503-181502-K7Q2XAB.md",
    ]
    notes = [
        "Chapter 2.md",
        "House 2.md",
        "House-LAPTOP7.md",
        "My conflict with Tomek.md",
        "sync-conflict-explained.md",
    ]

    assert [conflict_copy_of(name) for name in copies] == ["House.md"] * 3
    assert [conflict_copy_of(name) for name in notes] == [None] * 5


def test_c63_a_real_conflict_is_named_by_its_lines_and_refuses_every_write():
    data = data_of("c63", "real.md")
    note = parse(PurePosixPath("real.md"), data)

    assert [(p.line, p.rule) for p in note.problems] == [
        (3, "conflict-markers"),
        (10, "conflict-markers"),
    ]
    assert note.problems[1].message == "unresolved merge conflict in lines 10 to 14"
    assert "First boat at six." in note.record.content
    for write in (lambda: edit(data, {"a": "b"}), lambda: append(data, "x")):
        with pytest.raises(CorruptError, match="conflict"):
            write()


@pytest.mark.parametrize("name", ["teach.md", "rule.md"])
def test_c63_markers_that_are_shown_or_headings_are_no_conflict(name):
    assert note_of("c63", name).problems == ()


@pytest.mark.parametrize("text", json_of("c69", "paths.json")["refuse"])
def test_c69_a_path_that_tries_to_leave_is_refused(text):
    with pytest.raises(RefusedError) as caught:
        check_relative(text)

    assert caught.value.rule == "path"


@pytest.mark.parametrize("text", json_of("c69", "paths.json")["fine"])
def test_c69_an_honest_path_is_taken_as_typed(text):
    assert check_relative(text) == PurePosixPath(text)


def test_a_reader_of_the_cases_finds_the_keys_at_their_lines():
    front = read(data_of("c07", "roof.md").decode())

    assert front.block.lines == {
        "title": 3,
        "owner": 4,
        "status": 7,
        "id": 8,
        "description": 9,
        "tags": 10,
    }
