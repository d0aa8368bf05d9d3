"""What becomes of two changed versions of one file."""

from pathlib import PurePosixPath

import pytest
import yaml

from mnemos_files.format.merging import merge
from mnemos_files.format.record import parse

PATH = PurePosixPath("observations/api/2026-12-01-use-argon2id-7k3qx0.md")
BASE = b"""---
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: decision
title: Use Argon2id
tags:
  - security
importance: 5
created: 2026-12-01T10:04:11Z
source_kind: user
trust_tier: curated
related:
  - "[[one]]"
---
bcrypt caps input at 72 bytes.

Argon2id has no cap.

## Why

A pentest found two accounts.
"""


def changed(*pairs: tuple[bytes, bytes], base: bytes = BASE) -> bytes:
    for old, new in pairs:
        assert base.count(old) == 1, old
        base = base.replace(old, new)
    return base


def merged(ours, theirs, base=BASE, path=PATH):
    """The merge, which is the same whichever side is called ours."""
    result = merge(base, ours, theirs, path)
    assert merge(base, theirs, ours, path) == result
    return result


KEYS = [
    # A set: what was added stays, what was taken out is gone.
    ((b"  - security\n", b"  - security\n  - api\n"), (b"  - security\n", b"  - crypto\n"),
     b"  - security\n", b"  - api\n  - crypto\n"),
    ((b"tags:\n  - security\n", b""), (b"  - security\n", b"  - security\n  - b\n"),
     b"  - security\n", b"  - b\n"),
    ((b'  - "[[one]]"\n', b'  - "[[one]]"\n  - "[[two]]"\n'),
     (b'  - "[[one]]"\n', b"  - '[[three]]'\n"),
     b'  - "[[one]]"\n', b"  - '[[three]]'\n  - \"[[two]]\"\n"),
    # Another spelling of a tag or a link is no other one.
    ((b"  - security\n", b"  - \"#security\"\n"), (b"  - security\n", b"  - security\n  - b\n"),
     b"  - security\n", b"  - security\n  - b\n"),
    # Times.
    ((b"source_kind", b"updated: 2026-12-03T00:00:00Z\nsource_kind"),
     (b"source_kind", b"updated: 2026-12-04T00:00:00Z\nsource_kind"),
     b"source_kind", b"updated: 2026-12-04T00:00:00Z\nsource_kind"),
    ((b"source_kind", b"valid_from: 2026-01-01\nsource_kind"),
     (b"source_kind", b"valid_from: 2026-02-01\nsource_kind"),
     b"source_kind", b"valid_from: 2026-02-01\nsource_kind"),
    ((b"source_kind", b"valid_until: 2027-01-01\nsource_kind"),
     (b"source_kind", b"valid_until: 2027-02-01\nsource_kind"),
     b"source_kind", b"valid_until: 2027-01-01\nsource_kind"),
    # Weights and trust.
    ((b"importance: 5", b"importance: 8"), (b"importance: 5", b"importance: 3"),
     b"importance: 5", b"importance: 8"),
    ((b"trust_tier: curated", b"trust_tier: skill"), (b"trust_tier: curated", b"trust_tier: raw"),
     b"trust_tier: curated", b"trust_tier: raw"),
    ((b"source_kind: user", b"source_kind: tool"), (b"source_kind: user", b"source_kind: dream"),
     b"source_kind: user", b"source_kind: tool"),
]  # fmt: skip


@pytest.mark.parametrize(("ours", "theirs", "was", "becomes"), KEYS)
def test_a_key_that_both_sides_changed_follows_its_rule(ours, theirs, was, becomes):
    result = merged(changed(ours), changed(theirs))

    assert result.is_clean
    assert result.data == changed((was, becomes))


def test_changes_of_different_keys_and_paragraphs_meet_without_a_conflict():
    ours = changed(
        (b"title: Use Argon2id\n", b"title: Use Argon2id everywhere  # said Ada\n"),
        (b"bcrypt caps input", b"Bcrypt caps input"),
    )
    theirs = changed(
        (b"importance: 5", b"importance: 8"),
        (b"two accounts.\n", b"two accounts.\n\nThey shared a password.\n"),
        (b"created", b"# when\ncreated"),
    )

    result = merged(ours, theirs)

    assert result.is_clean
    assert result.data == changed(
        (b"title: Use Argon2id\n", b"title: Use Argon2id everywhere  # said Ada\n"),
        (b"bcrypt caps input", b"Bcrypt caps input"),
        (b"importance: 5", b"importance: 8"),
        (b"two accounts.\n", b"two accounts.\n\nThey shared a password.\n"),
        (b"created", b"# when\ncreated"),
    )


