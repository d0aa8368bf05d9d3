"""Which branch of which remote, and what git says about it."""

from pathlib import Path

import pygit2
import pytest

from mnemos_files.errors import InvalidQueryError, RefusedError, UnavailableError
from mnemos_files.history.layout import layout_of
from mnemos_files.history.remote import Remote, Upstream, upstream_of
from tests.conftest import git


@pytest.fixture
def root(vault) -> Path:
    return vault.root


@pytest.fixture
def hub(tmp_path: Path, root: Path) -> Path:
    bare = tmp_path / "hub.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    git(root, "remote", "add", "origin", str(bare))
    return bare


def remote_of(root: Path, branch: str = "") -> Remote:
    repo = pygit2.Repository(str(root))
    layout = layout_of(repo, root)
    assert layout is not None
    return Remote(repo, layout, upstream_of(repo, "", branch))


def chosen(root: Path, remote: str = "", branch: str = "") -> Upstream:
    return upstream_of(pygit2.Repository(str(root)), remote, branch)


def test_the_only_remote_and_the_branch_of_the_same_name_are_meant(root, hub):
    assert chosen(root) == Upstream("origin", "main", "main")


def test_what_git_is_set_up_for_counts(root, hub):
    git(root, "remote", "add", "backup", str(hub))
    git(root, "config", "branch.main.remote", "backup")
    git(root, "config", "branch.main.merge", "refs/heads/trunk")

    assert chosen(root) == Upstream("backup", "main", "trunk")
    assert chosen(root, "origin") == Upstream("origin", "main", "main")
    assert chosen(root, branch="other") == Upstream("backup", "main", "other")


def test_of_several_remotes_origin_is_meant_else_a_name_is_wanted(root, hub):
    git(root, "remote", "add", "backup", str(hub))
    assert chosen(root).remote == "origin"
    git(root, "remote", "rename", "origin", "home")

    with pytest.raises(RefusedError, match="which remote") as caught:
        chosen(root)

    assert "Name one of backup, home" in caught.value.remedy


@pytest.mark.parametrize("name", ["--upload-pack=touch x", "nowhere", "ext::sh -c x"])
def test_only_names_of_remotes_are_taken(root, hub, name):
    with pytest.raises(InvalidQueryError, match="no remote of this repository"):
        chosen(root, name)


def test_only_names_of_branches_are_taken(root, hub):
    with pytest.raises(InvalidQueryError, match="no name of a branch"):
        chosen(root, branch="a..b")


def test_a_detached_head_has_no_branch_to_exchange(root, hub):
    git(root, "checkout", "-q", "--detach")

    with pytest.raises(RefusedError, match="detached"):
        chosen(root)


def test_a_branch_that_is_not_there_yet_is_pushed_and_then_seen(root, hub):
    remote = remote_of(root)
    head = git(root, "rev-parse", "HEAD").strip()

    assert (remote.fetch(), remote.seen()) == ("", "")
    assert remote.push(head)
    assert remote.seen() == head
    assert remote_of(root).fetch() == head
    assert not (root / ".git/FETCH_HEAD").exists()


def test_a_push_is_refused_when_the_branch_has_moved(root, hub, tmp_path):
    git(root, "push", "-q", "origin", "main")
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(hub), str(other))
    for folder in (root, other):
        git(folder, "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty",
            "-m", folder.name)  # fmt: skip
    git(other, "push", "-q", "origin", "main")
    there = git(hub, "rev-parse", "main")

    assert not remote_of(root).push(git(root, "rev-parse", "HEAD").strip())
    assert git(hub, "rev-parse", "main") == there


def test_what_a_server_says_to_a_push_is_passed_on(root, hub):
    hook = hub / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho branch is protected >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(UnavailableError, match="branch is protected"):
        remote_of(root).push(git(root, "rev-parse", "HEAD").strip())


def test_no_program_of_the_repository_is_run_but_those_to_sign_in(root, hub, tmp_path):
    git(root, "push", "-q", "origin", "main")
    canary = tmp_path / "canary"
    for name in ("reference-transaction", "post-merge", "post-checkout", "pre-auto-gc"):
        hook = root / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {canary}\n")
        hook.chmod(0o755)
    git(root, "config", "core.fsmonitor", f"touch {canary}")

    remote_of(root).fetch()

    assert not canary.exists()


def test_an_address_that_runs_a_program_is_not_fetched_from(root, hub, tmp_path):
    canary = tmp_path / "canary"
    git(root, "remote", "set-url", "origin", f"ext::sh -c touch% {canary}")
    git(root, "config", "protocol.ext.allow", "always")

    with pytest.raises(UnavailableError):
        remote_of(root).fetch()

    assert not canary.exists()
