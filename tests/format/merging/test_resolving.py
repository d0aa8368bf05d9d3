"""Open conflicts, and what a choice makes of them."""

from pathlib import PurePosixPath

import pytest

from mnemos_files.errors import InvalidQueryError
from mnemos_files.format.merging import merge
from mnemos_files.format.merging.resolving import BOTH, OpenConflict, open_conflicts, resolve
from mnemos_files.format.record import parse

PATH = PurePosixPath("observations/api/2026-12-01-x-7k3qx0.md")
SKILL = PurePosixPath("skills/default/deploy/SKILL.md")
BASE = b"""---
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: decision
title: Old
created: 2026-12-01T10:04:11Z
---
One.

Two.
"""
NEW = BASE.replace(b"created", b"updated: 2026-12-03T00:00:00Z\ncreated")
OURS = BASE.replace(b"Old", b"Ours").replace(b"One.", b"One, ours.")
THEIRS = NEW.replace(b"Old", b"Theirs").replace(b"One.", b"One, theirs.")
OPEN = merge(BASE, OURS, THEIRS, PATH).data


def test_every_conflict_shows_its_versions_the_newer_first():
    assert open_conflicts(PATH, OPEN) == (
        OpenConflict("title", ("Theirs", "Ours")),
        OpenConflict("text", ("One, theirs.", "One, ours.")),
    )
    assert [problem.line for problem in parse(PATH, OPEN).problems] == [7, 9]


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_the_first_version_gives_the_newer_file(ends):
    data = OPEN.replace(b"\n", ends)

    assert resolve(PATH, data, 1) == THEIRS.replace(b"\n", ends)


def test_the_second_version_gives_the_older_values():
    assert resolve(PATH, OPEN, 2) == OURS.replace(
        b"created", b"updated: 2026-12-03T00:00:00Z\ncreated"
    )


def test_both_texts_can_stand_and_both_titles_cannot():
    only_text = merge(BASE, OURS.replace(b"Ours", b"Old"), THEIRS.replace(b"Theirs", b"Old"), PATH)

    data = resolve(PATH, only_text.data, BOTH)

    assert data.endswith(b"---\nOne, theirs.\n\nOne, ours.\n\nTwo.\n")
    with pytest.raises(InvalidQueryError, match="title can have one value only"):
        resolve(PATH, OPEN, BOTH)


def test_a_version_that_is_not_there_is_refused():
    with pytest.raises(InvalidQueryError, match="versions 1 to 2"):
        resolve(PATH, OPEN, 3)


def test_a_paragraph_that_one_side_deleted_is_kept_or_dropped():
    ours = BASE.replace(b"One.\n\n", b"")
    theirs = NEW.replace(b"One.", b"One, theirs.")
    data = merge(BASE, ours, theirs, PATH).data

    assert resolve(PATH, data, 1) == theirs
    assert resolve(PATH, data, 2) == NEW.replace(b"One.\n\n", b"")


def test_a_file_that_one_side_deleted_is_kept_or_dropped():
    data = merge(BASE, None, OURS, PATH).data

    assert open_conflicts(PATH, data) == (OpenConflict("file", ("(as it is)", "(deleted)")),)
    assert resolve(PATH, data, 1) == OURS
    assert resolve(PATH, data, 2) is None


def test_a_whole_file_is_exchanged():
    ours = OURS.replace(b"title: Ours", b"title: [Ours: x")
    data = merge(BASE, ours, THEIRS, PATH).data

    assert [each.name for each in open_conflicts(PATH, data)] == ["file"]
    assert resolve(PATH, data, 1) == THEIRS


def test_a_skill_has_its_other_value_below_metadata():
    base = b"---\nname: deploy\ndescription: Old.\nmetadata:\n  mnemos-title: T\n---\nDo it.\n"
    ours = base.replace(b"Old.", b"A.").replace(b"title: T", b"title: U")
    theirs = base.replace(b"Old.", b"B.").replace(b"title: T", b"title: V")
    data = merge(base, ours, theirs, SKILL).data

    assert {each.name for each in open_conflicts(SKILL, data)} == {"description", "mnemos-title"}
    assert resolve(SKILL, data, 1) in (ours, theirs)
    assert {resolve(SKILL, data, 1), resolve(SKILL, data, 2)} == {ours, theirs}


def test_a_page_that_explains_conflicts_has_none():
    path = PurePosixPath("help.md")
    callouts = b"> [!conflict] Version 1 of 2\n> a\n\n> [!conflict] Version 2 of 2\n> b\n"
    shown = b"# Conflicts\n\n```markdown\n" + callouts + b"```\n"

    assert open_conflicts(path, shown) == ()
    assert parse(path, shown).problems == ()
