"""Journals, settings and other text files."""

from pathlib import PurePosixPath

from mnemos_files.format.merging import merge

JOURNAL = PurePosixPath(".mnemos/journal/k3v9q2x7/2026-12.jsonl")
SETTINGS = PurePosixPath(".mnemos/config.toml")
ROW = b'{"at":"2026-12-01T10:0%d:00.000000Z","event":"touch","path":"a"}\n'


def test_a_journal_has_the_lines_of_both_in_their_order_and_none_twice():
    base = ROW % 1
    ours = base + ROW % 2 + ROW % 5
    theirs = base + ROW % 2 + ROW % 3

    result = merge(base, ours, theirs, JOURNAL)

    assert result == merge(base, theirs, ours, JOURNAL)
    assert result.is_clean
    assert result.data == base + ROW % 2 + ROW % 3 + ROW % 5


def test_a_journal_that_is_new_on_both_sides_needs_no_base():
    assert merge(None, ROW % 2, ROW % 1, JOURNAL).data == ROW % 1 + ROW % 2


def test_settings_are_merged_by_key():
    base = b"[vault]\nid = 'x'\nformat = 1\n\n[server]\ntoolsets = ['core']\n"
    ours = base.replace(b"['core']", b"['core', 'history']")
    theirs = base.replace(b"id = 'x'\n", b"id = 'x'\nproject = 'api'\n")

    result = merge(base, ours, theirs, SETTINGS)

    assert result.is_clean
    assert result.data == base.replace(b"['core']", b"['core', 'history']").replace(
        b"id = 'x'\n", b"id = 'x'\nproject = 'api'\n"
    )


def test_of_a_setting_with_two_values_one_counts_and_the_other_is_a_comment():
    base = b"[decay]\nstep = 3\n"

    result = merge(base, b"[decay]\nstep = 4\n", b"[decay]\nstep = 5\n", SETTINGS)

    assert result == merge(base, b"[decay]\nstep = 5\n", b"[decay]\nstep = 4\n", SETTINGS)
    assert result.conflicts == ("step",)
    assert result.data == b"[decay]\nstep = 4\n# conflict, the other value: step = 5\n"


def test_a_text_file_is_merged_as_git_does():
    path, base = PurePosixPath("x.csv"), b"a\nb\nc\nd\ne\n"

    clean = merge(base, b"A\nb\nc\nd\ne\n", b"a\nb\nc\nd\nE\n", path)
    clash = merge(base, b"A\nb\nc\nd\ne\n", b"a\nB\nc\nd\ne\n", path)

    assert clean.data == b"A\nb\nc\nd\nE\n"
    assert (clash.conflicts, clash.is_settled) == (("text",), False)
    assert clash.data == b"<<<<<<< ours\nA\nb\n=======\na\nB\n>>>>>>> theirs\nc\nd\ne\n"


def test_bytes_that_are_no_text_are_a_conflict_of_the_file():
    result = merge(b"\0a", b"\0b", b"\0c", PurePosixPath("x.png"))

    assert (result.data, result.conflicts, result.is_settled) == (b"\0b", ("file",), False)