def test_supersession_beats_an_edit_and_the_edit_stays():
    ends = (
        b"source_kind",
        b'invalidated: 2026-12-05T00:00:00Z\ninvalidated_by: "[[new]]"\nsource_kind',
    )
    edit = (b"bcrypt caps input at 72 bytes.", b"bcrypt cuts input at 72 bytes.")

    result = merged(changed(ends), changed(edit))

    assert result.is_clean
    assert result.data == changed(ends, edit)


def test_of_two_invalidations_the_earlier_counts_with_its_successor_and_both_reasons():
    late = (
        b'invalidated: 2026-12-06T00:00:00Z\ninvalidated_by: "[[late]]"\ninvalidated_reason: late\n'
    )
    soon = (
        b'invalidated: 2026-12-05T00:00:00Z\ninvalidated_by: "[[soon]]"\ninvalidated_reason: soon\n'
    )
    first = changed((b"source_kind", late + b"source_kind"))
    second = changed((b"source_kind", soon + b"source_kind"))

    record = parse(PATH, merged(first, second).data).record

    assert (record.invalidated_by, record.invalidated.day) == ("soon", 5)
    assert sorted(record.invalidated_reason.split("; ")) == ["late", "soon"]


def test_a_restored_record_stays_restored_beside_an_edit():
    ended = changed((b"source_kind", b"invalidated: 2026-12-05T00:00:00Z\nsource_kind"))
    edited = changed((b"importance: 5", b"importance: 6"), base=ended)

    result = merged(BASE, edited, base=ended)

    assert result.data == changed((b"importance: 5", b"importance: 6"))


def test_two_titles_contradict_each_other_and_the_newer_one_stays_in_place():
    ours = changed((b"title: Use Argon2id", b"title: Use scrypt"))
    theirs = changed(
        (b"title: Use Argon2id", b"title: Use bcrypt"),
        (b"source_kind", b"updated: 2026-12-02T00:00:00Z\nsource_kind"),
    )

    result = merged(ours, theirs)

    assert result.conflicts == ("title",)
    assert result.is_settled
    assert result.data == changed(
        (b"title: Use Argon2id", b"title: Use bcrypt"),
        (b"source_kind", b"updated: 2026-12-02T00:00:00Z\nsource_kind"),
        (b'"[[one]]"\n', b'"[[one]]"\nx_conflict_title: Use scrypt\n'),
    )


def test_two_texts_of_one_paragraph_stand_as_callouts_in_its_place():
    ours = changed((b"72 bytes.", b"72 bytes, hard."))
    theirs = changed((b"72 bytes.", b"71 bytes."), (b"Argon2id has", b"Argon2 has"))

    result = merged(ours, theirs)

    assert result.conflicts == ("text",)
    assert result.data == changed(
        (
            b"bcrypt caps input at 72 bytes.",
            b"> [!conflict] Version 1 of 2\n> bcrypt caps input at 72 bytes, hard.\n\n"
            b"> [!conflict] Version 2 of 2\n> bcrypt caps input at 71 bytes.",
        ),
        (b"Argon2id has", b"Argon2 has"),
    )


ADDED = [
    # Paragraphs at the end of a part, in the order of their time or text.
    (b"two accounts.\n", b"two accounts.\n\nA.\n", b"two accounts.\n\nB.\n",
     [b"two accounts.\n\nA.\n\nB.\n", b"two accounts.\n\nB.\n\nA.\n"]),
    # The same paragraph is there once.
    (b"two accounts.\n", b"two accounts.\n\nA.\n\nC.\n", b"two accounts.\n\nA.\n\nB.\n",
     [b"two accounts.\n\nA.\n\nB.\n\nC.\n", b"two accounts.\n\nA.\n\nC.\n\nB.\n"]),
    # In front of the first paragraph.
    (b"bcrypt caps", b"X.\n\nbcrypt caps", b"Y.\n\nbcrypt caps",
     [b"X.\n\nY.\n\nbcrypt caps", b"Y.\n\nX.\n\nbcrypt caps"]),
    # Lists.
    (b"Argon2id has no cap.\n", b"- a\n- b\n- x\n", b"- a\n- b\n- y\n", None),
]  # fmt: skip


