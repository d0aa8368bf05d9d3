"""Two clones of one vault, brought together through a bare repository."""

from dataclasses import replace
from pathlib import Path

import pytest

from mnemos_files.errors import ConflictError, RefusedError, UnavailableError
from mnemos_files.history.remote import Remote
from mnemos_files.model.event import Accessed
from mnemos_files.store.exchange import Distance
from tests.conftest import an_observation, git


@pytest.fixture
def hub(tmp_path: Path, vault: Path) -> Path:
    """A bare repository that the vault is a clone of."""
    bare = tmp_path / "hub.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    git(vault, "remote", "add", "origin", str(bare))
    return bare


@pytest.fixture
def ours(vault, hub, open_vault, tmp_path):
    store = open_vault(vault, cache_folder=tmp_path / "cache-ours")
    store.put(an_observation(store))
    store.exchange.sync()
    return store


@pytest.fixture
def theirs(ours, hub, tmp_path, open_vault):
    """A store on another clone, that has all that ours has."""
    clone = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(hub), str(clone))
    git(clone, "config", "user.name", "Tom Example")
    git(clone, "config", "user.email", "tom@example.org")
    return open_vault(clone, cache_folder=tmp_path / "cache-theirs")


def root(store) -> Path:
    return store.place.vault.root


def tree(store) -> str:
    return git(root(store), "rev-parse", "HEAD^{tree}").strip()


def only_path(store) -> str:
    (path,) = (path for path in store.index.entries if path.startswith("observations/"))
    return path


def only(store):
    return store.index.entries[only_path(store)].record


def retitled(store, title):
    store.refresh()
    return store.update(only(store).id, lambda note: replace(note.record, title=title), op="edit")


def together(one, other):
    """Sync both until neither has news; the report of the second one's merge."""
    one.exchange.sync()
    report = other.exchange.sync()
    one.exchange.sync()
    assert tree(one) == tree(other)
    for store in (one, other):
        assert git(root(store), "status", "--porcelain") == ""
        assert git(root(store), "fsck", "--no-dangling") == ""
    return report


def test_an_empty_remote_gets_what_we_have(vault, hub, open_vault):
    store = open_vault(vault)
    store.put(an_observation(store))

    report = store.exchange.sync()

    assert (report.upstream, report.received, report.sent) == ("origin/main", 0, 3)
    assert git(hub, "rev-parse", "main") == git(vault, "rev-parse", "HEAD")


def test_git_itself_knows_where_to_pull_from_after_the_first_sync(ours):
    assert git(root(ours), "rev-parse", "--abbrev-ref", "@{upstream}") == "origin/main\n"
    assert "up to date" in git(root(ours), "pull", "--no-rebase")


def test_a_remote_that_is_named_once_does_not_become_the_usual_one(store, hub):
    git(root(store), "remote", "add", "backup", str(hub))

    store.exchange.sync("backup")

    assert git(root(store), "config", "--get-regexp", "^branch", check=False) == ""


def test_a_side_without_news_moves_forward_to_the_very_commit(ours, theirs):
    ours.put(an_observation(ours, title="Second", content="Two."))
    ours.exchange.sync()

    report = theirs.exchange.sync()

    assert (report.received, report.sent, report.files, report.is_merged) == (1, 0, 1, False)
    assert git(root(theirs), "rev-parse", "HEAD") == git(root(ours), "rev-parse", "HEAD")
    assert git(root(theirs), "status", "--porcelain") == ""
    theirs.refresh()
    assert {entry.record.title for entry in theirs.index.entries.values()} >= {"Second"}


def test_memories_of_both_sides_meet_in_one_commit_of_two_parents(ours, theirs):
    ours.put(an_observation(ours, title="Second", content="Two."))
    theirs.put(an_observation(theirs, title="Third", content="Three."))

    report = together(ours, theirs)

    assert (report.received, report.sent, report.is_merged, report.conflicts) == (1, 2, True, ())
    shown = git(root(theirs), "log", "-1", "--format=%s|%an|%(trailers:key=Mnemos-Op,valueonly)%P")
    assert shown.startswith("merge(vault): origin/main|Tom Example|merge\n")
    assert len(shown.split()[-2:]) == 2


