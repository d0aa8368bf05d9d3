"""What commits did to the notes of a vault, read from git: by the git program or by libgit2.

`git log` reads ten thousand commits in half a second of CPU where libgit2 takes twenty, which does
not keep the trees that packed ones are made from. For a few commits libgit2 is quicker than the
start of a program.
"""

import os
from collections.abc import Iterator, Sequence

import pygit2
from pygit2.enums import FileMode, SortMode

from mnemos_files.errors import UnavailableError
from mnemos_files.history.layout import Layout
from mnemos_files.history.process import Git
from mnemos_files.history.trail import NO_BLOB, Change, Made
from mnemos_files.history.trees import find_folder, tree_of

FEW = 8
"""Commits [1] from which the git program is asked, if there is one."""

_REGULAR = (b"100644", b"100755")
_REGULAR_MODES = (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)
_LOG = (
    *("-c", "log.showRoot=true"),
    "--no-replace-objects",
    *("log", "--topo-order", "--raw", "-c", "-z", "--no-renames", "--no-abbrev"),
    *("--no-relative", "--no-color", "--no-show-signature", "--format=%x00%H %ct %P"),
)
_SECONDS = 300.0
"""Longest time [s] for a whole history; a million commits take one minute."""


def between(repo: pygit2.Repository, layout: Layout, head: str, base: str) -> list[Made]:
    """Commits that `head` has and `base` ("" = nothing) has not, the oldest first.

    Raises:
        UnavailableError: an object is missing or damaged.
    """
    git = Git(layout.git_dir, layout.workdir)
    if git.is_installed and (not base or _is_more(repo, head, base)):
        found = list(_by_program(git, layout.prefix, head, base))
    else:
        found = list(_by_library(repo, layout.prefix, head, base))
    found.reverse()
    return found


def only_in(repo: pygit2.Repository, head: str, base: str) -> set[str]:
    """Ids of the commits that `head` has and `base` has not."""
    return {str(commit.id) for commit in _walk(repo, head, base)}


def net_change(
    repo: pygit2.Repository, prefix: str, base: str, head: str
) -> dict[str, tuple[str, str]]:
    """Notes that differ between two commits ("" = nothing): blob ids before and after, or ""."""
    old, new = (find_folder(tree_of(repo, commit), prefix) for commit in (base, head))
    return {
        os.fsdecode(path): (_text(before), _text(after))
        for path, (before, after) in _blobs(old, new).items()
        if before != after
    }


def _text(blob: bytes) -> str:
    return "" if blob == NO_BLOB else blob.decode("ascii")


def _is_more(repo: pygit2.Repository, head: str, base: str) -> bool:
    return any(number >= FEW for number, _ in enumerate(_walk(repo, head, base)))


def _walk(
    repo: pygit2.Repository, head: str, base: str, sort: SortMode = SortMode.NONE
) -> pygit2.Walker:
    walker = repo.walk(head, sort)
    if base:
        walker.hide(base)
    return walker


def _by_program(git: Git, prefix: str, head: str, base: str) -> Iterator[Made]:
    span = [head, f"^{base}"] if base else [head]
    # All commits are wanted, also those that did nothing in the vault's folder: with their times.
    inside = ["--full-history", "--sparse", "--", prefix] if prefix else ["--"]
    done = git.run(*_LOG, *span, *inside, seconds=_SECONDS)
    if not done.is_ok:
        raise UnavailableError(
            f"git cannot read the history: {done.errors}",
            remedy="Run `git fsck`; fetch or restore what is missing.",
        )
    return _parsed(done.output.split(b"\0"), len(os.fsencode(prefix)) + 1 if prefix else 0)


def _parsed(fields: list[bytes], cut: int) -> Iterator[Made]:
    """Commits in the order of the log; so many bytes at the begin of each path are left out.

    An empty field stands before each commit, and a path after each of its changes.
    """
    header: list[bytes] = []
    changes: list[Change] = []
    rest = iter(fields)
    for field in rest:
        text = field.lstrip(b"\n")
        if text[:1] == b":":
            path = next(rest)[cut:]
            if path[-3:].lower() == b".md":
                changes += _changed(text, path)
        elif text:
            if header:
                yield Made(header[0], int(header[1]), header[2:], changes)
            header, changes = text.split(), []
    if header:
        yield Made(header[0], int(header[1]), header[2:], changes)


def _changed(text: bytes, path: bytes) -> list[Change]:
    """One line of a raw difference: modes and ids of each parent, then of the commit."""
    parents = 1 if text[1:2] != b":" else len(text) - len(text.lstrip(b":"))
    fields = text[parents:].split(b" ")
    modes, ids = fields[: parents + 1], fields[parents + 1 :]
    blobs = [blob if mode in _REGULAR else NO_BLOB for mode, blob in zip(modes, ids, strict=False)]
    return _change(path, blobs[:-1], blobs[-1])


def _change(path: bytes, before: Sequence[bytes], after: bytes) -> list[Change]:
    if after in before:
        return []
    return [(path, next((one for one in before if one != NO_BLOB), NO_BLOB), after)]


def _by_library(repo: pygit2.Repository, prefix: str, head: str, base: str) -> Iterator[Made]:
    for commit in _walk(repo, head, base, SortMode.TOPOLOGICAL):
        here = find_folder(commit.tree, prefix)
        parents = [find_folder(parent.tree, prefix) for parent in commit.parents]
        changed = [_blobs(parent, here) for parent in parents or [None]]
        paths = sorted(set.intersection(*(set(one) for one in changed)))
        changes = [
            change
            for path in paths
            for change in _change(path, [one[path][0] for one in changed], changed[0][path][1])
        ]
        ids = [_hex(one) for one in commit.parent_ids]
        yield Made(_hex(commit.id), commit.commit_time, ids, changes)


def _blobs(old: pygit2.Tree | None, new: pygit2.Tree | None) -> dict[bytes, tuple[bytes, bytes]]:
    """Blob ids before and after of every note that differs between two folders."""
    if old is None and new is None:
        return {}
    if new is None:
        diff = old.diff_to_tree()  # type: ignore[union-attr]  # one of them is a tree
    elif old is None:
        diff = new.diff_to_tree(swap=True)
    else:
        diff = old.diff_to_tree(new)
    return {
        delta.new_file.raw_path: (_blob(delta.old_file), _blob(delta.new_file))
        for delta in diff.deltas
        if delta.new_file.raw_path[-3:].lower() == b".md"
    }


def _blob(file: pygit2.DiffFile) -> bytes:
    return _hex(file.id) if file.mode in _REGULAR_MODES else NO_BLOB


def _hex(oid: pygit2.Oid) -> bytes:
    return str(oid).encode("ascii")