@pytest.mark.parametrize(("was", "ours", "theirs", "becomes"), ADDED)
def test_what_both_add_at_one_place_stays_side_by_side(was, ours, theirs, becomes):
    base = BASE
    if becomes is None:
        base = changed((was, b"- a\n- b\n"))
        was, becomes = b"- a\n- b\n", [b"- a\n- b\n- x\n- y\n", b"- a\n- b\n- y\n- x\n"]

    result = merged(changed((was, ours), base=base), changed((was, theirs), base=base), base=base)

    assert result.is_clean
    assert result.data in [changed((was, each), base=base) for each in becomes]


def test_items_of_a_list_that_touch_are_changed_apart():
    base = changed((b"Argon2id has no cap.\n", b"- one\n- two\n- three\n"))
    ours = changed((b"- one\n", b"- ONE\n"), base=base)
    theirs = changed((b"- two\n", b""), base=base)

    result = merged(ours, theirs, base=base)

    assert result.is_clean
    assert result.data == changed((b"- one\n- two\n", b"- ONE\n"), base=base)


def test_a_part_that_both_add_has_both_texts_below_one_heading():
    base = changed((b"\n## Why\n\nA pentest found two accounts.\n", b""))
    ours = base + b"\n## Why\n\nA pentest.\n"
    theirs = base + b"\n## Why\n\nAn audit.\n"

    result = merged(ours, theirs, base=base)

    assert result.is_clean
    assert result.data in (
        base + b"\n## Why\n\nA pentest.\n\nAn audit.\n",
        base + b"\n## Why\n\nAn audit.\n\nA pentest.\n",
    )


def test_a_paragraph_that_one_side_deleted_and_the_other_changed_is_a_conflict():
    ours = changed((b"Argon2id has no cap.\n\n", b""))
    theirs = changed((b"Argon2id has no cap.", b"Argon2id has no limit."))

    result = merged(ours, theirs)

    assert result.conflicts == ("text",)
    assert result.data.count(b" of 2 (no text)\n") == 1
    assert b"> Argon2id has no limit.\n" in result.data


def test_a_fenced_code_is_one_block_in_a_conflict():
    base = changed((b"Argon2id has no cap.", b"```\na = 1\n\nb = 2\n```"))
    ours = changed((b"a = 1", b"a = 2"), base=base)
    theirs = changed((b"a = 1", b"a = 3"), base=base)

    result = merged(ours, theirs, base=base)

    assert result.conflicts == ("text",)
    assert result.data.count(b"> ```\n> a = ") == 2
    assert result.data.count(b">\n> b = 2\n> ```") == 2


def test_line_ends_of_the_side_that_changed_them_are_kept():
    ours = BASE.replace(b"\n", b"\r\n")
    theirs = changed((b"importance: 5", b"importance: 8"), (b"72 bytes", b"71 bytes"))

    result = merged(ours, theirs)

    assert result.is_clean
    assert result.data == theirs.replace(b"\n", b"\r\n")


def test_a_byte_order_mark_and_quotes_of_one_side_are_kept():
    ours = b"\xef\xbb\xbf" + changed((b"title: Use Argon2id", b"title: 'Use Argon2id'"))
    theirs = changed((b"two accounts", b"three accounts"))

    result = merged(ours, theirs)

    assert result.data == ours.replace(b"two accounts", b"three accounts")


def test_front_matter_that_one_side_adds_to_a_text_is_kept():
    base, path = b"# Garden\n\nRoses.\n", PurePosixPath("garden.md")

    result = merged(b"---\ntags: [home]\n---\n" + base, base + b"\nLilies.\n", base, path)

    assert result.is_clean
    assert result.data == b"---\ntags: [home]\n---\n# Garden\n\nRoses.\n\nLilies.\n"


def test_a_file_deleted_on_one_side_and_changed_on_the_other_stays_and_says_so():
    edited = changed((b"72 bytes", b"71 bytes"))

    result = merge(BASE, None, edited, PATH)

    assert result == merge(BASE, edited, None, PATH)
    assert result.conflicts == ("file",)
    assert result.data == changed(
        (b"72 bytes", b"71 bytes"),
        (
            b'"[[one]]"\n',
            b'"[[one]]"\nx_conflict_deleted: "deleted on one side, changed on the other"\n',
        ),
    ) or parse(PATH, result.data).record.properties == (
        ("x_conflict_deleted", "deleted on one side, changed on the other"),
    )


