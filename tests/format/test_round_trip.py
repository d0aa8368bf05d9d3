"""What goes in comes out: every record, every text, whatever signs are in it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from mnemos_files.errors import CorruptError, InvalidRecordError
from mnemos_files.format.front_matter import edit, split
from mnemos_files.format.keys import KEYS
from mnemos_files.format.links import is_link
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render, update
from mnemos_files.model.kind import KINDS
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record

ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"

PIECES = [
    *("---", "```", "~~~", "````", "  ```", "   ~~~", "```py", "```a`b", "\\```", "\\\\~~~"),
    *("## Why", "## Fix", "## Tried", "## Wrong because", "## When this applies", "## Example"),
    *(
        "\\## Why",
        "\\\\## Why",
        "## Why  ",
        "## Why\r",
        " ## Why",
        "# x",
        "=======",
        "<<<<<<< a\n=======\n>>>>>>> b",
    ),
    *("\n", "\n\n", "\n\n\n", "\r\n", "\r", " ", "\t", "    ", "\\", "- a", "[[X]]", "[[X|y]]"),
    *(": ", " #", ":", "'", '"', "...", "yes", "12:30", "0022", "~", "@", "{{x}}", "&a", "*a"),
    *("\u0085", "\u2028", "\ufeff", "\ufffe", "\x1b", "\x7f", "\xa0", "\u202e", "\u200b"),
    *("é", "e\u0301", "東京", "Погода", "회의", "موعد", "हिन्दी", "ไทย", "🚢", "👩‍🚀", "\U0010ffff"),
]
letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.lists(st.sampled_from(PIECES) | st.text(letters, max_size=4), max_size=12).map("".join)
some = texts.filter(bool)
links = some.filter(lambda text: not is_link(text))
link_lists = st.lists(links, max_size=3).map(tuple)
FIRST = datetime(1, 1, 1, tzinfo=UTC)
SECONDS = (datetime(9999, 12, 31, tzinfo=UTC) - FIRST).days * 86_400
moments = st.none() | st.integers(0, SECONDS).map(lambda n: FIRST + timedelta(seconds=n))
names = texts.filter(lambda name: name not in (*KEYS, "tag") and len(name) < 500)
properties = st.dictionaries(names, texts | st.lists(texts, max_size=3).map(tuple), max_size=3).map(
    lambda found: tuple(found.items())
)


def sections_of(kind: str):
    keys = [section.key for section in KINDS[kind].sections]
    return st.tuples(*(texts for _ in keys)).map(
        lambda parts: tuple((k, p) for k, p in zip(keys, parts, strict=True) if p)
    )


def records_of(kind: str):
    return st.builds(
        Record,
        id=st.just(ID),
        type=st.just(kind),
        title=texts,
        content=texts,
        sections=sections_of(kind),
        project=texts,
        tags=st.lists(some, max_size=3).map(tuple),
        importance=st.integers(1, 10),
        agent=texts,
        session=st.just("") | links,
        created=moments,
        updated=moments,
        valid_until=moments,
        invalidated_by=st.just("") | links,
        invalidated_reason=texts,
        source_kind=st.sampled_from(["user", "tool", "dream"]),
        trust_tier=st.sampled_from(["raw", "curated"]),
        derived_from=link_lists,
        supersedes=link_lists,
        properties=properties,
    )


others = st.sampled_from(sorted(KINDS.keys() - {"skill"})).flatmap(records_of)
records = others | records_of("skill")
pairs = st.tuples(others, others) | st.tuples(records_of("skill"), records_of("skill"))
quiet = settings(deadline=None, suppress_health_check=list(HealthCheck))


def check_record(record: Record) -> None:
    path, data = path_for(record), render(record)

    note = parse(path, data)

    assert note.record == record
    assert note.is_ours
    assert render(note.record) == data
    assert is_in_conflict(note) or update(data, note, record) == data


def is_in_conflict(note: Note) -> bool:
    return any(problem.rule == "conflict-markers" for problem in note.problems)


def check_title(record: Record) -> None:
    block = split(render(record).decode()).block
    if record.type == "skill":
        check_texts(record, block)
        return
    for values in (yaml.safe_load(block), YAML(typ="safe", pure=True).load(block)):
        assert (values["title"] or "") == record.title
        assert values.get("importance", 5) == record.importance


def check_texts(record: Record, block: str) -> None:
    for values in (yaml.safe_load(block), YAML(typ="safe", pure=True).load(block)):
        assert values["description"] in (record.content, record.content or None)
        below = [value for key, value in values["metadata"].items() if key.startswith("mnemos-")]
        assert all(isinstance(value, str | None) for value in below)


def check_update(pair: tuple[Record, Record]) -> None:
    before, after = pair
    path, data = path_for(before), render(before)
    note = parse(path, data)
    if is_in_conflict(note):
        with pytest.raises(CorruptError, match="conflict"):
            update(data, note, after)
        return

    changed = update(data, note, after)

    found = parse(path, changed).record
    assert dict(found.properties) == dict(after.properties)
    assert render(found).partition(b"\n---\n")[2] == render(after).partition(b"\n---\n")[2]
    assert [getattr(found, key) for key in KEYS] == [getattr(after, key) for key in KEYS]


def check_any_bytes(data: bytes) -> None:
    note = parse(PurePosixPath("folder/file.md"), data)

    assert note.path == PurePosixPath("folder/file.md")
    assert data.endswith(note.body.encode())
    for key, value in (("status", "a: b"), ("tags", ("x", "y, z")), ("title", None)):
        try:
            changed = edit(data, {key: value})
        except CorruptError:
            continue
        assert edit(changed, {key: value}) == changed
        assert changed.endswith(note.body.encode())


lines = st.lists(
    st.sampled_from(["---", "a: b", "status: c", "tags: [x]", "  - y", "[", "'", *PIECES])
)
files = (
    st.binary(max_size=60)
    | lines.map(lambda rows: "\n".join(rows).encode())
    | lines.map(lambda rows: "\r\n".join(["---", *rows, "---", "end"]).encode())
)


@quiet
@given(records)
def test_every_record_comes_back_and_renders_to_the_same_bytes(record):
    check_record(record)


@quiet
@given(records)
def test_every_title_is_a_text_to_yaml_1_1_and_1_2(record):
    check_title(record)


@quiet
@given(pairs)
def test_a_changed_record_comes_back(pair):
    check_update(pair)


@pytest.mark.parametrize(("kind", "other"), [("skill", "decision"), ("decision", "skill")])
def test_nothing_becomes_a_skill_and_a_skill_nothing_else(kind, other):
    before = Record(id=ID, type=kind, title="a", content="b")
    path, data = path_for(before), render(before)

    with pytest.raises(InvalidRecordError, match="type: a skill stays a skill"):
        update(data, parse(path, data), replace(before, type=other))


@quiet
@given(files)
def test_reading_takes_any_bytes_and_a_change_keeps_the_body(data):
    check_any_bytes(data)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("check", "strategies"),
    [
        (check_record, (records,)),
        (check_title, (records,)),
        (check_update, (pairs,)),
        (check_any_bytes, (files,)),
    ],
)
def test_this_holds_for_thousands_of_inputs(check, strategies):
    settings(quiet, max_examples=5_000)(given(*strategies)(check))()
