"""Making commits: objects first, then the branch, then the git index."""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime

import pygit2

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.history.attributes import Attributes
from mnemos_files.history.chain import Chain, Maker, build
from mnemos_files.history.fetching import let_pull_pass
from mnemos_files.history.identity import Identity, person
from mnemos_files.history.layout import Layout
from mnemos_files.history.locks import Locks, Patience
from mnemos_files.history.message import one_line
from mnemos_files.history.objects import object_writer
from mnemos_files.history.process import Git
from mnemos_files.history.refs import Branch, Move, current_branch, swap
from mnemos_files.history.signing import signer
from mnemos_files.history.staging import Staging, Target
from mnemos_files.history.state import blocked
from mnemos_files.history.trees import Files, tree_of
from mnemos_files.history.values import Change, CommitResult, Step

FILES_OF_A_COMMIT = 5
"""Files [1] of a large commit that make as many objects as a small commit does."""

_ATTEMPTS = 20
"""Times that a chain is built anew because another program moved the branch in between."""


class Writer:
    """The one place that moves the branch. The repository object is its own."""

    def __init__(self, repo: pygit2.Repository, layout: Layout, locks: Locks) -> None:
        self._repo = repo
        self._layout = layout
        self._locks = locks
        self._lock = threading.RLock()
        self._attributes = Attributes(repo, Git(layout.git_dir, layout.workdir))
        self._staging = Staging(layout, repo, locks)

    def commit(self, changes: Sequence[Change], now: datetime) -> CommitResult:
        """One commit for each change, one move of the branch, one update of the git index.

        Raises:
            RefusedError: no commit may be made now, or a path cannot be committed.
            UnavailableError: a lock is held, signing failed, or git's folder cannot be written.
        """
        try:
            with self._lock, self._locks.writing():
                return self._commit(changes, now)
        except (pygit2.GitError, KeyError, OSError) as error:
            message = f"git could not make the commit: {error}"
            raise UnavailableError(message, remedy="Run `git fsck` if this stays.") from error

    def advance(self, step: Step, now: datetime) -> CommitResult | None:
        """Move the branch on to a commit that is there; None when it is not where it was.

        Raises:
            RefusedError: the branch may not be moved now.
            UnavailableError: a lock is held, or git's folder cannot be written.
        """
        try:
            with self._lock, self._locks.writing():
                return self._advance(step, now)
        except (pygit2.GitError, KeyError, OSError) as error:
            message = f"git could not move the branch: {error}"
            raise UnavailableError(message, remedy="Run `git fsck` if this stays.") from error

    def repair(self) -> list[str]:
        """Bring the git index up to date for paths that fell behind; notices, usually none.

        Raises:
            UnavailableError: another writer is busy, or git's folder cannot be written.
        """
        with self._lock:
            if not self._staging.is_behind():
                return []
            with self._locks.writing():
                return self._staging.repair()

    def _commit(self, changes: Sequence[Change], now: datetime) -> CommitResult:
        for _ in range(_ATTEMPTS):
            patience = Patience()
            let_pull_pass(self._repo, self._layout)
            if why := blocked(self._repo):
                raise RefusedError("git-state", why)
            branch = current_branch(self._repo)
            identity = person(self._repo)
            chain = self._build(branch, changes, identity, now)
            if chain.tip == branch.tip:
                return CommitResult(tuple(chain.commits))
            self._staging.note(chain.before)
            move = Move(branch, chain.tip, identity, now, _reflog_message(branch, changes))
            let_pull_pass(self._repo, self._layout)
            notices = self._staging.around(chain.targets, self._mover(move, patience), patience)
            if notices is not None:
                return CommitResult(tuple(chain.commits), tuple(notices), branch.tip, chain.tip)
        raise UnavailableError("other programs keep moving the branch", remedy="Try again.")

    def _advance(self, step: Step, now: datetime) -> CommitResult | None:
        if why := blocked(self._repo):
            raise RefusedError("git-state", why)
        branch = current_branch(self._repo)
        if branch.tip != step.base:
            return None
        old, new = (Files(tree_of(self._repo, commit)) for commit in (step.base, step.tip))
        before, targets = {}, {}
        for name, data in step.files.items():
            path = self._layout.in_repository(name)
            was = old.find(path)
            before[path] = "" if was is None else str(was.id)
            targets[path] = Target(new.find(path), data)
        self._staging.note(before)
        patience = Patience()
        move = Move(branch, step.tip, person(self._repo), now, step.message)
        notices = self._staging.around(targets, self._mover(move, patience), patience)
        if notices is None:
            return None
        return CommitResult((step.tip,), tuple(notices), step.base, step.tip)

    def _mover(self, move: Move, patience: Patience) -> Callable[[], bool]:
        return lambda: swap(self._repo, self._layout, self._locks, move, patience)

    def _build(
        self, branch: Branch, changes: Sequence[Change], identity: Identity, now: datetime
    ) -> Chain:
        made_by = signer(self._repo, identity)
        maker = Maker(self._layout, self._attributes, identity, made_by, now)
        files = sum(len(change.files) for change in changes)
        objects = object_writer(self._layout, max(len(changes), files // FILES_OF_A_COMMIT))
        chain = build(objects.repo, branch.tip, changes, maker)
        objects.publish()
        return chain


def _reflog_message(branch: Branch, changes: Sequence[Change]) -> str:
    kind = "commit" if branch.tip else "commit (initial)"
    more = f" (and {len(changes) - 1} more)" if len(changes) > 1 else ""
    return f"{kind}: {one_line(changes[-1].subject)}{more}"