@pytest.mark.parametrize("base", [None, BASE])
def test_a_file_that_both_have_alike_or_only_one_touched_is_no_merge(base):
    other = changed((b"72 bytes", b"71 bytes"))

    assert merge(base, other, other, PATH).data == other
    assert merge(base, base, other, PATH).data == other
    assert merge(base, other, base, PATH).data == other
    assert merge(BASE, None, None, PATH).data is None
    assert merge(BASE, BASE, None, PATH).data is None


def test_a_broken_block_leaves_both_versions_readable_in_one_file():
    ours = changed((b"title: Use Argon2id", b"title: [Use: Argon2id"), (b"72 bytes", b"73 bytes"))
    theirs = changed((b"title: Use Argon2id", b"title: Use bcrypt"), (b"72 bytes", b"71 bytes"))

    result = merged(ours, theirs)

    note = parse(PATH, result.data)
    assert result.conflicts == ("file",)
    assert result.is_settled
    assert result.data.startswith(theirs)
    assert note.record.title == "Use bcrypt"
    assert "> title: [Use: Argon2id" in note.body
    assert "> [!conflict] Version 2 of 2, the whole file" in note.body


def test_a_broken_block_and_a_change_elsewhere_are_merged_by_lines():
    ours = changed((b"title: Use Argon2id", b"title: [Use: Argon2id"))
    theirs = changed((b"two accounts", b"three accounts"))

    result = merged(ours, theirs)

    assert result.is_clean
    assert result.data == ours.replace(b"two accounts", b"three accounts")


def test_what_is_no_text_is_left_to_git():
    result = merge(BASE, b"\xff\xfe", BASE + b"x", PATH)

    assert (result.data, result.conflicts, result.is_settled) == (b"\xff\xfe", ("file",), False)