def test_two_changes_of_one_memory_are_merged_by_key(ours, theirs):
    theirs.refresh()
    retitled(ours, "Use Argon2id everywhere")
    name = only(theirs).id
    theirs.update(name, lambda note: replace(note.record, tags=("hashing",)), op="edit")

    report = together(ours, theirs)

    assert report.conflicts == ()
    ours.refresh()
    assert (only(ours).title, only(ours).tags) == ("Use Argon2id everywhere", ("hashing",))


def test_a_contradiction_is_reported_and_both_sides_have_the_same_note(ours, theirs):
    theirs.refresh()
    retitled(ours, "Use scrypt")
    retitled(theirs, "Use bcrypt")

    report = together(ours, theirs)

    ((path, names),) = report.conflicts
    assert names == ("title",)
    (problem,) = [each for each in ours.problems() if each.rule == "merge-conflict"]
    assert problem.path == path
    assert "Both versions stand in:" in git(root(theirs), "log", "-1", "--format=%b")


def test_a_note_moved_on_one_side_and_changed_on_the_other_is_one_note(ours, theirs):
    theirs.refresh()
    path = only_path(theirs)
    (root(theirs) / "observations/api").mkdir(parents=True)
    git(root(theirs), "mv", path, "observations/api/moved.md")
    git(root(theirs), "commit", "-q", "-m", "move")
    retitled(ours, "Use Argon2id everywhere")

    report = together(theirs, ours)

    assert report.conflicts == ()
    assert git(root(ours), "ls-files", "observations") == "observations/api/moved.md\n"
    assert (
        "title: Use Argon2id everywhere" in (root(ours) / "observations/api/moved.md").read_text()
    )


def test_a_note_moved_on_both_sides_ends_at_one_place(ours, theirs):
    theirs.refresh()
    path = only_path(theirs)
    for store, name in ((ours, "observations/b.md"), (theirs, "observations/a.md")):
        git(root(store), "mv", path, name)
        git(root(store), "commit", "-q", "-m", "move")

    together(ours, theirs)

    assert git(root(ours), "ls-files", "observations") == "observations/a.md\n"


def test_a_memory_deleted_here_and_changed_there_stays_with_a_problem(ours, theirs):
    theirs.refresh()
    retitled(theirs, "Use Argon2id everywhere")
    ours.refresh()
    ours.remove(only(ours).id)

    report = together(ours, theirs)

    assert [names for _, names in report.conflicts] == [("file",)]
    ours.refresh()
    assert only(ours).title == "Use Argon2id everywhere"
    assert [each.rule for each in ours.problems()] == ["merge-conflict"]


def test_an_edit_that_is_in_no_commit_is_adopted_before_the_merge(ours, theirs):
    theirs.refresh()
    retitled(ours, "Use Argon2id everywhere")
    ours.exchange.sync()
    file = root(theirs) / only_path(theirs)
    file.write_text(file.read_text().replace("72 bytes.", "72 bytes, mind that."))

    report = theirs.exchange.sync()

    assert report.is_merged
    assert "72 bytes, mind that." in file.read_text()
    assert "title: Use Argon2id everywhere" in file.read_text()
    subjects = git(root(theirs), "log", "--format=%s|%an", "-3").split("\n")
    assert "edit(decision): Use Argon2id for password hashing|Tom Example" in subjects


def test_an_edit_stays_and_nothing_is_merged_where_the_settings_say_never(ours, theirs):
    theirs.refresh()
    config = root(theirs) / ".mnemos/config.toml"
    config.write_text(config.read_text() + '\n[git]\nadopt_edits = "never"\n')
    theirs.place.settings = replace(theirs.settings, adopt_edits="never")
    retitled(ours, "Use Argon2id everywhere")
    ours.exchange.sync()
    file = root(theirs) / only_path(theirs)
    file.write_text(file.read_text() + "\nMine.\n")
    before = (file.read_text(), git(root(theirs), "rev-parse", "HEAD"))

    with pytest.raises(ConflictError, match="in no commit would be overwritten"):
        theirs.exchange.sync()

    assert (file.read_text(), git(root(theirs), "rev-parse", "HEAD")) == before


def test_edits_of_files_that_the_merge_leaves_alone_stay_as_they_are(ours, theirs):
    ours.put(an_observation(ours, title="Second", content="Two."))
    ours.exchange.sync()
    (root(theirs) / "Home.md").write_text("# Mine\n")
    (root(theirs) / "draft.md").write_text("new\n")
    git(root(theirs), "add", "draft.md")

    theirs.exchange.sync()

    assert git(root(theirs), "status", "--porcelain") == " M Home.md\nA  draft.md\n"


