"""A chain of commits, one for each change, on top of a branch. Nothing names it yet."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import pygit2
from pygit2.enums import FileMode

from mnemos_files.errors import RefusedError
from mnemos_files.history.attributes import Attributes
from mnemos_files.history.identity import Identity, agent_identity, signature
from mnemos_files.history.layout import Layout
from mnemos_files.history.message import render_message
from mnemos_files.history.signing import Signer
from mnemos_files.history.staging import Target
from mnemos_files.history.trees import Blob, Files, changed_tree, tree_of
from mnemos_files.history.values import Change


@dataclass(frozen=True, slots=True)
class Maker:
    """What every commit of a chain has in common."""

    layout: Layout
    attributes: Attributes
    person: Identity
    signer: Signer | None
    now: datetime


@dataclass(slots=True)
class Chain:
    """Commits in order ("" where a change changed nothing), and what they did to each path.

    `before` is the blob id of each path below the chain, "" = absent.
    """

    tip: str
    commits: list[str] = field(default_factory=list)
    before: dict[str, str] = field(default_factory=dict)
    targets: dict[str, Target] = field(default_factory=dict)


def build(repo: pygit2.Repository, base: str, changes: Sequence[Change], maker: Maker) -> Chain:
    """Write blobs, trees and commits on top of the commit `base` ("" = none).

    Raises:
        RefusedError: a path that git ignores, filters, or cannot see.
        UnavailableError: a commit cannot be signed.
    """
    chain = Chain(base)
    for change in changes:
        chain.commits.append(_append(repo, chain, change, maker))
    return chain


def _append(repo: pygit2.Repository, chain: Chain, change: Change, maker: Maker) -> str:
    tree = tree_of(repo, chain.tip)
    before = Files(tree)
    taken = Files(tree_of(repo, change.merges[0] if change.merges else ""))
    edits = {}
    for name, data in change.files.items():
        path = maker.layout.in_repository(name)
        was, other = before.find(path), taken.find(path)
        if data is None:
            now = None
        elif other is not None and maker.attributes.blob_id(path, data) == str(other.id):
            now = other  # with its mode, and whatever our rules for new files say
        else:
            now = _blob(repo, path, data, was, maker)
        if now != was:
            edits[path] = now
            chain.before.setdefault(path, "" if was is None else str(was.id))
            chain.targets[path] = Target(now, data)
    if not edits and not change.merges:
        return ""
    made = changed_tree(repo, tree, edits)
    over = [chain.tip, *change.merges] if chain.tip else change.merges
    chain.tip = write_commit(repo, over, made, change, maker)
    return chain.tip


def _blob(repo: pygit2.Repository, path: str, data: bytes, was: Blob | None, maker: Maker) -> Blob:
    rule, why = refusal(path, maker.layout, maker.attributes, is_tracked=was is not None)
    if rule:
        raise RefusedError(rule, why, remedy="The file stays as it is on disk, without a commit.")
    is_regular = was is not None and was.mode in (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)
    mode = was.mode if was is not None and is_regular else FileMode.BLOB
    return Blob(maker.attributes.write_blob(repo, path, data), mode)


def refusal(
    path: str, layout: Layout, attributes: Attributes, *, is_tracked: bool
) -> tuple[str, str]:
    """Rule and reason why a file of the work tree is not committed, two times "" when it may be."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return "path", f"the name {path!r} is not UTF-8"
    if block := layout.way_block(path):
        return "path", block
    if not is_tracked and attributes.is_ignored(path):
        return "ignored", f"git ignores {path}: it is not versioned"
    if conversion := attributes.conversion(path):
        return "filter", f"{path} has the attribute {conversion}, which only git itself can apply"
    return "", ""


def write_commit(
    repo: pygit2.Repository, over: Sequence[str], tree: pygit2.Oid, change: Change, maker: Maker
) -> str:
    """Id of a new commit of this tree on top of these commits; it has the message of the change.

    Raises:
        UnavailableError: it cannot be signed.
    """
    committer = signature(maker.person, maker.now)
    author = committer
    if change.agent is not None:
        author = signature(agent_identity(change.agent), maker.now)
    parents: list[pygit2.Oid | str] = [*over]
    message = render_message(change)
    if maker.signer is None:
        return str(repo.create_commit(None, author, committer, message, tree, parents))
    content = str(repo.create_commit_string(author, committer, message, tree, parents))
    signed = maker.signer.sign(content.encode("utf-8"))
    return str(repo.create_commit_with_signature(content, signed, "gpgsig"))
