"""A purged memory or text is in no object, no file and no index; all else stays as it was."""

from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import InvalidQueryError, NotFoundError, RefusedError, UnavailableError
from mnemos_files.model.event import Touched
from mnemos_files.model.query import Query
from mnemos_files.store.purging import Wanted, finish, purging
from mnemos_files.store.store import Store
from tests.conftest import NOON, OpenStore, an_observation, git
from tests.store.forgetting import WORD, holders, purge, remembered
from tests.store.test_guard import everything


@pytest.fixture
def record_id(store: Store) -> str:
    return remembered(store)


def hits(store: Store, text: str) -> list[str]:
    answer = store.search(Query(text=text, now=NOON, include_stale=True, type="decision"))
    return [found.hit.entry.record.title for found in answer.found]


def test_a_purged_memory_is_nowhere(store: Store, record_id: str) -> None:
    assert holders(store, WORD)

    purge(store, record_id)

    assert holders(store, WORD) == []


def test_all_else_stays(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    before = {path: path.read_bytes() for path in root.glob("observations/**/*.md")}

    purge(store, record_id)

    left = {path for path in before if path.exists()}
    assert len(before) - len(left) == 1
    assert [path for path in left if b"purged" not in path.read_bytes()] == [
        path for path in left if path.read_bytes() == before[path]
    ]
    assert hits(store, "all is well") == ["Kept"]
    assert git(root, "status", "--porcelain") == ""
    assert "fatal" not in git(root, "fsck")


def test_links_name_the_purged_one_by_the_tail_of_its_id(store: Store, record_id: str) -> None:
    purge(store, record_id)

    root = store.place.vault.root
    mark = f"purged-{record_id[-6:].lower()}"
    assert (root / "mine.md").read_text(encoding="utf-8").startswith(f"See [[{mark}]] and [[2")
    silence = next(path for path in root.glob("observations/**/*silence*.md"))
    assert f'supersedes:\n  - "[[{mark}]]"' in silence.read_text(encoding="utf-8")


def test_a_deleted_memory_can_be_purged(store: Store, record_id: str) -> None:
    store.remove(record_id)

    purge(store, record_id)

    assert holders(store, WORD) == []


def test_a_memory_that_a_person_renamed_goes_with_all_its_names(
    store: Store, record_id: str
) -> None:
    root = store.place.vault.root
    path = store.get(record_id).note.path
    git(root, "mv", str(path), "moved.md")
    git(root, "commit", "-qm", "moved")

    purge(store, "moved.md")

    assert holders(store, WORD) == []


def test_a_person_s_own_note_is_purged_by_its_path(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    (root / "Plan.md").write_text("The zeppelin lands.\n", encoding="utf-8")
    (root / "other.md").write_text("My Plan is [[Plan#Part|this]].\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "plans")

    purge(store, "Plan.md")

    assert holders(store, "zeppelin") == []
    assert (root / "other.md").read_text(encoding="utf-8") == "My Plan is [[purged]].\n"


def test_a_text_goes_from_files_and_messages(store: Store, record_id: str) -> None:
    purge(store, texts=(WORD,))

    assert holders(store, WORD) == []
    assert store.get(record_id).note.record.title == "The removed plays"
    assert "The removed plays" in git(store.place.vault.root, "log", "--format=%s")


def test_a_file_whose_name_holds_the_text_gets_another_one(store: Store, record_id: str) -> None:
    root = store.place.vault.root

    purge(store, texts=(WORD,))

    path = store.get(record_id).note.path
    assert f"-the-removed-plays-{record_id[-6:].lower()}.md" in path.name
    assert (root / path).exists()
    assert git(root, "status", "--porcelain") == ""
    assert "[[" + path.stem in (root / "mine.md").read_text(encoding="utf-8")


def test_a_committer_s_name_that_holds_the_text_is_told(store: Store, record_id: str) -> None:
    git(store.place.vault.root, "-c", f"user.name={WORD}", "commit", "--allow-empty", "-qm", "me")

    with pytest.raises(UnavailableError, match="1 objects still hold it"):
        purge(store, texts=(WORD,))


def test_a_regular_expression_goes_too(store: Store, record_id: str) -> None:
    (store.place.vault.root / "mine.md").write_text("key 12345-x, key 9-x\n", encoding="utf-8")
    git(store.place.vault.root, "commit", "-qam", "key")

    purge(store, texts=(r"\d{5}-x",), is_regex=True)

    assert (store.place.vault.root / "mine.md").read_text("utf-8") == "key removed, key 9-x\n"
    assert holders(store, "12345-x") == []


def test_tags_and_other_branches_are_rewritten(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    git(root, "tag", "-am", "a release", "v1")
    git(root, "branch", "side", "HEAD~1")

    purge(store, record_id)

    assert holders(store, WORD) == []
    assert git(root, "log", "--format=%s", "side").splitlines()[0] == "mine"
    assert git(root, "cat-file", "-t", "v1") == "tag\n"


def test_an_unrelated_edit_stays(store: Store, record_id: str) -> None:
    kept = next(store.place.vault.root.glob("observations/**/*kept*.md"))
    text = kept.read_text(encoding="utf-8") + "\nOne more line.\n"
    kept.write_text(text, encoding="utf-8")

    purge(store, record_id)

    assert kept.read_text(encoding="utf-8") == text


def test_an_edit_of_a_file_to_change_is_no_victim(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    (root / "mine.md").write_text("Half a thought", encoding="utf-8")
    head = git(root, "rev-parse", "HEAD")

    with pytest.raises(RefusedError, match=r"mine\.md: not committed"):
        purge(store, record_id)

    assert (root / "mine.md").read_text(encoding="utf-8") == "Half a thought"
    assert git(root, "rev-parse", "HEAD") == head


def test_a_branch_that_moves_meanwhile_stops_it(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    with purging(store, Wanted((record_id,))) as prepared:
        git(root, "commit", "-qm", "meanwhile", "--allow-empty")
        head = git(root, "rev-parse", "HEAD")

        with pytest.raises(UnavailableError, match="update-ref failed"):
            prepared.carry_out()

    assert git(root, "rev-parse", "HEAD") == head
    assert store.get(record_id).note.record.id == record_id
    assert not finish(store)
    assert "mnemos-purge" not in git(root, "for-each-ref")


def test_a_rehearsal_changes_nothing(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    before = sorted(everything(root / "observations")), git(root, "for-each-ref")

    with purging(store, Wanted((record_id,))) as prepared:
        plan = prepared.plan

    assert (sorted(everything(root / "observations")), git(root, "for-each-ref")) == before
    assert (plan.files_deleted, len(plan.versions)) == (plan.files, 3)
    assert plan.files_changed == ("mine.md", plan.files_changed[1])


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (Wanted(("01KBC3W6H5M0V2T8N4Q9F7K3QX",)), NotFoundError),
        (Wanted(("no/such.md",)), NotFoundError),
        (Wanted(("../out.md",)), RefusedError),
        (Wanted(texts=("never written",)), NotFoundError),
        (Wanted(texts=("a  ",)), InvalidQueryError),
        (Wanted(texts=("two\nlines",)), InvalidQueryError),
        (Wanted(texts=("a(((b",), is_regex=True), InvalidQueryError),
    ],
)
def test_what_cannot_be_purged_is_refused(
    store: Store, record_id: str, wanted: Wanted, error: type[Exception]
) -> None:
    with pytest.raises(error), purging(store, wanted):
        raise AssertionError("it was prepared")


def test_a_repository_with_stashes_is_refused(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    (root / "mine.md").write_text("Half a thought", encoding="utf-8")
    git(root, "stash")

    with pytest.raises(RefusedError, match="stashes"), purging(store, Wanted((record_id,))):
        raise AssertionError("it was prepared")


@pytest.mark.parametrize("place", ["", "code", "code/docs/memory"])
def test_a_vault_in_a_folder_of_a_repository(
    vault: Path,
    tmp_path: Path,
    open_vault: OpenStore,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = tmp_path / "code"
    git(tmp_path, "clone", "-q", str(vault), str(root))
    git(root, "config", "user.name", "Ines Example")
    git(root, "config", "user.email", "ines@example.org")
    (root / "main.c").write_text("int main;\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "code")
    (root / "docs/memory").mkdir(parents=True)
    store = open_vault(root / "docs/memory")
    saved = store.put(an_observation(store, title=f"The {WORD} plays"))
    linking = f"- [[{saved.path.stem}]]\n"
    (root / "docs/memory/links.md").write_text(linking, encoding="utf-8")
    git(root, "add", "docs")
    git(root, "commit", "-qm", "links")
    monkeypatch.chdir(tmp_path / place)

    purge(store, saved.record.id)

    assert holders(store, WORD) == []
    assert (root / "main.c").read_text(encoding="utf-8") == "int main;\n"
    assert store.place.vault.stamp(PurePosixPath(saved.path)) is None
    assert git(root, "status", "--porcelain") == ""
    assert "[[purged-" in (root / "docs/memory/links.md").read_text(encoding="utf-8")


def test_a_text_in_journal_lines_without_a_commit_is_not_committed_later(
    store: Store, record_id: str
) -> None:
    store.journal.append([Touched(NOON, f"src/{WORD}.py", "api")])

    purge(store, texts=(WORD,))
    store.commit_journal()

    assert holders(store, WORD) == []


def test_files_whose_names_become_the_same_are_all_kept(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    for number in (1, 2, 3):
        (root / f"key-{number}.md").write_text(f"{number}\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "keys")

    purge(store, texts=(r"key-\d",), is_regex=True)

    assert (root / "removed.md").read_text("utf-8") == "1\n"
    assert (root / "removed-2.md").read_text("utf-8") == "2\n"
    assert (root / "removed-3.md").read_text("utf-8") == "3\n"
    assert git(root, "status", "--porcelain") == ""


def test_what_would_hold_it_even_so_is_told_before(store: Store, record_id: str) -> None:
    root = store.place.vault.root
    (root / "a.bin").write_bytes(b"\0" + WORD.encode())
    git(root, "add", "a.bin")
    git(root, "commit", "-qm", "binary")
    (root / "loose.txt").write_text(WORD, encoding="utf-8")

    with purging(store, Wanted(texts=(WORD,))) as prepared:
        assert prepared.plan.left == ("a.bin",)
        assert prepared.plan.loose == ("loose.txt",)

    purge(store, "a.bin")
    purge(store, texts=(WORD,))
    (root / "loose.txt").unlink()
    assert holders(store, WORD) == []


@pytest.mark.parametrize("name", ["a==>b.md", "regex:a.md", "(x)*$ #1.md"])
def test_a_strange_name_is_purged_by_its_path(store: Store, record_id: str, name: str) -> None:
    root = store.place.vault.root
    (root / name).write_text("gone\n", encoding="utf-8")
    (root / "other.md").write_text(f"See [[{name}]] and a.\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "strange")

    purge(store, name)

    assert not (root / name).exists()
    assert (root / "other.md").read_text("utf-8").endswith("and a.\n")
    assert git(root, "status", "--porcelain") == ""


def test_a_message_that_git_keeps_of_the_last_commit_goes_too(store: Store, record_id: str) -> None:
    git(store.place.vault.root, "commit", "--allow-empty", "-qm", f"the {WORD} again")

    purge(store, texts=(WORD,))

    assert holders(store, WORD) == []