def test_a_file_that_nobody_has_added_is_not_overwritten(ours, theirs):
    (root(ours) / "garden.md").write_text("roses\n")
    git(root(ours), "add", "garden.md")
    git(root(ours), "commit", "-q", "-m", "garden")
    ours.exchange.sync()
    (root(theirs) / "garden.md").write_text("lilies\n")

    with pytest.raises(ConflictError, match=r"garden\.md"):
        theirs.exchange.sync()

    assert (root(theirs) / "garden.md").read_text() == "lilies\n"


def test_notes_of_a_person_that_contradict_each_other_are_left_to_git(ours, theirs):
    for store, text in ((ours, "# House\n"), (theirs, "# Garden\n")):
        (root(store) / "Home.md").write_text(text)
        git(root(store), "commit", "-q", "-am", "home")
    ours.exchange.sync()

    with pytest.raises(RefusedError, match=r"files of your own.*Home\.md") as caught:
        theirs.exchange.sync()

    assert "git pull" in caught.value.remedy
    assert (root(theirs) / "Home.md").read_text() == "# Garden\n"
    assert git(root(theirs), "status", "--porcelain") == ""


def test_files_of_all_kinds_come_along(ours, theirs):
    (root(ours) / "picture.png").write_bytes(b"\x89PNG\0\r\n")
    (root(ours) / ".obsidian").mkdir()
    (root(ours) / ".obsidian/app.json").write_text("{}\n")
    script = root(ours) / "tool.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    git(root(ours), "add", "-A")
    git(root(ours), "commit", "-q", "-m", "files")
    theirs.put(an_observation(theirs, title="Third", content="Three."))

    together(ours, theirs)

    assert (root(theirs) / "picture.png").read_bytes() == b"\x89PNG\0\r\n"
    assert git(root(theirs), "ls-files", "-s", "tool.sh").startswith("100755")


def test_a_file_renamed_in_letters_case_only_comes_under_its_new_name(ours, theirs):
    (root(ours) / "readme.md").write_text("# Read\n")
    git(root(ours), "add", "readme.md")
    git(root(ours), "commit", "-q", "-m", "a note")
    together(ours, theirs)
    git(root(ours), "mv", "readme.md", "README.md")
    git(root(ours), "commit", "-q", "-m", "louder")

    together(ours, theirs)

    names = [path.name for path in root(theirs).iterdir() if path.name.lower() == "readme.md"]
    assert names == ["README.md"]


def test_line_ends_are_those_of_the_work_tree(ours, theirs):
    git(root(theirs), "config", "core.autocrlf", "true")
    (root(ours) / "garden.md").write_text("roses\nlilies\n")
    git(root(ours), "add", "garden.md")
    git(root(ours), "commit", "-q", "-m", "garden")
    theirs.put(an_observation(theirs, title="Third", content="Three."))
    ours.exchange.sync()

    theirs.exchange.sync()

    assert (root(theirs) / "garden.md").read_bytes() == b"roses\r\nlilies\r\n"
    assert git(root(theirs), "diff", "--stat", "--", "garden.md") == ""


def test_events_of_the_journal_are_committed_and_sent(ours, theirs):
    theirs.refresh()
    theirs.journal.append([Accessed(theirs.now(), (only(theirs).id,))])

    report = theirs.exchange.sync()

    assert report.sent == 1
    ours.exchange.sync()
    assert list((root(ours) / ".mnemos/journal").glob("*/2026-12.jsonl"))


def test_a_push_that_lost_a_race_merges_again(ours, theirs, monkeypatch):
    theirs.put(an_observation(theirs, title="Third", content="Three."))
    ours.put(an_observation(ours, title="Second", content="Two."))
    real, raced = Remote.push, []

    def push(self, commit):
        if not raced:
            raced.append(1)
            ours.exchange.sync()
        return real(self, commit)

    monkeypatch.setattr(Remote, "push", push)

    report = theirs.exchange.sync()

    assert (report.received, report.is_merged) == (1, True)
    ours.exchange.sync()
    assert tree(ours) == tree(theirs)


def test_without_push_the_remote_stays_as_it_is(ours, theirs, hub):
    before = git(hub, "rev-parse", "main")
    theirs.put(an_observation(theirs, title="Third", content="Three."))

    report = theirs.exchange.sync(push=False)

    assert report.sent == 0
    assert git(hub, "rev-parse", "main") == before
    assert theirs.exchange.distance() == Distance("origin/main", 1, 0)


