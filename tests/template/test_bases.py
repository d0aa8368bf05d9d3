"""The tables of the template: documented syntax over properties that exist."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
import yaml

from mnemos_files.format.record import render
from mnemos_files.model.candidate import STATUSES as CANDIDATE_STATUSES
from mnemos_files.model.candidate import Candidate, raised_again, to_record, with_judgement
from mnemos_files.model.kind import SAVED_TYPES
from mnemos_files.model.record import Record
from mnemos_files.model.session import STATUSES
from mnemos_files.model.skill import VERSION_KEY

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)

TEMPLATE = Path(__file__).parents[2] / "vault-template"
MEMORIES = ["Memories.base", "Review.base", "Superseded.base"]
BASES = [*MEMORIES, "Ruminations.base", "Sessions.base", "Skills.base"]
PROPERTIES = json.loads((TEMPLATE / ".obsidian/types.json").read_text(encoding="utf-8"))["types"]
FILE_PROPERTIES = {
    "name",
    "path",
    "folder",
    "ext",
    "mtime",
    "ctime",
    "size",
    "tags",
    "links",
    "backlinks",
}
FILE_FUNCTIONS = {"asLink", "inFolder", "hasTag", "hasLink", "hasProperty"}
VALUE_FUNCTIONS = {
    "isEmpty",
    "isTruthy",
    "contains",
    "containsAny",
    "lower",
    "startsWith",
    "endsWith",
    "slice",
    "toString",
}
GLOBAL_FUNCTIONS = {"if", "now", "date"}
OBJECT = "metadata"
"""The one property that is no text, number or list: Obsidian has no type for it."""
STRING = re.compile(r'"[^"]*"')
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def read_base(name):
    return yaml.safe_load((TEMPLATE / name).read_text(encoding="utf-8"))


def statements(node):
    """Every filter statement below a filter object, checking the object's shape on the way."""
    if isinstance(node, str):
        return [node]
    assert len(node) == 1
    (junction, parts), *_ = node.items()
    assert junction in {"and", "or", "not"}
    return [text for part in parts for text in statements(part)]


def unknown_names(expression, formulas=()):
    """Names in an expression that are neither properties of ours nor documented by Bases."""
    return {
        name
        for name in NAME.findall(STRING.sub("", expression))
        if not is_known(name.split("."), formulas)
    }


def is_known(parts, formulas):
    if parts[0] in GLOBAL_FUNCTIONS:
        return len(parts) == 1
    if parts[0] == "file":
        known = parts[1:2] and parts[1] in FILE_PROPERTIES | FILE_FUNCTIONS
        return known and all(part in VALUE_FUNCTIONS for part in parts[2:])
    if parts[0] == "formula":
        known = parts[1:2] and parts[1] in formulas
        return known and all(part in VALUE_FUNCTIONS for part in parts[2:])
    if parts[0] == "note":
        parts = parts[1:]
    is_property = parts[0] in {*PROPERTIES, OBJECT} or parts[0] in VALUE_FUNCTIONS
    return is_property and all(part in VALUE_FUNCTIONS for part in parts[1:])


@pytest.mark.parametrize("name", BASES)
def test_base_has_only_documented_parts(name):
    base = read_base(name)

    assert set(base) <= {"filters", "formulas", "properties", "views"}
    for view in base["views"]:
        assert set(view) <= {"type", "name", "filters", "order", "sort", "groupBy", "limit"}
        assert view["type"] == "table"
        assert set(view.get("groupBy", {"property": "", "direction": ""})) == {
            "property",
            "direction",
        }


@pytest.mark.parametrize("name", BASES)
def test_base_filters_by_properties_that_exist(name):
    base = read_base(name)
    filters = [base["filters"], *[view["filters"] for view in base["views"] if "filters" in view]]

    for node in filters:
        for statement in statements(node):
            assert unknown_names(statement, base["formulas"]) == set(), statement


@pytest.mark.parametrize("name", BASES)
def test_base_shows_and_sorts_by_properties_that_exist(name):
    base = read_base(name)
    formulas = base["formulas"]

    for expression in formulas.values():
        assert unknown_names(expression, formulas) == set()
    for column in base["properties"]:
        assert unknown_names(column, formulas) == set()
    for view in base["views"]:
        columns = view["order"] + [row["property"] for row in view.get("sort", [])]
        columns += [view["groupBy"]["property"]] if "groupBy" in view else []
        assert {name for column in columns for name in unknown_names(column, formulas)} == set()
        assert {row["direction"] for row in view.get("sort", [])} <= {"ASC", "DESC"}


@pytest.mark.parametrize("name", MEMORIES)
def test_base_lists_all_kinds_and_no_note_template(name):
    rules = statements(read_base(name)["filters"])

    listed = re.fullmatch(r"\[(.*)\]\.contains\(type\)", rules[0])
    assert sorted(re.findall(r'"(\w+)"', listed[1])) == sorted(SAVED_TYPES)
    assert rules[1] == '!file.inFolder("templates")'


