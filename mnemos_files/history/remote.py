"""Another repository of the same history: what it has, and giving it what it lacks.

The git program does it, since people have set that up: addresses, keys, credential helpers. It runs
without a terminal, so nothing waits for a password, and never with force.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pygit2

from mnemos_files.errors import InvalidQueryError, RefusedError, UnavailableError
from mnemos_files.history.layout import Layout
from mnemos_files.history.process import Finished, Git, environment
from mnemos_files.history.refs import current_branch

NETWORK_SECONDS = 120.0
"""Longest time [s] for one exchange: a first fetch of a large vault over a slow line."""

STALL_SECONDS = 20
"""Time [s] without news from a server over HTTP after which git gives up."""

_HEADS = "refs/heads/"
_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS_REQUIRE": "never",
    "LC_ALL": "C",
}
_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=15"
_SECRET = re.compile(r"(?<=://)[^/@\s]+@")
_LOST_RACE = ("fetch first", "non-fast-forward", "stale info", "cannot lock ref", "failed to lock")
_NO_BRANCH = "couldn't find remote ref"
_CAUSES = (
    (("Could not resolve", "unable to access", "Connection", "timed out", "no end after",
      "unreachable", "HTTP code 5", "returned error: 5"),
     "Check the network; nothing is lost, sync again when it works."),
    (("Authentication", "Permission denied", "could not read Username", "could not read Password",
      "terminal prompts disabled", "returned error: 401", "returned error: 403", "Host key"),
     "Run `git fetch` in a terminal once, so that git can ask; a credential helper or an ssh agent"
     " keeps the answer."),
    (("does not appear to be a git repository", "not found", "does not exist"),
     "Check the address: git remote -v"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where a branch is exchanged: name of the remote, our branch and theirs (short names)."""

    remote: str
    local: str
    branch: str

    @property
    def tracking(self) -> str:
        """The reference that says what we last saw there."""
        return f"refs/remotes/{self.remote}/{self.branch}"

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.remote}/{self.branch}"


