"""Names and paths: of titles, in other scripts, ambiguous, linked, copied, hostile."""

import unicodedata
from pathlib import Path

import pytest
import yaml
from ruamel.yaml import YAML

from mnemos_files.errors import AmbiguousNameError, MnemosError, NotFoundError, RefusedError
from mnemos_files.model.query import Query
from mnemos_files.operations.editing import edit
from mnemos_files.store.open import index_folder
from mnemos_files.store.store import Store
from tests.cases.conftest import Build
from tests.cases.inputs import command, data_of, snapshot
from tests.conftest import NOON, OpenStore, an_observation, git

NFC_NAME = "Café Übersee"
NFD_NAME = unicodedata.normalize("NFD", NFC_NAME)


def found(store: Store, text: str) -> list[str]:
    answer = store.search(Query(text=text, now=NOON))
    return [str(one.hit.entry.path) for one in answer.found]


def lines_of(store: Store) -> list[str]:
    return [str(problem) for problem in store.problems()]


def front_matter(path: Path) -> str:
    return path.read_text("utf-8").split("---\n")[1]


@pytest.fixture
def titled(store: Store) -> dict[str, Path]:
    """A saved note for each title of case c03."""
    saved = {
        title: store.put(an_observation(store, title=title, content="text")).path
        for title in data_of("c03", "titles.json")
    }
    return {title: store.place.vault.root / path for title, path in saved.items()}


def test_every_title_survives_a_write_and_a_read(titled: dict[str, Path], store: Store) -> None:
    """Case c03."""
    for title, path in titled.items():
        relative = path.relative_to(store.place.vault.root)
        assert store.get(str(relative)).note.record.title == title
        assert yaml.safe_load(front_matter(path))["title"] == title
        assert YAML(typ="safe", pure=True).load(front_matter(path))["title"] == title


def test_every_title_gets_a_file_of_its_own_whose_name_suits_every_system(
    titled: dict[str, Path], vault: Path
) -> None:
    """Case c03."""
    names = [path.name for path in titled.values()]

    assert len(set(names)) == len(data_of("c03", "titles.json")) == 41
    assert [name for name in names if name.startswith(".") or len(name.encode()) > 200] == []
    assert [name for name in names if set(name) & set('<>:"/\\|?*\n\r')] == []
    checked = command("check", "--vault", vault)
    assert (checked.returncode, checked.stdout) == (0, "no problems\n")


def test_titles_without_latin_letters_keep_their_own_texts(store: Store, vault: Path) -> None:
    """Case c17. A second save of the same gives the first one, as the design says."""
    notes = data_of("c17", "notes.json")

    paths = []
    for note in notes:
        record = an_observation(store, title=note["title"], content=note["text"])
        again = an_observation(store, title=note["title"], content=note["text"])
        paths.append(store.put(record).path)
        assert store.put(again).path == paths[-1]

    assert len(set(paths)) == len(notes) == 8
    for note, path in zip(notes, paths, strict=True):
        record = store.get(str(path)).note.record
        assert (record.title, record.content) == (note["title"], note["text"])
        assert path.name[0] != "."
        assert path.name != ".md"
    for query, title in [("天気", "東京の天気"), ("Погода", "Погода"), ("회의", "회의")]:
        best = store.search(Query(text=query, now=NOON)).found[0]
        assert best.hit.entry.record.title == title


def test_a_name_is_found_in_either_unicode_form(build: Build, open_vault: OpenStore) -> None:
    """Case c19."""
    vault = build("c19")
    store = open_vault(vault)

    for name in (NFC_NAME, NFD_NAME, f"{NFC_NAME}.md", f"{NFD_NAME}.md"):
        assert store.get(name).note.path.name == f"{NFD_NAME}.md"
    assert found(store, NFC_NAME)[0] == f"{NFD_NAME}.md"
    assert git(vault, "status", "--porcelain") == ""