def test_views_have_the_promised_names():
    views = {name: [view["name"] for view in read_base(name)["views"]] for name in BASES}

    assert views == {
        "Memories.base": ["Recent", "By project", "By kind", "Rules", "Not linked"],
        "Review.base": ["Raw", "Flagged", "Personal data", "Ending", "Contradicted", "Stale"],
        "Superseded.base": ["Superseded", "Replacements"],
        "Ruminations.base": ["Pending", "Judged", "Raised again"],
        "Sessions.base": ["Recent", "Not reached", "Open", "By project", "To review"],
        "Skills.base": ["All", "To review"],
    }


def view(base, name):
    (found,) = [view for view in read_base(base)["views"] if view["name"] == name]
    return found


def test_sessions_are_told_by_their_type_and_skills_by_folder_and_name():
    assert statements(read_base("Sessions.base")["filters"]) == [
        'type == "session"',
        '!file.inFolder("templates")',
    ]
    assert statements(read_base("Skills.base")["filters"]) == [
        'file.inFolder("skills")',
        'file.path.endsWith("/SKILL.md")',
    ]


def test_ruminations_are_told_by_their_type_and_pending_is_what_nobody_judged():
    assert statements(read_base("Ruminations.base")["filters"])[0] == 'type == "rumination"'
    judged = statements(view("Ruminations.base", "Judged")["filters"])
    pending = statements(view("Ruminations.base", "Pending")["filters"])

    assert judged == ['status == "resolved"', 'status == "dismissed"']
    assert pending == ['status != "resolved"', 'status != "dismissed"']
    assert {"pending", *re.findall(r'"(\w+)"', str(judged))} == set(CANDIDATE_STATUSES)


def test_every_property_that_ruminations_are_listed_by_is_one_that_we_write():
    candidate = Candidate(
        monitor="skill-stale", target="t", target_kind="skill", severity="low", reason="old"
    )
    judged = with_judgement(
        to_record(candidate), "resolved", "new", now=NOON, resolved_by="x", judged_evidence=1
    )
    again = raised_again(to_record(candidate), candidate, "more", now=NOON)
    written = {key for record in (judged, again) for key, _ in record.properties}

    columns = {key.removeprefix("note.") for key in read_base("Ruminations.base")["properties"]}
    assert columns - {"formula.doubt", "project", "created"} <= written
    assert written <= set(PROPERTIES)


def test_the_severest_rumination_comes_first():
    base = read_base("Ruminations.base")

    urgency = 'if(severity == "high", 1, if(severity == "medium", 2, 3))'
    assert base["formulas"]["urgency"] == urgency
    assert view("Ruminations.base", "Pending")["sort"][0] == {
        "property": "formula.urgency",
        "direction": "ASC",
    }


def test_sessions_are_listed_newest_first_with_status_and_outcome():
    recent = view("Sessions.base", "Recent")

    assert recent["sort"] == [{"property": "created", "direction": "DESC"}]
    assert recent["order"][:3] == ["formula.session", "status", "outcome_tags"]


def test_sessions_that_did_not_reach_their_goal_are_those_of_all_other_statuses():
    wanted = re.findall(r'"(\w+)"', str(view("Sessions.base", "Not reached")["filters"]))

    assert sorted([*wanted, "ok"]) == sorted(STATUSES)


def test_every_key_that_skills_are_listed_by_is_one_that_we_write():
    record = Record(
        id="01KBC3W6H5M0V2T8N4Q9F7K3QX",
        type="skill",
        title="Deploy the API",
        content="Roll it out.",
        tags=("api",),
        agent="codex",
        created=NOON,
        updated=NOON,
        trust_tier="raw",
        flags=("data-exfil",),
        personal=("email",),
        properties=((VERSION_KEY, "3"),),
    )
    used = set(re.findall(r'metadata\["([^"]+)"\]', str(read_base("Skills.base")["formulas"])))

    text = render(record, PurePosixPath("skills/codex/deploy-the-api/SKILL.md")).decode()
    written = yaml.safe_load(text.split("---\n")[1])["metadata"]
    assert used <= set(written)


def test_flags_and_personal_data_have_a_view_of_their_own():
    flagged = statements(view("Review.base", "Flagged")["filters"])
    personal = statements(view("Review.base", "Personal data")["filters"])

    assert flagged == ["!flags.isEmpty()", "invalidated.isEmpty()"]
    assert personal == ["!personal.isEmpty()"]  # what no longer holds is still in the file


@pytest.mark.parametrize("name", ["Raw", "Flagged", "Ending", "Contradicted"])
def test_what_no_longer_holds_needs_no_judgement(name):
    assert "invalidated.isEmpty()" in statements(view("Review.base", name)["filters"])


def test_checker_finds_a_misspelt_property():
    assert unknown_names('trust_teir == "raw"') == {"trust_teir"}


def test_checker_finds_a_formula_that_is_not_there():
    assert unknown_names("formula.flag.isTruthy()", {"flags": ""}) == {"formula.flag.isTruthy"}
