"""The vault that `init` copies: valid for Obsidian, for git and for our own reader."""

import json
import re
import zipfile
from pathlib import Path

import pygit2
import pytest
import yaml

from mnemos_files.config import DEFAULT_IGNORED
from mnemos_files.model.kind import KINDS

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "vault-template"
BASES = ["Memories.base", "Review.base", "Superseded.base"]
FILES = {
    ".gitattributes",
    ".gitignore",
    ".obsidian/app.json",
    ".obsidian/core-plugins.json",
    ".obsidian/graph.json",
    ".obsidian/templates.json",
    ".obsidian/types.json",
    "Home.md",
    "Memories.base",
    "Review.base",
    "Superseded.base",
    "templates/architecture.md",
    "templates/bugfix.md",
    "templates/context.md",
    "templates/convention.md",
    "templates/correction.md",
    "templates/decision.md",
    "templates/dream.md",
    "templates/episodic.md",
    "templates/pattern.md",
    "templates/preference.md",
    "templates/procedural.md",
    "templates/semantic.md",
}
TYPES = {
    "aliases": "aliases",
    "cssclasses": "multitext",
    "tags": "tags",
    "id": "text",
    "type": "text",
    "title": "text",
    "project": "text",
    "importance": "number",
    "agent": "text",
    "session": "text",
    "created": "text",
    "updated": "text",
    "valid_from": "text",
    "valid_until": "text",
    "invalidated": "text",
    "invalidated_by": "text",
    "invalidated_reason": "text",
    "expires": "text",
    "source_kind": "text",
    "trust_tier": "text",
    "derived_from": "multitext",
    "related": "multitext",
    "caused_by": "multitext",
    "supersedes": "multitext",
    "contradicts": "multitext",
    "refines": "multitext",
    "source": "text",
    "offset": "number",
    "timestamp": "text",
}
FILE_PROPERTIES = {"name", "path", "folder", "ext", "mtime", "ctime", "size", "tags", "links"}
FILE_FUNCTIONS = {"asLink", "inFolder", "hasTag", "hasLink", "hasProperty"}
VALUE_FUNCTIONS = {"isEmpty", "contains", "containsAny", "lower", "startsWith"}
STRING = re.compile(r'"[^"]*"')
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def read(name):
    return (TEMPLATE / name).read_text(encoding="utf-8")


def read_json(name):
    return json.loads(read(name))


def read_base(name):
    return yaml.safe_load(read(name))


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
    if parts == ["if"]:
        return True
    if parts[0] == "file":
        return len(parts) == 2 and parts[1] in FILE_PROPERTIES | FILE_FUNCTIONS
    if parts[0] == "formula":
        return len(parts) == 2 and parts[1] in formulas
    if parts[0] == "note":
        parts = parts[1:]
    is_property = parts[0] in TYPES or parts[0] in VALUE_FUNCTIONS
    return is_property and all(part in VALUE_FUNCTIONS for part in parts[1:])


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


def test_template_holds_these_files_and_no_others():
    found = {
        path.relative_to(TEMPLATE).as_posix() for path in TEMPLATE.rglob("*") if path.is_file()
    }

    assert found == FILES


def test_kind_folders_are_left_to_the_first_memory():
    folders = {path.name for path in TEMPLATE.iterdir() if path.is_dir()}

    assert folders == {".obsidian", "templates"}


def test_settings_of_the_vault_are_not_in_the_template():
    assert not (TEMPLATE / ".mnemos").exists()


@pytest.mark.parametrize("name", sorted(FILES))
def test_file_is_utf8_with_lf_and_one_final_newline(name):
    data = (TEMPLATE / name).read_bytes()

    assert data.decode("utf-8").endswith("\n")
    assert not data.endswith(b"\n\n\n")
    assert b"\r" not in data
    assert not data.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("name", sorted(FILES))
def test_name_can_be_checked_out_on_every_system(name):
    for part in name.split("/"):
        assert re.fullmatch(r"\.?[A-Za-z0-9][A-Za-z0-9._-]*", part)
        assert not part.endswith(".")
        assert part.split(".")[0].lower() not in {"con", "prn", "aux", "nul"}


def test_names_differ_by_more_than_case():
    assert len({name.lower() for name in FILES}) == len(FILES)


def test_every_property_of_ours_has_one_type():
    assert read_json(".obsidian/types.json") == {"types": TYPES}


def test_obsidian_templates_come_from_the_ignored_folder():
    assert read_json(".obsidian/templates.json")["folder"] == "templates"
    assert "templates" in DEFAULT_IGNORED
    assert read_json(".obsidian/app.json")["userIgnoreFilters"] == ["templates/"]


def test_plugins_that_the_vault_needs_are_on_and_none_is_from_the_community():
    plugins = read_json(".obsidian/core-plugins.json")

    for name in ("bases", "templates", "properties", "graph", "backlink", "file-recovery"):
        assert plugins[name] is True
    assert not (TEMPLATE / ".obsidian/community-plugins.json").exists()
    assert not (TEMPLATE / ".obsidian/plugins").exists()


def test_graph_has_one_colour_for_each_kind():
    groups = read_json(".obsidian/graph.json")["colorGroups"]

    assert {group["query"] for group in groups} == {f"[type:{kind}]" for kind in KINDS}
    assert len(groups) == len(KINDS)
    colours = [group["color"]["rgb"] for group in groups]
    assert len(set(colours)) == len(KINDS)
    assert all(0 <= colour <= 0xFFFFFF for colour in colours)


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
            assert unknown_names(statement) == set(), statement