def test_a_vault_without_a_remote_says_how_to_add_one(store):
    store.put(an_observation(store))

    with pytest.raises(RefusedError, match="no remote") as caught:
        store.exchange.sync()

    assert "git remote add origin" in caught.value.remedy
    assert store.exchange.distance() is None


def test_a_remote_that_cannot_be_reached_is_told_without_its_password(ours):
    git(root(ours), "remote", "set-url", "origin", "http://me:secret@127.0.0.1:9/x.git")

    with pytest.raises(UnavailableError) as caught:
        ours.exchange.sync()

    assert "could not fetch from origin/main" in caught.value.message
    assert "secret" not in caught.value.message


def test_histories_with_nothing_in_common_are_refused(ours, tmp_path, open_vault, hub):
    other = tmp_path / "stranger"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    git(other, "remote", "add", "origin", str(hub))
    store = open_vault(other, cache_folder=tmp_path / "cache-stranger")
    store.put(an_observation(store))
    head = git(other, "rev-parse", "HEAD")

    with pytest.raises(RefusedError, match="no commit in common"):
        store.exchange.sync()

    assert git(other, "rev-parse", "HEAD") == head


def test_in_the_middle_of_a_merge_nothing_is_done(ours, theirs):
    for store, text in ((ours, "a\n"), (theirs, "b\n")):
        (root(store) / "x.txt").write_text(text)
        git(root(store), "add", "x.txt")
        git(root(store), "commit", "-q", "-m", "x")
    git(root(ours), "push", "-q", "origin", "main")
    git(root(theirs), "pull", "-q", "--no-rebase", "origin", "main", check=False)

    with pytest.raises(RefusedError, match="a merge is in progress"):
        theirs.exchange.sync()


def test_a_hook_that_looks_at_pushes_is_never_gone_around(ours, hub):
    hook = root(ours) / ".git/hooks/pre-push"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    before = git(hub, "rev-parse", "main")
    ours.put(an_observation(ours, title="Second", content="Two."))

    with pytest.raises(RefusedError, match="pre-push"):
        ours.exchange.sync()

    assert git(hub, "rev-parse", "main") == before


def test_branches_that_crossed_are_merged_over_their_common_commits(ours, theirs):
    """Each side merges the other's commit, so there are two last common ones."""
    theirs.refresh()
    retitled(ours, "Use scrypt")
    theirs.update(only(theirs).id, lambda note: replace(note.record, tags=("x",)), op="edit")
    for store, other in ((ours, theirs), (theirs, ours)):
        bare = root(store).parent / f"cross-{root(store).name}.git"
        git(root(store), "clone", "-q", "--bare", str(root(other)), str(bare))
        git(root(store), "remote", "add", "cross", str(bare))
    assert ours.exchange.sync("cross", push=False).is_merged
    assert theirs.exchange.sync("cross", push=False).is_merged
    assert git(root(ours), "rev-parse", "HEAD") != git(root(theirs), "rev-parse", "HEAD")
    ours.refresh()
    theirs.refresh()
    retitled(ours, "Use bcrypt")
    theirs.update(only(theirs).id, lambda note: replace(note.record, importance=9), op="edit")

    report = together(ours, theirs)

    assert report.conflicts == ()
    ours.refresh()
    record = only(ours)
    assert (record.title, record.tags, record.importance) == ("Use bcrypt", ("x",), 9)


def test_a_vault_in_a_folder_of_a_repository_is_not_synced_with_other_files(
    tmp_path, open_vault, hub
):
    code = tmp_path / "code"
    git(tmp_path, "clone", "-q", str(hub), str(code))
    git(code, "config", "user.name", "Ines Example")
    git(code, "config", "user.email", "ines@example.org")
    (code / "main.py").write_text("print()\n")
    (code / "memory").mkdir()
    git(code, "add", "-A")
    git(code, "commit", "-q", "-m", "code")
    git(code, "push", "-q", "origin", "HEAD:main")
    store = open_vault(code / "memory")
    store.put(an_observation(store))

    assert store.exchange.sync().sent == 2

    (code / "main.py").write_text("print(1)\n")
    git(code, "commit", "-q", "-am", "half done")
    with pytest.raises(RefusedError, match=r"outside of the vault too: main\.py"):
        store.exchange.sync()