def test_a_note_of_a_person_gets_the_markers_that_git_would_write():
    base, path = b"# Day\n\nRain.\n\nTea.\n", PurePosixPath("day.md")

    result = merge(base, b"# Day\n\nSun.\n\nTea.\n", b"# Day\n\nSnow.\n\nTea.\n", path)

    assert not result.is_settled
    assert result.data == (b"# Day\n\n<<<<<<< ours\nSun.\n=======\nSnow.\n>>>>>>> theirs\n\nTea.\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_markers_in_a_note_of_a_person_stand_in_its_text_only(newline):
    path = PurePosixPath("day.md")
    text = "---\nstatus: {}\ntags: [{}]\n---\n{}\n".replace("\n", newline)

    result = merge(
        text.format("new", "a", "Rain.").encode(),
        text.format("wet", "a, b", "Sun.").encode(),
        text.format("white", "a, c", "Snow.").encode(),
        path,
    )

    block, _, body = result.data.decode().removeprefix("---" + newline).partition("---" + newline)
    values = yaml.safe_load(block)
    assert sorted(values.pop("tags")) == ["a", "b", "c"]
    assert values in (
        {"status": "wet", "x_conflict_status": "white"},
        {"status": "white", "x_conflict_status": "wet"},
    )
    markers = ("<<<<<<< ours", "Sun.", "=======", "Snow.", ">>>>>>> theirs", "")
    assert body == newline.join(markers)
    assert (result.conflicts, result.is_settled) == (("status", "text"), False)


def test_two_notes_of_a_day_that_both_began_are_merged_where_they_are_lists():
    path = PurePosixPath("2026-12-01.md")

    result = merged(b"# Day\n\n- rain\n- tea\n", b"# Day\n\n- rain\n- snow\n", None, path)

    assert result.is_clean
    assert result.data in (b"# Day\n\n- rain\n- snow\n- tea\n", b"# Day\n\n- rain\n- tea\n- snow\n")


def test_two_memories_at_one_path_are_both_kept():
    path = PurePosixPath("skills/default/deploy/SKILL.md")
    skill = (
        b"---\nname: deploy\ndescription: Roll out.\nmetadata:\n"
        b"  mnemos-id: 01KBC3W6H5M0V2T8N4Q9F7K3%s\n---\n## Procedure\n\n%s\n"
    )

    result = merged(skill % (b"QX", b"1. Drain."), skill % (b"QY", b"1. Push."), None, path)

    assert result.conflicts == ("file",)
    assert result.is_settled
    assert b"1. Push." in result.data
    assert b"1. Drain." in result.data
    assert parse(path, result.data).is_ours


SKILL = b"""---
name: deploy
description: Roll out the API.
metadata:
  mnemos-id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
  mnemos-tags: release, api
  mnemos-version: "3"
  mnemos-source-sessions: s-1
  owner: Ada
---
## Procedure

1. Drain.
2. Roll.
"""


def test_a_skill_is_merged_at_both_levels():
    path = PurePosixPath("skills/default/deploy/SKILL.md")
    ours = changed(
        (b"tags: release, api", b"tags: release, api, http"),
        (b'version: "3"', b'version: "5"'),
        (b"sessions: s-1", b"sessions: s-1, s-2"),
        (b"1. Drain.", b"1. Drain one."),
        base=SKILL,
    )
    theirs = changed(
        (b"tags: release, api", b"tags: release"),
        (b'version: "3"', b'version: "4"'),
        (b"sessions: s-1", b"sessions: s-1, s-3"),
        (b"owner: Ada", b"owner: Bob"),
        (b"2. Roll.\n", b"2. Roll.\n\n## Pitfalls\n\nCold cache.\n"),
        base=SKILL,
    )

    result = merged(ours, theirs, SKILL, path)

    assert result.is_clean
    assert result.data == changed(
        (b"tags: release, api", b"tags: release, http"),
        (b'version: "3"', b'version: "6"'),
        (b"sessions: s-1", b"sessions: s-1, s-2, s-3"),
        (b"owner: Ada", b"owner: Bob"),
        (b"1. Drain.", b"1. Drain one."),
        (b"2. Roll.\n", b"2. Roll.\n\n## Pitfalls\n\nCold cache.\n"),
        base=SKILL,
    )


def test_a_contradiction_in_a_skill_stands_below_metadata():
    path = PurePosixPath("skills/default/deploy/SKILL.md")
    ours = changed((b"Roll out the API.", b"Roll it out."), base=SKILL)
    theirs = changed((b"Roll out the API.", b"Ship it."), base=SKILL)

    result = merged(ours, theirs, SKILL, path)

    assert result.conflicts == ("description",)
    assert result.data == changed(
        (b"Roll out the API.", b"Ship it."),
        (b"owner: Ada\n", b"owner: Ada\n  x-conflict-description: Roll it out.\n"),
        base=SKILL,
    )


DOUBT = b"""---
id: rumination-0123456789ab
type: rumination
title: Is this still so?
created: %s
monitor: stale_skill
severity: %s
evidence: "%s"
status: %s
---
A doubt.

## Evidence

- failures: %s

## Judgement

%s
"""


def test_a_doubt_that_one_machine_settled_stays_settled():
    path = PurePosixPath("ruminations/stale_skill-0123456789ab.md")
    base = DOUBT % (b"2026-12-01T00:00:00Z", b"low", b"3", b"pending", b"3", b"- seen")
    ours = DOUBT % (b"2026-12-01T00:00:00Z", b"low", b"3", b"resolved", b"3", b"- seen\n- done")
    theirs = DOUBT % (b"2026-12-01T00:00:00Z", b"high", b"5", b"pending", b"5", b"- seen\n- more")

    result = merged(ours, theirs, base, path)

    assert result.is_clean
    record = parse(path, result.data).record
    assert dict(record.properties)["status"] == "resolved"
    assert dict(record.properties)["severity"] == "high"
    assert dict(record.properties)["evidence"] == "5"
    assert record.section("judgement") in ("- seen\n- done\n- more", "- seen\n- more\n- done")


def test_a_doubt_that_both_machines_found_is_one():
    path = PurePosixPath("ruminations/stale_skill-0123456789ab.md")
    ours = DOUBT % (b"2026-12-02T00:00:00Z", b"low", b"3", b"pending", b"3", b"- seen")
    theirs = DOUBT % (b"2026-12-01T00:00:00Z", b"high", b"5", b"pending", b"5", b"- seen")

    result = merged(ours, theirs, None, path)

    assert result.is_clean
    record = parse(path, result.data).record
    assert record.created.day == 1
    assert dict(record.properties)["evidence"] == "5"