def test_a_save_with_the_title_of_a_decomposed_name_leaves_that_file_alone(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c19. The design gives each memory a file of its own; the case would refuse it."""
    vault = build("c19")
    store = open_vault(vault)
    before = {name: data for name, data in snapshot(vault).items() if name.endswith(".md")}

    saved = store.put(an_observation(store, title=NFC_NAME, content="Opens at eight."))

    assert str(saved.path).startswith("observations/global/")
    assert snapshot(vault).items() >= before.items()


def test_two_names_that_differ_in_unicode_form_only_are_told(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c19."""
    store = open_vault(build("c19"))

    (problem,) = store.problems()

    assert problem.rule == "name-twin"
    assert unicodedata.normalize("NFC", problem.path) == "both/Résumé.md"
    bodies = {
        form: store.get(unicodedata.normalize(form, "both/Résumé.md")).note.body
        for form in ("NFC", "NFD")
    }
    assert bodies == {"NFC": "from linux\n", "NFD": "from mac\n"}
    with pytest.raises(AmbiguousNameError):
        store.get("Résumé")


def test_a_vague_name_neither_reads_nor_writes(build: Build, open_vault: OpenStore) -> None:
    """Case c21, with links and deletes as the writes."""
    vault = build("c21")
    store = open_vault(vault)
    before = snapshot(vault)
    mine = store.put(an_observation(store))

    with pytest.raises(AmbiguousNameError, match=r"home/Plan\.md, work/Plan\.md"):
        store.get("Plan")
    for name in ("Plan", "Routting plan", "memory://other/Plan", "other/Plan", "Routing plam"):
        with pytest.raises(MnemosError):
            store.remove(name)
        with pytest.raises(MnemosError):
            store.link(mine.record.id, name, "related")
        with pytest.raises(MnemosError):
            store.get(name)

    with pytest.raises(AmbiguousNameError, match=r"home/Plan\.md, work/Plan\.md"):
        store.remove("Plan")
    with pytest.raises(NotFoundError) as missing:
        store.remove("Routting plan")
    assert "Routing plan.md" in missing.value.remedy
    assert snapshot(vault).items() >= before.items()


def test_a_vague_name_is_not_edited(build: Build, open_vault: OpenStore) -> None:
    """Case c21, outcome 1."""
    vault = build("c21")
    store = open_vault(vault)
    before = snapshot(vault)

    with pytest.raises(AmbiguousNameError, match=r"home/Plan\.md, work/Plan\.md"):
        edit(store, id="Plan", append="x")
    with pytest.raises(NotFoundError) as missing:
        edit(store, id="Routting plan", append="x")
    with pytest.raises(MnemosError):
        edit(store, id="memory://other/Plan", append="x")

    assert "Routing plan.md" in missing.value.remedy
    assert {name: data for name, data in snapshot(vault).items() if name in before} == before
    for name in ("Routing plan.md", "_drafts/v1.2 notes", "a & b", "home/Plan", "work/Plan.md"):
        done = edit(store, id=name, append="Seen.")
        assert edit(store, id=done.id, append="Twice.").path == done.path


def test_an_edit_finds_a_path_in_either_unicode_form(build: Build, open_vault: OpenStore) -> None:
    """Case c19."""
    vault = build("c19")
    store = open_vault(vault)

    for name in (NFC_NAME, NFD_NAME):
        assert edit(store, id=f"{name}.md", append="x").path == f"{NFD_NAME}.md"

    assert (vault / f"{NFD_NAME}.md").read_text("utf-8").endswith("Opens at seven.\n\nx\n\nx\n")
    assert not (vault / f"{NFC_NAME}.md").exists()
    assert git(vault, "status", "--porcelain") == ""


def test_every_name_that_is_shown_can_be_used(build: Build, open_vault: OpenStore) -> None:
    """Case c21."""
    store = open_vault(build("c21"))
    store.finish()
    shown = [store.search(Query(text=text, now=NOON)).found[0].hit.entry for text in QUESTIONS]

    assert {str(entry.path): store.get(str(entry.path)).note.body for entry in shown} == {
        "Routing plan.md": "\nVan first, then bikes.\n",
        "_drafts/v1.2 notes.md": "\nDraft.\n",
        "a & b.md": "\nAmpersand.\n",
        "home/Plan.md": "\nHome plan.\n",
        "work/Plan.md": "\nWork plan.\n",
    }
    for entry in store.index.entries.values():
        assert store.get(entry.record.id).note.path == entry.path
        assert store.get(str(entry.path.with_suffix(""))).note.path == entry.path


QUESTIONS = ("Van first", "Draft", "Ampersand", "Home plan", "Work plan")


def test_links_on_disk_neither_hide_nor_multiply_nor_leave(
    build: Build, open_vault: OpenStore, tmp_path: Path
) -> None:
    """Case c23."""
    parent = build("c23")

    for root in (parent / "link", parent / "real/vault"):
        store = open_vault(root)
        assert lines_of(store) == [
            "dangling.md: is a link that leads nowhere",
            "ext: is a link that leads out of the vault; it is not followed",
        ]
        assert {path: store.get(path).note.body for path in store.index.entries} == {
            "lamp.md": "Lamp oil is in the cellar.\n",
            "sub/wick.md": "Spare wick: second drawer.\n",
        }
        for path in ("ext/private.md", "sub/up/lamp.md", "also/wick.md", "dangling.md"):
            with pytest.raises((NotFoundError, RefusedError)):
                store.get(path)
        store.close()
    assert len({path.name for path in (tmp_path / "cache").iterdir()} - {"machine"}) == 1
    assert index_folder(tmp_path, parent / "link") == index_folder(tmp_path, parent / "real/vault")


COPIES = (
    "House (Tomek's conflicted copy 2026-05-03).md",
    "House (conflicted copy 2026-05-03 181502).md",
    "House.sync-conflict-20260503-181502-K7Q2XAB.md",
)


def test_copies_of_sync_programs_are_told_and_not_searched(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c45. Copies that may be meant, such as "House 2", stay searchable and are told."""
    vault = build("c45")
    store = open_vault(vault)

    assert set(found(store, "ladder")) == {"House.md", "House 2.md", "House-LAPTOP7.md"}
    assert [(p.path, p.rule) for p in store.problems()] == [
        (COPIES[0], "conflict-copy"),
        (COPIES[1], "conflict-copy"),
        ("House 2.md", "possible-copy"),
        ("House-LAPTOP7.md", "possible-copy"),
        (COPIES[2], "conflict-copy"),
    ]
    assert all("House.md" in problem.message for problem in store.problems())
    store.put(an_observation(store))
    assert "House" not in git(vault, "ls-files")


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("Second chapter, sun", "Chapter 2.md"),
        ("We disagreed about the paint", "My conflict with Tomek.md"),
        ("How copies arise", "sync-conflict-explained.md"),
    ],
)
def test_an_honest_name_is_not_taken_for_a_copy(
    build: Build, open_vault: OpenStore, query: str, path: str
) -> None:
    """Case c45."""
    assert found(open_vault(build("c45")), query)[0] == path


def test_no_path_leaves_the_vault(build: Build, open_vault: OpenStore, tmp_path: Path) -> None:
    """Case c69, as id of every tool that takes one."""
    vault = build("c69") / "vault"
    store = open_vault(vault)
    mine = store.put(an_observation(store)).record.id
    before = outside(tmp_path)

    for path in data_of("c69", "paths.json")["refuse"]:
        for call in (
            store.get,
            store.remove,
            lambda name: store.link(mine, name, "related"),
            lambda name: store.link(name, mine, "supersedes"),
            lambda name: store.put(an_observation(store, title=name), supersedes=[name]),
        ):
            with pytest.raises(MnemosError) as refusal:
                call(path)
            assert "\n" not in refusal.value.message

    assert outside(tmp_path) == before
    assert git(vault, "status", "--porcelain") == ""


def test_a_project_that_looks_like_a_path_is_one_plain_folder(
    build: Build, open_vault: OpenStore, tmp_path: Path
) -> None:
    """Case c69, as the folder of a save. The design takes a project's name for text, no path."""
    vault = build("c69") / "vault"
    store = open_vault(vault)
    store.put(an_observation(store))
    before = outside(tmp_path)
    paths = [path for path in data_of("c69", "paths.json")["refuse"] if "\x00" not in path]

    for path in paths:
        saved = store.put(an_observation(store, title=f"of {path!r}", project=path))
        assert saved.path.parts[0] == "observations"
        assert len(saved.path.parts) == 3

    folders = [folder.name for folder in (vault / "observations").iterdir()]
    assert [name for name in folders if not name.replace("-", "").isalnum()] == []
    assert outside(tmp_path).items() >= before.items()
    assert {
        path for path in set(outside(tmp_path)) - set(before) if "vault/observations/" not in path
    } == set()
    assert git(vault, "status", "--porcelain") == ""


def test_a_path_that_only_looks_odd_is_taken(build: Build, open_vault: OpenStore) -> None:
    """Case c69, for all but "..dots-at-start-of-a-word": a leading dot hides a note."""
    vault = build("c69") / "vault"
    paths = [path for path in data_of("c69", "paths.json")["fine"] if path[0] != "."]
    assert len(paths) == 5
    for path in paths:
        file = vault / f"{path}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"text of {path}\n", encoding="utf-8")
    store = open_vault(vault)

    for path in paths:
        assert store.get(path).note.body == f"text of {path}\n"
        assert store.get(f"{path}.md").note.body == f"text of {path}\n"


def outside(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too, but for git's own and the index."""
    return {
        path: data for path, data in snapshot(folder).items() if not path.startswith(("cache/",))
    }
