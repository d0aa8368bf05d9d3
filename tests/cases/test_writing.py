"""Writes beside people, other programs, crashes and disks that go away."""

import contextlib
import random
import threading
from pathlib import Path

import pytest

from mnemos_files.errors import ConflictError, InvalidQueryError, RefusedError
from mnemos_files.model.query import Query
from mnemos_files.operations.editing import edit
from mnemos_files.operations.reading import get
from mnemos_files.store.store import Store
from tests.cases.conftest import Build, Serve
from tests.cases.inputs import script, snapshot
from tests.conftest import NOON, OpenStore, WordEmbedder, an_observation, git
from tests.wire import Wire

LEFTOVERS = (".#note.md", ".note.md.tmp", "4913", "note.md.swp", "note.md~")
BIG_LINES = 40_000


def found(store: Store, text: str) -> list[str]:
    answer = store.search(Query(text=text, now=NOON))
    return [str(one.hit.entry.path) for one in answer.found]


def paths(answer: dict) -> list[str]:
    return [hit["path"] for hit in answer["results"]]


def replace_in(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text("utf-8").replace(old, new), encoding="utf-8")


def test_an_agent_does_not_write_over_what_a_person_typed_meanwhile(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c36, steps 1 to 5, and outcome 5."""
    vault = build("c36")
    store = open_vault(vault)
    first = get(store, id="plan")
    assert first.content == "\nThe van leaves at seven.\n\n- bring rope\n"
    replace_in(vault / "plan.md", "seven", "eight")
    mine = "The van leaves at seven.\n\n- bring rope\n- bring tea\n"

    with pytest.raises(ConflictError) as late:
        edit(store, id="plan.md", content=mine, expected_version=first.version)
    with pytest.raises(InvalidQueryError, match="expected_version: is needed"):
        edit(store, id="plan.md", content=mine)
    added = edit(store, id="plan.md", append="- bring lamp")

    now = get(store, id="plan.md")
    assert "The van leaves at eight." in late.value.remedy
    assert late.value.message.endswith(f"now {versions_of(vault, 'plan.md')[0]}")
    assert now.content == "\nThe van leaves at eight.\n\n- bring rope\n- bring lamp\n"
    assert now.version == added.version != first.version
    assert found(store, "van leaves eight") == ["plan.md"]
    done = edit(store, id="plan.md", content=mine, expected_version=now.version)
    assert done.changed
    assert (vault / "plan.md").read_text("utf-8") == f"---\ntitle: Plan\n---\n\n{mine}"


def versions_of(vault: Path, name: str) -> list[str]:
    """Blobs that a file had in the history, the oldest first."""
    commits = git(vault, "log", "--reverse", "--format=%H", "--", name).split()
    return [git(vault, "rev-parse", f"{commit}:{name}").strip() for commit in commits]


def test_a_save_with_the_title_of_a_note_leaves_that_note_alone(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c36, step 6."""
    vault = build("c36")
    store = open_vault(vault)
    before = (vault / "plan.md").read_bytes()

    saved = store.put(an_observation(store, title="Plan", content="The van leaves at nine."))

    assert (vault / "plan.md").read_bytes() == before
    assert str(saved.path) != "plan.md"
    assert git(vault, "status", "--porcelain") == "?? plan.md\n"


def test_a_write_on_top_of_a_person_s_edit_keeps_and_names_the_edit(
    store: Store, vault: Path
) -> None:
    """Case c36, step 5, with a link as the write."""
    plan = store.put(an_observation(store, title="Plan", content="The van leaves at seven."))
    other = store.put(an_observation(store, title="Rope", content="In the shed."))
    replace_in(vault / plan.path, "seven", "eight")

    store.link(plan.record.id, other.record.id, "related")

    text = (vault / plan.path).read_text("utf-8")
    assert "The van leaves at eight." in text
    assert f'  - "[[{other.path.stem}]]"' in text
    assert git(vault, "log", "-2", "--format=%an|%s").splitlines() == [
        "claude-code|link(decision): Plan",
        "Ines Example|edit(decision): Plan",
    ]
    assert "eight" in git(vault, "show", f"HEAD~1:{plan.path}")
    assert git(vault, "status", "--porcelain") == ""


def test_a_write_on_top_of_a_person_s_edit_is_refused_when_the_vault_says_so(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    """Case c36, steps 3 and 4, with a link as the write."""
    plan = store.put(an_observation(store, title="Plan", content="The van leaves at seven."))
    other = store.put(an_observation(store, title="Rope", content="In the shed."))
    config = vault / ".mnemos/config.toml"
    config.write_text(f'{config.read_text("utf-8")}\n[git]\nadopt_edits = "never"\n', "utf-8")
    strict = open_vault(vault)
    replace_in(vault / plan.path, "seven", "eight")
    before = snapshot(vault)

    with pytest.raises(ConflictError, match="has an edit that is not committed"):
        strict.link(plan.record.id, other.record.id, "related")

    assert snapshot(vault) == before


def test_a_deleted_memory_leaves_a_person_s_last_edit_in_the_history(
    store: Store, vault: Path
) -> None:
    """Case c36: the same for a delete."""
    plan = store.put(an_observation(store, title="Plan", content="The van leaves at seven."))
    replace_in(vault / plan.path, "seven", "eight")

    store.remove(plan.record.id)

    assert not (vault / plan.path).exists()
    assert "eight" in git(vault, "show", f"HEAD~1:{plan.path}")
    assert git(vault, "log", "-2", "--format=%an|%s").splitlines() == [
        "default|delete(decision): Plan",
        "Ines Example|edit(decision): Plan",
    ]


def test_leftovers_of_a_crash_are_neither_notes_nor_committed(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c39."""
    vault = build("c39")
    before = {name: (vault / name).read_bytes() for name in LEFTOVERS}
    (vault / ".mnemos").mkdir()
    (vault / ".mnemos/writer.lock").write_text("4711\n", encoding="ascii")
    store = open_vault(vault)

    saved = store.put(an_observation(store))

    assert found(store, "half of the te") == []
    assert set(store.index.entries) == {"note.md", str(saved.path)}
    assert {name: (vault / name).read_bytes() for name in LEFTOVERS} == before
    assert git(vault, "ls-files").split() == [
        ".mnemos/.gitignore",
        ".mnemos/config.toml",
        "note.md",
        str(saved.path),
    ]


def test_a_note_that_a_crash_emptied_is_listed_and_not_committed(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c39."""
    vault = build("c39")
    store = open_vault(vault)

    store.put(an_observation(store))

    assert store.get("note.md").note.body == ""
    assert git(vault, "show", "HEAD:note.md") == "The good text.\n"
    assert " M note.md\n" in git(vault, "status", "--porcelain")


# Whoosh leaves a table of contents open that it cannot read to its end.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_half_an_index_is_thrown_away_and_read_anew(
    build: Build, open_vault: OpenStore, tmp_path: Path
) -> None:
    """Case c39."""
    vault = build("c39")
    saved = open_vault(vault).put(an_observation(open_vault(vault), title="Fog signal"))
    open_vault(vault).rebuild()
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    store = open_vault(vault)

    assert found(store, "Fog signal") == [str(saved.path)]
    assert store.finish() is None
    assert len(store.index.entries) == 2


def big_text(version: int) -> str:
    """About 2 MB whose last line tells which version it is."""
    return f"version {version} of the cable list, drum after drum\n" * BIG_LINES + f"end {version}"


def kill_in_the_middle_of_a_save(vault: Path, version: int, delay: float) -> None:
    wire = Wire("serve", "--vault", str(vault))
    wire.initialize()
    wire.call("stats")
    killer = threading.Timer(delay, wire.process.kill)
    number = wire.start_call(
        "save", title=f"Cable list {version}", content=big_text(version), type="semantic"
    )
    killer.start()
    with contextlib.suppress(EOFError):
        wire.wait(number)
    killer.join()
    wire.kill()


def check_all_versions_are_whole(vault: Path, versions: int, wire: Wire) -> None:
    wire.call("save", title="After", content="The next write works.", type="semantic")
    wire.close()
    files = [p for p in (vault / "observations/global").iterdir() if "cable-list" in p.name]
    for file in files:
        version = int(file.name.split("-")[5])
        assert file.read_text("utf-8").endswith(f"---\n{big_text(version)}\n")
    assert len(files) <= versions
    assert git(vault, "status", "--porcelain") == ""
    assert git(vault, "fsck", "--strict") == ""


def kill_storm(vault: Path, rounds: int, serve: Serve) -> None:
    chance = random.Random(39)  # noqa: S311 - moments, not secrets
    for version in range(rounds):
        kill_in_the_middle_of_a_save(vault, version, chance.uniform(0.0, 0.5))
    check_all_versions_are_whole(vault, rounds, serve(vault))


def test_a_large_save_that_is_killed_is_whole_or_absent(vault: Path, serve: Serve) -> None:
    """Case c39, with 3 kills."""
    kill_storm(vault, 3, serve)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_large_save_is_whole_or_absent_after_fifty_kills(vault: Path, serve: Serve) -> None:
    """Case c39, in full size."""
    kill_storm(vault, 50, serve)


class CountingEmbedder(WordEmbedder):
    """Tells how many texts were embedded."""

    def __init__(self) -> None:
        self.count = 0

    def encode(self, texts: list[str]):
        self.count += len(texts)
        return super().encode(texts)


@pytest.mark.parametrize(("how", "lost"), [("unmount", 30), ("partial", 25)])
def test_notes_that_vanish_all_at_once_are_missed_and_not_deleted(
    build: Build, open_vault: OpenStore, how: str, lost: int
) -> None:
    """Case c65; after the first look, saves are refused in both forms."""
    vault = build("c65")
    embedder = CountingEmbedder()
    store = open_vault(vault, embedder=embedder, background=True)
    store.finish()
    embedded = embedder.count
    script("c65", "go.sh", vault, HOW=how)
    left = snapshot(vault)

    store.refresh()
    assert [notice for notice in store.notices() if f"{lost} of 30 notes are missing" in notice]
    with pytest.raises(RefusedError, match=f"{lost} of 30 notes are missing"):
        store.put(an_observation(store))

    assert {p: data for p, data in snapshot(vault).items() if p != ".mnemos/writer.lock"} == left
    assert (vault / ".git").exists() == (how == "partial")
    script("c65", "back.sh", vault, HOW=how)
    assert found(store, "berth 07 is free")[0] == "n07.md"
    assert store.notices() == ()
    assert embedder.count == embedded
    saved = store.put(an_observation(store))
    assert git(vault, "log", "--format=%s", "--diff-filter=D") == ""
    assert git(vault, "rev-parse", "HEAD").strip() == saved.receipt.commit


def test_an_empty_folder_in_place_of_the_vault_is_no_new_vault(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c65, when the server starts while the disk is away."""
    vault = build("c65")
    first = open_vault(vault)
    first.finish()
    first.close()
    script("c65", "go.sh", vault, HOW="unmount")
    store = open_vault(vault)

    with pytest.raises(RefusedError, match="30 of 30 notes are missing"):
        store.put(an_observation(store))

    assert [notice for notice in store.notices() if "30 of 30 notes are missing" in notice]
    assert not any(vault.rglob("*.md"))
    assert not (vault / ".git").exists()
    script("c65", "back.sh", vault, HOW="unmount")
    assert found(store, "berth 07 is free")[0] == "n07.md"


def test_the_next_answers_say_that_notes_are_missing(build: Build, serve: Serve) -> None:
    """Case c65, as a client sees it."""
    vault = build("c65")
    wire = serve(vault)
    assert wire.call("stats")["notes"] == 30
    script("c65", "go.sh", vault, HOW="partial")

    answer = wire.call("search", query="berth 07 is free")
    stats = wire.call("stats")
    refusal = wire.fail("save", title="Berth", content="Berth 31 is free.", type="semantic")

    told = "25 of 30 notes are missing from the vault's folder"
    assert told in answer["notices"]
    assert told in stats["notices"]
    assert refusal.startswith(f"refused: {told}.")
    script("c65", "back.sh", vault, HOW="partial")
    assert "n07.md" in paths(wire.call("search", query="berth 07 is free"))
    assert wire.close() == 0


def test_three_notes_deleted_on_purpose_are_gone(build: Build, open_vault: OpenStore) -> None:
    """Case c65, outcome 4."""
    vault = build("c65")
    store = open_vault(vault)
    store.finish()
    for name in ("n01.md", "n02.md", "n03.md"):
        (vault / name).unlink()

    answer = store.search(Query(text="berth 01 is free", now=NOON, limit=100))

    assert len(store.index.entries) == 27
    assert "n01.md" not in [str(one.hit.entry.path) for one in answer.found]
    assert store.notices() == ()
    assert store.put(an_observation(store)).receipt.commit


def test_the_calls_of_one_turn_are_each_answered_and_all_kept(vault: Path, serve: Serve) -> None:
    """Case c79."""
    for number in range(12):
        (vault / f"entry-{number}.md").write_text(f"entry {number}\n", encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "entries")
    wire = serve(vault)
    (vault / "log.md").write_text("- start\n", encoding="utf-8")

    saves = [
        wire.start_call(
            "save", title=f"Berth {n}", content=f"Berth {n} has a blue ladder {n}.", type="semantic"
        )
        for n in range(8)
    ]
    appends = [wire.start_call("edit", id="log.md", append=f"- line {n}") for n in range(8)]
    edits = [
        wire.start_call("edit", id=f"entry-{n}.md", set=[f"seen: berth {n}"]) for n in range(4)
    ]
    searches = [wire.start_call("search", query="blue ladder") for _ in range(4)]
    answers = {number: wire.wait(number)["result"] for number in saves + appends + edits + searches}

    assert len(answers) == 24
    assert [answer for answer in answers.values() if answer.get("isError")] == []
    saved = {answers[number]["structuredContent"]["path"] for number in saves}
    assert len(saved) == 8
    assert set(paths(wire.call("search", query="blue ladder"))) == saved
    assert wire.close() == 0
    lines = (vault / "log.md").read_text("utf-8").splitlines()
    assert sorted(lines) == sorted(["- start", *(f"- line {n}" for n in range(8))])
    for n in range(4):
        text = (vault / f"entry-{n}.md").read_text("utf-8")
        assert text == f"---\nseen: berth {n}\n---\nentry {n}\n"
    assert git(vault, "rev-list", "--count", "HEAD") == "24\n"
    assert git(vault, "status", "--porcelain") == ""
    assert git(vault, "fsck", "--strict") == ""
