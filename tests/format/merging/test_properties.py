"""What holds for every merge."""

from dataclasses import replace
from pathlib import PurePosixPath

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemos_files.format.contradiction import RULE
from mnemos_files.format.merging import merge
from mnemos_files.format.record import parse, render, update
from mnemos_files.model.record import Record

PATH = PurePosixPath("observations/api/2026-12-01-x-7k3qx0.md")
ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"

words = st.sampled_from(["ant", "bee", "cat", "dog", "elk"])
paragraphs = st.one_of(
    words,
    st.builds("# {}".format, words),
    st.builds("- {}\n- {}".format, words, words),
    st.builds("{}\n{}".format, words, words),
    st.builds("```\n{}\n\n{}\n```".format, words, words),
    st.builds("| {} |\n|---|\n| {} |".format, words, words),
)
texts = st.lists(paragraphs, max_size=4).map("\n\n".join)
tags = st.lists(words, max_size=3, unique=True).map(tuple)
links = st.lists(words.map("[[{}]]".format), max_size=2, unique=True).map(tuple)
records = st.builds(
    lambda title, content, why, marks, number, tier, notes: Record(
        id=ID,
        type="decision",
        title=title,
        content=content,
        sections=(("rationale", why),) if why else (),
        tags=marks,
        importance=number,
        trust_tier=tier,
        properties=(("x_note", notes), ("x_links", marks)) if notes else (),
    ),
    words,
    texts,
    texts,
    tags,
    st.integers(1, 10),
    st.sampled_from(["raw", "curated", "skill"]),
    words | st.just(""),
)
ROWS = [
    "---", "---", f"id: {ID}", "type: decision", "a: b", "a: c", "tags:", "  - x", "  - y", "a: |",
    "  d", "title: [", "# c", "## Why", "text", "", "<<<<<<< a", "=======", ">>>>>>> b",
    "invalidated: 2026-01-01", "invalidated: soon", "invalidated_by: x", "invalidated_by: y",
    "updated: [a]", "updated: 2026-01-02", "tags: a, b", "importance: 12", "importance: [3]",
    "status: ok", "ended: 2026-01-01", "metadata:", "  mnemos-version: '3'", "  mnemos-tags: a",
    "x_conflict_title: z", "> [!conflict] Version 1 of 2", "> [!conflict] Version 2 of 2", "> x",
    "trust_tier: [raw]", "created:", "- item", "| a |",
]  # fmt: skip
raw = st.one_of(
    texts.map(str.encode),
    st.binary(max_size=40),
    st.lists(st.sampled_from(ROWS), max_size=9).map(lambda rows: "\n".join(rows).encode()),
)
paths = st.sampled_from(
    [PATH, PurePosixPath("own.md"), PurePosixPath("skills/a/b/SKILL.md"), PurePosixPath("x.txt"),
     PurePosixPath(".mnemos/config.toml"), PurePosixPath(".mnemos/journal/m/2026-12.jsonl")]
)  # fmt: skip


def written(base: Record, after: Record) -> bytes:
    """The file after a write that changed one record to the other."""
    data = render(base)
    return update(data, parse(PATH, data), after)


def lines(text: str) -> set[str]:
    return {line.lstrip("> ") for line in text.split("\n")}


@given(raw, raw, paths)
@settings(max_examples=200)
def test_a_merge_with_a_side_that_changed_nothing_is_the_other_side(one, other, path):
    for base in (one, None):
        assert merge(base, one, other, path).data == other or base is None
    assert merge(one, other, one, path).data == other
    assert merge(other, one, one, path).data == one
    assert merge(None, one, None, path).data == one


@given(raw, raw, raw, paths)
@settings(max_examples=400)
def test_any_bytes_are_merged_and_the_same_way_each_time(base, one, other, path):
    result = merge(base, one, other, path)

    assert result == merge(base, one, other, path)
    assert result.data is not None
    assert result.is_clean or result.conflicts


@given(records, records, records)
@settings(max_examples=300)
def test_a_merged_record_is_a_record_whichever_side_is_ours(base, one, other):
    ours, theirs = written(base, one), written(base, other)

    result = merge(render(base), ours, theirs, PATH)

    assert merge(render(base), theirs, ours, PATH) == result
    note = parse(PATH, result.data)
    assert note.is_ours
    assert result.is_settled
    assert {problem.rule for problem in note.problems} <= {RULE}
    assert bool(note.problems) == bool(result.conflicts)


@given(records, records, records)
@settings(max_examples=300)
def test_no_line_that_a_side_wrote_is_lost(base, one, other):
    ours, theirs = written(base, one), written(base, other)

    result = merge(render(base), ours, theirs, PATH).data.decode()

    old, kept = lines(parse(PATH, render(base)).body), lines(result)
    for side in (ours, theirs):
        assert lines(parse(PATH, side).body) - old <= kept


@given(records, records)
@settings(max_examples=200)
def test_a_record_that_both_machines_made_is_merged_without_a_base(one, other):
    ours, theirs = render(one), render(other)

    result = merge(None, ours, theirs, PATH)

    assert merge(None, theirs, ours, PATH) == result
    assert parse(PATH, result.data).is_ours
    assert lines(parse(PATH, ours).body) | lines(parse(PATH, theirs).body) <= lines(
        result.data.decode()
    )


@given(records, tags, tags, texts, st.integers(1, 10))
@settings(max_examples=200)
def test_tagging_on_both_sides_and_writing_on_one_is_no_conflict(
    base, one_tags, other_tags, why, number
):
    data = render(base)
    note = parse(PATH, data)
    ours = update(data, note, replace(base, tags=one_tags, content=f"{base.content}\n\nnew"))
    theirs = update(
        data,
        note,
        replace(base, tags=other_tags, importance=number, sections=(("rationale", why),)),
    )

    result = merge(data, ours, theirs, PATH)

    assert result.is_clean
    record = parse(PATH, result.data).record
    kept = set(base.tags) & set(one_tags) & set(other_tags)
    assert set(record.tags) == kept | (set(one_tags) | set(other_tags)) - set(base.tags)
    assert record.importance == number
