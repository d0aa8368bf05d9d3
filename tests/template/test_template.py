"""The vault that `init` copies: valid for Obsidian, for git and for our own reader."""

import json
import re
import zipfile
from pathlib import Path, PurePosixPath

import pygit2
import pytest
import yaml

from mnemos_files.config import DEFAULT_IGNORED
from mnemos_files.format.keys import KEYS
from mnemos_files.format.record import parse
from mnemos_files.model.kind import KINDS, SAVED_TYPES
from mnemos_files.vault.files import Vault

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "vault-template"
BASES = [
    "Memories.base",
    "Review.base",
    "Ruminations.base",
    "Sessions.base",
    "Skills.base",
    "Superseded.base",
]
FILES = {
    ".gitattributes",
    ".github/CODEOWNERS",
    ".github/workflows/memory.yml",
    ".gitignore",
    ".obsidian/app.json",
    ".obsidian/core-plugins.json",
    ".obsidian/graph.json",
    ".obsidian/templates.json",
    ".obsidian/types.json",
    ".pre-commit-config.yaml",
    "Home.md",
    "Memories.base",
    "Review.base",
    "Ruminations.base",
    "Sessions.base",
    "Skills.base",
    "Superseded.base",
    "conventions/.gitkeep",
    "corrections/.gitkeep",
    "observations/.gitkeep",
    "ruminations/.gitkeep",
    "sessions/.gitkeep",
    "skills/.gitkeep",
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
TEXTS = {name for name in FILES if not name.endswith(".gitkeep")}
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
    "promoted_reason": "text",
    "flags": "multitext",
    "personal": "multitext",
    "status": "text",
    "ended": "text",
    "outcome_tags": "multitext",
    "monitor": "text",
    "target": "text",
    "target_id": "text",
    "target_kind": "text",
    "severity": "text",
    "reason": "text",
    "evidence": "text",
    "evidence_digest": "text",
    "resolved_by": "text",
    "judged": "text",
    "judged_evidence": "text",
    "raised": "text",
    "name": "text",
    "description": "text",
    "source": "text",
    "offset": "number",
    "timestamp": "text",
}


def read(name):
    return (TEMPLATE / name).read_text(encoding="utf-8")


def read_json(name):
    return json.loads(read(name))


def test_template_holds_these_files_and_no_others():
    found = {
        path.relative_to(TEMPLATE).as_posix() for path in TEMPLATE.rglob("*") if path.is_file()
    }

    assert found == FILES


def test_every_kind_has_its_folder_and_nothing_is_in_it():
    folders = {path.name for path in TEMPLATE.iterdir() if path.is_dir()}

    kinds = {"observations", "corrections", "conventions", "ruminations", "sessions", "skills"}
    assert folders == {".github", ".obsidian", "templates", *kinds}
    assert {kind.folder for kind in KINDS.values()} == folders - {
        ".github",
        ".obsidian",
        "templates",
    }
    for kind in KINDS.values():
        assert (TEMPLATE / kind.folder / ".gitkeep").read_bytes() == b""


def test_new_notes_go_where_most_kinds_lie():
    settings = read_json(".obsidian/app.json")

    assert settings["newFileLocation"] == "folder"
    assert settings["newFileFolderPath"] == KINDS["decision"].folder


def test_settings_of_the_vault_are_not_in_the_template():
    assert not (TEMPLATE / ".mnemos").exists()


@pytest.mark.parametrize("name", sorted(TEXTS))
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
    assert set(KEYS) <= set(TYPES)


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

    queries = {f"[type:{kind}]" for kind in (*SAVED_TYPES, "session", "rumination")}
    # The type of a skill follows from its place: Agent Skills know no such key.
    assert {group["query"] for group in groups} == queries | {"path:skills/"}
    assert len(groups) == len(KINDS)
    colours = [group["color"]["rgb"] for group in groups]
    assert len(set(colours)) == len(KINDS)
    assert all(0 <= colour <= 0xFFFFFF for colour in colours)


def test_templates_are_not_notes_of_the_vault(tmp_path):
    for name in FILES:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(read(name), encoding="utf-8")

    listing = Vault(tmp_path, DEFAULT_IGNORED).listing()

    assert {str(path) for path in listing.notes} == {"Home.md"}
    assert not listing.problems


def test_home_has_no_problem_as_a_plain_note():
    note = parse(PurePosixPath("Home.md"), read("Home.md").encode())

    assert note.problems == ()
    assert not note.is_ours
    assert set(note.outgoing) <= {*BASES, "Memories.base#Recent"}


def test_home_links_lead_somewhere():
    text = re.sub(r"```.*?```|`[^`]*`", "", read("Home.md"), flags=re.DOTALL)
    targets = re.findall(r"\[\[([^\]|#]+)", text)

    assert set(targets) == set(BASES)
    assert set(targets) <= FILES


def test_home_names_views_that_exist():
    for base, view in re.findall(r"!\[\[([^\]#]+)#([^\]]+)\]\]", read("Home.md")):
        assert view in [row["name"] for row in yaml.safe_load(read(base))["views"]]


def test_home_names_every_view_of_every_base():
    text = " ".join(read("Home.md").split())
    for base in BASES:
        line = re.search(rf"\[\[{re.escape(base)}\|.*?(?= - |$| ## )", text)[0].lower()
        for name in [row["name"].lower() for row in yaml.safe_load(read(base))["views"]]:
            assert name in line, f"{base}: {name}"


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
    "path",
    [
        "a.md",
        "deep/er/b.md",
        "skills/codex/deploy/SKILL.md",
        "Review.base",
        ".obsidian/app.json",
        ".mnemos/config.toml",
        ".mnemos/journal/laptop/2026-12.jsonl",
    ],
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