@pytest.mark.parametrize("name", BASES)
def test_base_shows_and_sorts_by_properties_that_exist(name):
    base = read_base(name)
    formulas = base["formulas"]

    for expression in formulas.values():
        assert unknown_names(expression) == set()
    for column in base["properties"]:
        assert unknown_names(column, formulas) == set()
    for view in base["views"]:
        columns = view["order"] + [row["property"] for row in view.get("sort", [])]
        columns += [view["groupBy"]["property"]] if "groupBy" in view else []
        assert {name for column in columns for name in unknown_names(column, formulas)} == set()
        assert {row["direction"] for row in view.get("sort", [])} <= {"ASC", "DESC"}


@pytest.mark.parametrize("name", BASES)
def test_base_lists_all_kinds_and_no_note_template(name):
    rules = statements(read_base(name)["filters"])

    listed = re.fullmatch(r"\[(.*)\]\.contains\(type\)", rules[0])
    assert sorted(re.findall(r'"(\w+)"', listed[1])) == sorted(KINDS)
    assert rules[1] == '!file.inFolder("templates")'


def test_views_have_the_promised_names():
    views = {name: [view["name"] for view in read_base(name)["views"]] for name in BASES}

    assert views == {
        "Memories.base": ["Recent", "By project", "By kind", "Rules"],
        "Review.base": ["Raw", "Ending", "Contradicted"],
        "Superseded.base": ["Superseded", "Replacements"],
    }


def test_checker_finds_a_misspelt_property():
    assert unknown_names('trust_teir == "raw"') == {"trust_teir"}


def test_every_kind_has_a_note_template():
    names = {path.stem for path in (TEMPLATE / "templates").iterdir()}

    assert names == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_note_template_is_flat_yaml_with_known_keys(kind):
    values = front_matter(read(f"templates/{kind}.md"))

    assert list(values) == ["type", "title", "project", "tags", "importance", "created"]
    assert values["type"] == kind
    assert set(values) <= set(TYPES)


@pytest.mark.parametrize("kind", KINDS)
def test_note_template_uses_placeholders_of_the_core_plugin_only(kind):
    found = re.findall(r"\{\{(.*?)\}\}", read(f"templates/{kind}.md"))

    assert found == ["title", "date:YYYY-MM-DDTHH:mm:ssZ"]
    assert "<%" not in read(f"templates/{kind}.md")


@pytest.mark.parametrize("kind", KINDS)
def test_note_template_has_the_headings_of_its_kind(kind):
    headings = re.findall(r"^## (.*)$", read(f"templates/{kind}.md"), re.MULTILINE)

    expected = {
        "correction": ["Tried", "Wrong because", "Fix", "When this applies"],
        "convention": ["Why", "Example"],
    }
    assert headings == expected.get(kind, ["Why"])


def test_home_links_lead_somewhere():
    text = re.sub(r"```.*?```|`[^`]*`", "", read("Home.md"), flags=re.DOTALL)
    targets = re.findall(r"\[\[([^\]|#]+)", text)

    assert set(targets) == set(BASES)
    assert set(targets) <= FILES


def test_home_names_views_that_exist():
    for base, view in re.findall(r"!\[\[([^\]#]+)#([^\]]+)\]\]", read("Home.md")):
        assert view in [row["name"] for row in read_base(base)["views"]]


@pytest.fixture
def repository(tmp_path):
    repo = pygit2.init_repository(tmp_path)
    for name in (".gitignore", ".gitattributes"):
        (tmp_path / name).write_text(read(name), encoding="utf-8")
    return repo


@pytest.mark.parametrize(
    "path",
    [
        ".obsidian/workspace.json",
        ".obsidian/workspace-mobile.json",
        ".obsidian/workspaces.json",
        ".obsidian/cache",
        ".obsidian/plugins/sync/data.json",
        ".trash/old.md",
        ".mnemos/.cookie-1.tmp",
        "observations/api/.2026-12-01-note.md.1f.tmp",
        "observations/.DS_Store",
        "observations/.note.md.icloud",
    ],
)
def test_git_ignores_what_programs_make_anew(repository, path):
    assert repository.path_is_ignored(path)


@pytest.mark.parametrize(
    "path",
    [
        ".mnemos/config.toml",
        ".mnemos/journal/laptop/2026-12.jsonl",
        ".obsidian/types.json",
        ".obsidian/plugins/sync/main.js",
        "observations/api/2026-12-01-note-7k3q9x.md",
        "note.sync-conflict-20261201-100411-ABCDEFG.md",
        "note (conflicted copy).md",
        "a.tmp.md",
    ],
)
def test_git_keeps_what_holds_settings_or_a_persons_text(repository, path):
    assert not repository.path_is_ignored(path)


@pytest.mark.parametrize(
    "path", ["a.md", "deep/er/b.md", "Review.base", ".obsidian/app.json", ".mnemos/config.toml"]
)
def test_git_never_converts_line_ends(repository, path):
    assert repository.get_attr(path, "text") is False


def test_wheel_holds_the_template(tmp_path):
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="the build backend is not here")

    (built,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])

    prefix = "mnemos_files/_template/"
    with zipfile.ZipFile(built) as archive:
        names = {name for name in archive.namelist() if name.startswith(prefix)}
    assert names == {prefix + name for name in FILES}
