"""A skill is a valid Agent Skill, comes back whole, and keeps what a person wrote in its file."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
import skills_ref
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemos_files.errors import CorruptError, InvalidRecordError
from mnemos_files.format.paths import path_for, skill_path
from mnemos_files.format.record import parse, render, update
from mnemos_files.format.skill_fields import join_words, split_words
from mnemos_files.model.record import Record

ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
PATH = PurePosixPath("skills/claude-code/deploy-the-api/SKILL.md")

FILE = """\
---
name: deploy-the-api
description: Roll out the API without an outage. Use when a release is due.
metadata:
  mnemos-id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
  mnemos-title: Deploy the API
  mnemos-tags: release, api
  mnemos-agent: claude-code
  mnemos-created: "2026-12-01T10:04:11Z"
  mnemos-version: "3"
  mnemos-source-sessions: s-1, s-2
---
## Procedure

1. Drain one node.
2. Roll it.

## Pitfalls

The cache is cold for a minute.
"""

OWN = """\
---
# our house rules
name: deploy-the-api
description: >-
  Roll out the API
  without an outage.
license: MIT
allowed-tools: Bash(kubectl:*) Read
metadata:
  author: Ines   # on call
  # the team
  team: platform
---
# Deploy

1. Drain one node.
"""


def a_skill(**fields: object) -> Record:
    given = {
        "id": ID,
        "type": "skill",
        "title": "Deploy the API",
        "content": "Roll out the API without an outage. Use when a release is due.",
        "sections": (
            ("procedure", "1. Drain one node.\n2. Roll it."),
            ("pitfalls", "The cache is cold for a minute."),
        ),
        "tags": ("release", "api"),
        "agent": "claude-code",
        "created": datetime(2026, 12, 1, 10, 4, 11, tzinfo=UTC),
        "properties": (("mnemos-version", "3"), ("mnemos-source-sessions", ("s-1", "s-2"))),
    }
    return Record(**(given | fields))


def complaints(folder: Path, record: Record, *, distinct: bool = False) -> list[str]:
    """What the reference validator of Agent Skills says of the file of this record."""
    path = skill_path(record, distinct=distinct)
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(render(record, path))
    return skills_ref.validate(place.parent)


def changed(text: str, **fields: object) -> str:
    note = parse(PATH, text.encode())
    return update(text.encode(), note, replace(note.record, **fields)).decode()


def rules(text: str, path: PurePosixPath = PATH) -> list[str]:
    return [f"{p.line} {p.message}" for p in parse(path, text.encode()).problems]


def test_the_file_of_a_skill_reads_like_this():
    record = a_skill()

    assert path_for(record) == PATH
    assert render(record).decode() == FILE
    note = parse(PATH, FILE.encode())
    assert (note.record, note.is_ours, note.problems) == (record, True, ())


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Deploy the API", "deploy-the-api"),
        ("deploy-the-api", "deploy-the-api"),
        ("  Trim__me! ", "trim-me"),
        ("C++ / C# builds", "c-c-builds"),
        ("Öffnen & Schließen", "offnen-schließen"),
        ("İstanbul", "istanbul"),
        ("日本語のデプロイ", "日本語のデプロイ"),
        ("Деплой в бой", "деплой-в-бой"),
        ("हिन्दी", "हनद"),
        ("ﬁne ①", "fine-1"),
        ("🚀", "skill"),
        ("---", "skill"),
        ("con", "con-skill"),
        ("LPT1", "lpt1-skill"),
        ("x" * 200, "x" * 64),
        ("\U00020000" * 200, "\U00020000" * 45),
    ],
)
def test_a_skill_lies_in_a_folder_that_clients_and_systems_take(tmp_path, title, name):
    record = a_skill(title=title)

    assert path_for(record).parent.name == name
    assert complaints(tmp_path, record) == []
    assert parse(path_for(record), render(record)).record.title == title


@pytest.mark.parametrize(
    "agent", ["", "default", "CON", "Claude Code", "日本", "a/../b", "x" * 100]
)
def test_the_agent_has_a_folder_of_its_own(tmp_path, agent):
    record = a_skill(agent=agent)

    folder = path_for(record).parts[1]

    assert folder.lower() not in ("con", "..", "")
    assert len(path_for(record).parts) == 4
    assert complaints(tmp_path, record) == []
    assert parse(path_for(record), render(record)).record.agent == agent


def test_a_second_name_of_the_same_spelling_gets_a_mark(tmp_path):
    one, other = a_skill(title="deploy the api"), a_skill(title="DEPLOY THE API")

    paths = {skill_path(record, distinct=True) for record in (one, other)}

    assert len({*paths, PATH}) == 3
    assert complaints(tmp_path, a_skill(title="y" * 200), distinct=True) == []
    assert all(path.parent.name.startswith("deploy-the-api-") for path in paths)


NASTY = st.lists(
    st.sampled_from(["---", "----", ": ", " #", '"', "'", "\\", "{", "[", "&a", "!x", "\n", "%"])
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6),
    min_size=1,
    max_size=8,
).map("".join)
SAID = NASTY.filter(str.strip)
quiet = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


odd_skills = st.builds(
    a_skill,
    title=NASTY,
    content=SAID,
    sections=NASTY.filter(bool).map(lambda text: (("procedure", text),)),
    tags=st.lists(SAID, max_size=3).map(tuple),
    agent=NASTY,
    properties=SAID.map(lambda said: (("license", said), ("mnemos-source-sessions", (said, "b")))),
)


@quiet
@given(odd_skills, st.booleans())
def test_every_skill_is_a_valid_agent_skill(tmp_path, record, distinct):
    assert complaints(tmp_path, record, distinct=distinct) == []
    assert parse(path_for(record), render(record)).record == record


@quiet
@given(st.lists(SAID | st.just(""), max_size=4).map(tuple))
def test_a_list_in_one_text_comes_back(items):
    assert split_words(join_words(items)) == items


def test_a_list_as_a_person_types_it_is_read():
    assert split_words("release,  api ,, [[a]]") == ("release", "api", "[[a]]")
    assert split_words("[[a]], [[b]]") == ("[[a]]", "[[b]]")
    assert split_words('["a, b", "c"]') == ("a, b", "c")
    assert split_words('["a, b"') == ('["a', 'b"')
    assert split_words("") == ()


def test_a_change_touches_only_its_lines():
    after = changed(FILE, tags=("release", "deploy"))

    assert after == FILE.replace("release, api", "release, deploy")


def test_a_new_procedure_leaves_the_keys_alone():
    after = changed(FILE, sections=(("procedure", "Ask Ines."),))

    assert after == FILE.partition("## Procedure")[0] + "## Procedure\n\nAsk Ines.\n"


def test_a_persons_own_skill_is_read_in_full():
    note = parse(PATH, OWN.encode())

    record = note.record
    assert (note.is_ours, note.problems) == (False, ())
    assert (record.type, record.id, record.agent) == ("skill", str(PATH), "claude-code")
    assert record.title == "deploy-the-api"
    assert record.content == "Roll out the API without an outage."
    assert record.section("procedure") == "# Deploy\n\n1. Drain one node."
    assert dict(record.properties) == {
        "license": "MIT",
        "allowed-tools": "Bash(kubectl:*) Read",
        "author": "Ines",
        "team": "platform",
    }


def test_a_persons_own_skill_gets_our_keys_and_keeps_its_own():
    after = changed(OWN, id=ID, tags=("api",), sections=(("procedure", "Ask."),))

    assert after == OWN.partition("---\n# Deploy")[0] + (
        "  mnemos-id: 01KBC3W6H5M0V2T8N4Q9F7K3QX\n"
        "  mnemos-tags: api\n"
        "  mnemos-agent: claude-code\n"
        "---\n## Procedure\n\nAsk.\n"
    )


def test_a_skill_without_metadata_gets_one():
    own = "---\nname: deploy-the-api\ndescription: Roll out.\n---\nDo it.\n"

    assert changed(own, id=ID) == (
        "---\nname: deploy-the-api\ndescription: Roll out.\nmetadata:\n"
        f"  mnemos-id: {ID}\n  mnemos-agent: claude-code\n---\nDo it.\n"
    )


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_byte_order_mark_stay(mark):
    text = mark + FILE.replace("\n", "\r\n")

    after = changed(text, tags=("x",), sections=(("procedure", "Ask.\nWait."),))

    assert after.startswith(f"{mark}---\r\nname: deploy-the-api\r\n")
    assert "  mnemos-tags: x\r\n" in after
    assert after.endswith("---\r\n## Procedure\r\n\r\nAsk.\r\nWait.\r\n")
    assert "\n" not in after.replace("\r\n", "")
    note = parse(PATH, after.encode())
    assert (note.record.tags, note.problems) == (("x",), ())


def test_what_a_person_wrote_above_the_parts_stays_there():
    text = FILE.replace("## Procedure", "# Deploy\n\nSee [[runbook]].\n\n## Procedure")
    note = parse(PATH, text.encode())

    after = changed(text, sections=(("procedure", "Ask."),))

    assert note.record.sections == a_skill().sections
    assert "runbook" in note.outgoing
    assert after.endswith("---\n# Deploy\n\nSee [[runbook]].\n\n## Procedure\n\nAsk.\n")


def test_tags_as_a_list_stay_a_list():
    text = FILE.replace("mnemos-tags: release, api", "mnemos-tags:\n    - release\n    - api")

    after = changed(text, tags=("release", "deploy"))

    assert parse(PATH, text.encode()).record.tags == ("release", "api")
    assert "  mnemos-tags:\n    - release\n    - deploy\n  mnemos-agent" in after


def test_metadata_as_obsidian_and_formatters_write_it_is_read():
    text = FILE.replace('"2026-12-01T10:04:11Z"', "2026-12-01T10:04:11Z").replace(
        'mnemos-version: "3"', "mnemos-version: 3"
    )
    wide = FILE.replace("\n  mnemos", "\n      mnemos").replace("metadata:", "metadata: # ours")

    assert parse(PATH, text.encode()).record == a_skill()
    assert parse(PATH, wide.encode()).record == a_skill()
    assert changed(wide, tags=("x",)) == wide.replace("release, api", "x")


def test_metadata_in_braces_is_a_problem_and_is_not_changed():
    text = OWN.partition("metadata:")[0] + "metadata: {team: platform}\n---\nDo it.\n"

    assert rules(text) == ["9 the skill has metadata that cannot be read"]
    with pytest.raises(CorruptError, match="metadata is written in a form"):
        changed(text, id=ID)


def test_a_key_that_is_there_twice_is_not_changed():
    text = FILE.replace("  mnemos-tags: release, api\n", "  mnemos-tags: a\n  mnemos-tags: b\n")

    assert rules(text) == ["8 mnemos-tags is written twice, in lines 7 and 8; the later one counts"]
    with pytest.raises(CorruptError, match="written twice"):
        changed(text, tags=("x",))
    assert "mnemos-tags: a\n  mnemos-tags: b" in changed(text, importance=7)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("name: deploy-the-api\n", "", "1 the skill has no name"),
        ("name: deploy", "name: Deploy", "2 the skill cannot be called 'Deploy-the-api'"),
        (
            "name: deploy-the-api",
            "name: other",
            "2 the skill is called other and lies in the folder deploy-the-api",
        ),
        ("description: Roll out the API", "description:\nx: ", "3 the skill has no description"),
        ("Roll out", "x" * 1024, "3 the skill has a description of 1078 characters"),
        ('"3"\n', '"3"\n  mnemos-importance: much\n', "11 importance cannot be 'much'"),
    ],
)
def test_what_a_client_would_stumble_over_is_a_problem(old, new, problem):
    text = FILE.replace(old, new, 1)

    assert problem in "\n".join(rules(text))
    assert parse(PATH, text.encode()).record.id == ID


def test_a_broken_block_is_listed_and_not_rewritten():
    text = FILE.replace("description: Roll", "description: Roll: ")
    note = parse(PATH, text.encode())

    assert [problem.rule for problem in note.problems] == ["front-matter-invalid"]
    assert note.record.id == ID
    assert note.record.section("pitfalls") == "The cache is cold for a minute."
    with pytest.raises(CorruptError):
        changed(text, tags=("x",))


def test_a_file_without_front_matter_is_a_skill_with_problems():
    note = parse(PATH, b"Just do it.\n")

    assert note.record.title == "deploy-the-api"
    assert note.record.section("procedure") == "Just do it."
    assert {problem.rule for problem in note.problems} == {"skill-invalid"}


@pytest.mark.parametrize(
    "path", ["SKILL.md", "skills/SKILL.md", "notes/deploy/SKILL.md", "skills/a/b/skill.md"]
)
def test_other_files_are_ordinary_notes(path):
    note = parse(PurePosixPath(path), OWN.encode())

    assert (note.record.type, note.is_ours) == ("context", False)


@pytest.mark.parametrize(
    ("path", "agent"),
    [("skills/deploy/SKILL.md", ""), ("skills/team/ops/deploy/SKILL.md", "team")],
)
def test_a_skill_may_lie_at_any_depth(path, agent):
    record = parse(PurePosixPath(path), OWN.encode()).record

    assert (record.type, record.agent) == ("skill", agent)


def test_links_and_ends_of_a_skill_are_texts_below_metadata(tmp_path):
    end = datetime(2026, 12, 2, tzinfo=UTC)
    record = a_skill(related=("a, b", "c"), invalidated=end, invalidated_by="new", importance=7)
    text = render(record).decode()

    assert '  mnemos-related: "[\\"[[a, b]]\\", \\"[[c]]\\"]"\n' in text
    assert '  mnemos-invalidated: "2026-12-02T00:00:00Z"\n' in text
    assert '  mnemos-importance: "7"\n' in text
    assert parse(PATH, text.encode()).record == record
    assert parse(PATH, text.encode()).outgoing == ("new", "a, b", "c", "s-1", "s-2")
    assert complaints(tmp_path, record) == []


def test_headings_in_a_part_are_told_from_parts():
    record = a_skill(sections=(("procedure", "a\n\n## Pitfalls\n\n```\n## Do\n```"),))

    assert "\n\\## Pitfalls\n" in render(record).decode()
    assert parse(PATH, render(record)).record == record


@pytest.mark.parametrize(
    "fields",
    [
        {"properties": (("a", "1"), ("a", "2"))},
        {"properties": (("mnemos-agent", "x"),)},
        {"sections": (("rationale", "x"),)},
        {"content": "a\0b"},
    ],
)
def test_what_no_skill_can_hold_is_refused(fields):
    with pytest.raises(InvalidRecordError):
        render(a_skill(**fields))
