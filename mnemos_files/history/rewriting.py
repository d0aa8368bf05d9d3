"""Taking a text out of every commit: rewritten in a private copy first, then taken over whole.

The rewriting itself is done by git-filter-repo, which is an optional extra. Until `adopt` moves the
branches nothing of the repository changes but for objects that nobody names.
"""

import importlib.util
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mnemos_files.errors import MnemosError, RefusedError, UnavailableError
from mnemos_files.history import purge_debt
from mnemos_files.history.filtering import message_code, name_code, new_names
from mnemos_files.history.holding import (
    ABSENT,
    REWRITE_SECONDS,
    Holding,
    check_gone,
    checked,
    text_of,
)
from mnemos_files.history.process import environment, run

_TOOL = "git_filter_repo"
_KEPT = "refs/mnemos-purge/"


@dataclass(frozen=True, slots=True)
class Removal:
    """What shall be in no commit any more.

    `paths` (from the work tree's root) go with all their versions. `rules` are lines of
    git-filter-repo's --replace-text, used on files and messages; `names` are regular expressions
    that are taken out of the names of files. `titles` are replaced in the messages of commits that
    name the id beside them.
    """

    paths: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """A branch, tag or note: the object it named, and the one it will name ("" = it is gone)."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Touched:
    """A file of the current commit that changes: its blobs before and after ("" = it is not)."""

    path: str
    old: str
    new: str
    mode: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rewriting comes to. `commits` counts [changed or dropped, dropped].

    `left` are files and commits of the rewritten history that hold one of the texts even so.
    """

    moved: tuple[Moved, ...]
    touched: tuple[Touched, ...]
    commits: tuple[int, int]
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rewriting(Holding):
    """One rewriting of a repository; `folder` is an empty place for the private copy."""

    folder: Path

    def rehearse(self, removal: Removal) -> Outcome:
        """Rewrite the private copy; the repository's branches and files stay as they are.

        Raises:
            UnavailableError: git or git-filter-repo is missing or fails.
            RefusedError: the repository is of a kind that cannot be rewritten safely.
        """
        _check_tool()
        self._check_kind()
        copy = self.folder / "copy.git"
        source = str(self.layout.common_dir)
        self._git("clone", "--mirror", "--quiet", source, str(copy), at=None)
        before = self._refs(copy)
        foreign = [name for name in before if name.startswith("refs/remotes/")]
        self._delete(copy, foreign)
        counts = self._filter(copy, removal)
        after = self._refs(copy)
        mine = [name for name in before if name not in foreign]
        moved = [Moved(name, before[name], after.get(name, "")) for name in mine]
        moved = [one for one in moved if one.old != one.new]
        moved += [Moved(name, before[name], "") for name in foreign]
        left = self.left_in(copy, removal.names)
        return Outcome(tuple(moved), self._touched(copy, moved, removal), counts, left)

    def adopt(self, outcome: Outcome) -> None:
        """Take the rewritten history over and forget the old one, for good.

        Moves all branches in one transaction, brings git's index and the files that changed up to
        date, drops the reflogs and every object that nobody names.

        Raises:
            RefusedError: a branch moved since the rehearsal, or a file to change has an edit that
                is not committed; nothing was changed.
            UnavailableError: a step of git failed.
        """
        dirty = self._dirty() & {one.path for one in outcome.touched}
        fresh = (one.path for one in outcome.touched if not one.old)
        dirty |= {path for path in fresh if os.path.lexists(self.layout.workdir / path)}
        if dirty:
            raise RefusedError(
                "uncommitted",
                f"{', '.join(sorted(dirty))}: not committed, and the purge would change it",
                remedy="Commit the edits or take them back, then try again.",
            )
        debt = purge_debt.place(self.layout.git_dir)
        purge_debt.write(debt, json.dumps(asdict(outcome)))
        try:
            copy = str(self.folder / "copy.git")
            wanted = f"+refs/*:{_KEPT}*"
            self._git("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", copy, wanted)
            self._transact(outcome.moved)
        except MnemosError:
            self._forget_kept()
            purge_debt.forget(debt)
            raise
        self._settle(outcome.touched)
        purge_debt.forget(debt)

    def finish(self) -> bool:
        """Do what is left of an `adopt` that was cut short; False when no branch had moved.

        Raises:
            RefusedError: a file to change was edited since; nothing was done.
            UnavailableError: a step of git failed, or an object still holds the text.
        """
        debt = purge_debt.place(self.layout.git_dir)
        if not debt.exists():
            return False
        kept = json.loads(debt.read_text("utf-8"))
        touched = [Touched(**one) for one in kept["touched"]]
        is_done = self._has_moved([Moved(**one) for one in kept["moved"]])
        if is_done:
            self._check_untouched(touched)
            self._settle(touched)
        else:
            self._forget_kept()
        purge_debt.forget(debt)
        news = {one.new for one in touched}
        gone = frozenset(one.old for one in touched if one.old not in news)
        check_gone(self.holders(gone) if is_done else [])
        return is_done

    def _has_moved(self, moved: Sequence[Moved]) -> bool:
        """True when the branches were rewritten, also when there are newer commits on them."""
        now = self._refs(None)
        return any(one.name not in now or not self._is_in(one.old, now[one.name]) for one in moved)

    def _is_in(self, old: str, new: str) -> bool:
        if old == new:
            return True
        return self._try("merge-base", "--is-ancestor", old, new).is_ok

    def _check_untouched(self, touched: Sequence[Touched]) -> None:
        """Let pass files that are as they were before the purge, or as it makes them.

        Raises:
            RefusedError: a person has edited one of them since.
        """
        wrong = [one.path for one in touched if self._blob(one.path) not in (one.old, one.new)]
        if wrong:
            raise RefusedError(
                "uncommitted",
                f"{', '.join(wrong)}: edited since the purge was cut short",
                remedy="Keep your text elsewhere, `git checkout HEAD -- FILE`, then finish.",
            )

    def _blob(self, path: str) -> str:
        """Blob id that git would give a file of the work tree, "" when there is none."""
        place = self.layout.workdir / path
        if not os.path.lexists(place):
            return ""
        told = self._try("hash-object", f"--path={path}", "--", str(place))
        return told.output.decode().strip()

    def _settle(self, touched: Sequence[Touched]) -> None:
        """The steps after the branches have moved; each may be done again."""
        entries = [
            f"{one.mode if one.new else '0'} {one.new or ABSENT}\t{one.path}\0" for one in touched
        ]
        self._git("update-index", "-z", "--index-info", payload="".join(entries).encode())
        kept = [f"{one.path}\0" for one in touched if one.new]
        self._git("checkout-index", "-f", "-z", "--stdin", payload="".join(kept).encode())
        for one in touched:
            if not one.new:
                (self.layout.workdir / one.path).unlink(missing_ok=True)
        self._forget_kept()
        for name in ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG"):
            (self.layout.git_dir / name).unlink(missing_ok=True)
        self._git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
        self._git("gc", "--quiet", "--prune=now")

    def _forget_kept(self) -> None:
        self._delete(None, [name for name in self._refs(None) if name.startswith(_KEPT)])

    def _check_kind(self) -> None:
        common = self.layout.common_dir
        reasons = {
            "it is a shallow clone: run `git fetch --unshallow` first": common / "shallow",
            "it borrows objects of another repository (objects/info/alternates)": (
                common / "objects/info/alternates"
            ),
            "it has stashes, whose older ones would be lost: apply or drop them first": (
                common / "logs/refs/stash"
            ),
        }
        found = [reason for reason, path in reasons.items() if path.exists()]
        told = self._git("worktree", "list", "--porcelain").output.decode("utf-8", "replace")
        trees = re.findall(r"^worktree (.+)$", told, re.MULTILINE)[1:]
        if trees:
            found.append(f"it has linked work trees: `git worktree remove` {', '.join(trees)}")
        if found:
            raise RefusedError("repository", f"the history cannot be rewritten: {found[0]}")

    def _filter(self, copy: Path, removal: Removal) -> tuple[int, int]:
        command = [sys.executable, "-m", _TOOL, "--force", "--partial", "--quiet"]
        if removal.paths:
            command += [part for path in removal.paths for part in ("--path", path)]
            command.append("--invert-paths")
        if removal.rules:
            rules = self.folder / "rules"
            rules.write_bytes("".join(f"{rule}\n" for rule in removal.rules).encode())
            command += ["--replace-text", str(rules), "--replace-message", str(rules)]
        if removal.names:
            command += [
                "--filename-callback",
                name_code(new_names(self.names_in(copy), removal.names)),
            ]
        if removal.titles:
            command += ["--commit-callback", message_code(removal.titles)]
        variables = environment() | {"GIT_DIR": str(copy)}
        checked(run(command, b"", REWRITE_SECONDS, variables), "git filter-repo")
        lines = (copy / "filter-repo/commit-map").read_text("ascii").splitlines()[1:]
        pairs = [line.split() for line in lines]
        return (
            sum(1 for old, new in pairs if old != new),
            sum(1 for _, new in pairs if new == ABSENT),
        )

    def _touched(self, copy: Path, moved: Sequence[Moved], removal: Removal) -> tuple[Touched, ...]:
        """Files of the current commit that change.

        Raises:
            RefusedError: the current branch would be empty, or other files would change than shall.
        """
        head = self._git("symbolic-ref", "HEAD").output.decode().strip()
        one = next((one for one in moved if one.name == head), None)
        if one is None:
            return ()
        if not one.new:
            raise RefusedError(
                "empty", "nothing would be left of the current branch", remedy="Delete the vault."
            )
        gone = frozenset(removal.paths)
        old, new = (self._tree(place, name) for place, name in ((None, one.old), (copy, one.new)))
        nothing = ("100644", "")
        found = [
            Touched(path, was[1], now[1], (now if now[1] else was)[0])
            for path in sorted({*old, *new})
            if (was := old.get(path, nothing)) != (now := new.get(path, nothing))
        ]
        wrong = {
            one.path
            for one in found
            if not (removal.names or (one.old and (removal.rules if one.new else one.path in gone)))
        }
        if wrong:
            raise RefusedError("purge", f"other files would change too: {', '.join(sorted(wrong))}")
        return tuple(found)

    def _dirty(self) -> set[str]:
        """Paths whose file or entry in git's index is not that of the current commit."""
        told = self._git("diff", "--name-only", "-z", "--no-ext-diff", "HEAD")
        return set(text_of(told.output).split("\0")) - {""}

    def _delete(self, place: Path | None, names: Sequence[str]) -> None:
        orders = "".join(f"delete {name}\0\0" for name in names)
        at = place or self.layout.git_dir
        self._git("update-ref", "-z", "--no-deref", "--stdin", payload=orders.encode(), at=at)

    def _transact(self, moved: Sequence[Moved]) -> None:
        orders = "".join(
            f"update {one.name}\0{one.new}\0{one.old}\0"
            if one.new
            else f"delete {one.name}\0{one.old}\0"
            for one in moved
        )
        self._git("update-ref", "-z", "--no-deref", "--stdin", payload=orders.encode())


def _check_tool() -> None:
    if importlib.util.find_spec(_TOOL) is None:
        raise UnavailableError(
            "git-filter-repo, which rewrites histories, is not installed",
            remedy="Run `pip install 'mnemos-files[purge]'`.",
        )