class Remote:
    """One branch of one remote."""

    def __init__(self, repo: pygit2.Repository, layout: Layout, upstream: Upstream) -> None:
        self.upstream = upstream
        self._repo = repo
        self._layout = layout
        self._git = Git(layout.git_dir, layout.workdir)

    def seen(self) -> str:
        """Id of the commit that the branch had there when we last looked, "" when it had none."""
        try:
            return str(self._repo.references[self.upstream.tracking].peel(pygit2.Commit).id)
        except (KeyError, ValueError, pygit2.GitError):
            return ""

    def fetch(self) -> str:
        """Id of the commit that the branch has there now, "" when there is no such branch.

        Raises:
            UnavailableError: the remote cannot be reached, or does not let us in.
        """
        place = f"+{_HEADS}{self.upstream.branch}:{self.upstream.tracking}"
        finished = self._run(
            "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
            "--no-auto-maintenance", "--", self.upstream.remote, place,
        )  # fmt: skip
        if finished.is_ok:
            self._track()
            return self.seen()
        if _NO_BRANCH in finished.errors:
            return ""
        raise self._failure("fetch from", finished)

    def push(self, commit: str) -> bool:
        """Give the remote branch this commit; false when somebody else was quicker.

        Raises:
            RefusedError: a hook of this repository wants to see what is pushed.
            UnavailableError: the remote cannot be reached, or does not take it.
        """
        if hook := self._hook():
            message = f"this repository has a hook {hook}, which only git itself runs"
            raise RefusedError("hook", message, remedy="Push with `git push`.")
        place = f"{commit}:{_HEADS}{self.upstream.branch}"
        finished = self._run("push", "--porcelain", "--", self.upstream.remote, place)
        if finished.is_ok:
            self._track()
            return True
        told = finished.output.decode("utf-8", "replace") + finished.errors
        if any(sign in told for sign in _LOST_RACE):
            return False
        raise self._failure("push to", finished)

    def _track(self) -> None:
        """Let `git pull` and `git push` know the branch too, where git is set up for none."""
        branch = f"branch.{self.upstream.local}"
        usual = _only([str(each.name) for each in self._repo.remotes])
        if self.upstream.remote != usual or _configured(self._repo, f"{branch}.remote"):
            return
        with suppress(pygit2.GitError, OSError):  # a program holds the settings: next time
            self._repo.config[f"{branch}.merge"] = f"{_HEADS}{self.upstream.branch}"
            self._repo.config[f"{branch}.remote"] = self.upstream.remote

    def _hook(self) -> str:
        folder = self._layout.common_dir / "hooks"
        if "core.hooksPath" in self._repo.config:
            place = Path(str(self._repo.config["core.hooksPath"])).expanduser()
            folder = self._layout.workdir / place
        return "pre-push" if os.access(folder / "pre-push", os.X_OK) else ""

    def _run(self, *arguments: str) -> Finished:
        options = (
            f"http.lowSpeedTime={STALL_SECONDS}",
            "http.lowSpeedLimit=1",
            "protocol.ext.allow=never",
            "core.askPass=",
            "gc.auto=0",
            "maintenance.auto=false",
        )
        settings = [part for option in options for part in ("-c", option)]
        variables = dict(_QUIET)
        chosen = environment().keys() & {"GIT_SSH_COMMAND", "GIT_SSH"}
        if "core.sshCommand" not in self._repo.config and not chosen:
            variables["GIT_SSH_COMMAND"] = _SSH
        return self._git.run(*settings, *arguments, seconds=NETWORK_SECONDS, variables=variables)

    def _failure(self, deed: str, finished: Finished) -> UnavailableError:
        told = finished.output.decode("utf-8", "replace")
        rejected = [line.split("\t")[-1] for line in told.split("\n") if line.startswith("!")]
        lines = [*rejected, *finished.errors.split("\n")]
        said = _SECRET.sub("", "; ".join(line.strip() for line in lines if line.strip()))[:500]
        remedy = next((way for signs, way in _CAUSES if any(s in said for s in signs)), "")
        message = f"git could not {deed} {self.upstream.name}: {said}"
        return UnavailableError(message, remedy=remedy or "Try `git fetch` in a terminal.")


def upstream_of(repo: pygit2.Repository, remote: str, branch: str) -> Upstream:
    """Where the current branch is exchanged: as named, else as git is set up for it.

    Raises:
        RefusedError: HEAD is on no branch, or there is no remote to choose.
        InvalidQueryError: the remote or branch named cannot be.
    """
    local = current_branch(repo).name.removeprefix(_HEADS)
    known = [str(each.name) for each in repo.remotes]
    remote = remote or _configured(repo, f"branch.{local}.remote") or _only(known)
    if not known:
        remedy = "Add one: git remote add origin ADDRESS"
        raise RefusedError("remote", "this repository has no remote to sync with", remedy=remedy)
    if not remote:
        names = ", ".join(known)
        remedy = f"Name one of {names}: --remote NAME, or remote under [sync] in the settings."
        raise RefusedError("remote", "git does not say which remote is meant", remedy=remedy)
    if remote not in known:
        problem = f"{remote!r} is no remote of this repository"
        raise InvalidQueryError("remote", problem, remedy=f"Use one of {', '.join(known)}.")
    usual = _configured(repo, f"branch.{local}.merge").removeprefix(_HEADS)
    is_usual = remote == _configured(repo, f"branch.{local}.remote")
    branch = branch or (usual if is_usual else "") or local
    if not pygit2.reference_is_valid_name(f"{_HEADS}{branch}"):
        raise InvalidQueryError("branch", f"{branch!r} is no name of a branch")
    return Upstream(remote, local, branch)


def _configured(repo: pygit2.Repository, name: str) -> str:
    return str(repo.config[name]) if name in repo.config else ""


def _only(names: list[str]) -> str:
    return names[0] if len(names) == 1 else "origin" if "origin" in names else ""
