"""What agents propose, for the person who decides: read from git alone, no work tree is needed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from mnemos_files.errors import AmbiguousNameError, NotFoundError, UnavailableError
from mnemos_files.format.record import parse
from mnemos_files.history.branches import Branches, Proposed
from mnemos_files.history.refs import Branch
from mnemos_files.history.values import NoHistory, Revision
from mnemos_files.model.note import Note
from mnemos_files.model.record import LINK_TYPES, Record
from mnemos_files.store import names
from mnemos_files.store.settings import read_settings

TAIL_LENGTH = 6
"""Characters of an id that are enough to name a proposal, as at the end of its file's name."""

CONFLICT = "main has changed it as well, and the two contradict each other"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One note that a branch proposes to add, change, end or delete.

    `change` is new, changed, superseded, invalidated or deleted. `proposed` and `main` are the
    bytes of both sides, None = no such file; `note` is the proposed one, of a deletion main's.
    `commit` made the proposal, `commits` are all of it, newest first. `together` are paths that are
    decided with it, `needs` those of other open proposals that it builds on. `is_conflicting`: main
    has changed it as well, and the two contradict each other.
    """

    branch: str
    path: PurePosixPath
    change: str
    note: Note
    proposed: bytes | None
    main: bytes | None
    commits: tuple[Revision, ...]
    is_conflicting: bool
    together: tuple[PurePosixPath, ...] = ()
    needs: tuple[PurePosixPath, ...] = ()

    @property
    def record(self) -> Record:
        """The record that is proposed, or that is to go."""
        return self.note.record

    @property
    def id(self) -> str:
        """Id of the record, the path of a note that has none."""
        return self.record.id or str(self.path)

    @property
    def commit(self) -> Revision | None:
        """The commit that says what it is: the one that made a new note, else the newest."""
        if not self.commits:
            return None
        return self.commits[-1 if self.change == "new" else 0]

    @property
    def when(self) -> datetime | None:
        """When it got its present form [UTC]."""
        return self.commits[0].when if self.commits else None

    @property
    def agent(self) -> str:
        """Who proposes it: the author of its newest commit."""
        return self.commits[0].author_name if self.commits else self.record.agent


@dataclass(frozen=True, slots=True)
class Inbox:
    """All open proposals of a vault, and the branch that they would go to."""

    main: Branch
    proposals: tuple[Proposal, ...]


def inbox(root: Path, branch: str = "") -> Inbox:
    """Every open proposal, or those of one branch, oldest branch first.

    Raises:
        UnavailableError: there is no git history, or no such branch.
        CorruptError: the vault's settings cannot be understood.
    """
    branches = opened(root)
    main = branches.main(read_settings(root).review_base)
    known = branches.of_agent()
    if branch and branch not in known:
        raise UnavailableError(
            f"there is no branch {branch} with proposals",
            remedy=f"There are: {', '.join(known)}."
            if known
            else "No agent has proposed anything.",
        )
    found = [
        proposal
        for name in ([branch] if branch else known)
        for proposal in on_branch(branches, main, name)
    ]
    return Inbox(main, tuple(found))


def opened(root: Path) -> Branches:
    """The branches of the vault's repository.

    Raises:
        UnavailableError: there is none, or it cannot be opened.
    """
    branches = Branches.open(root)
    if isinstance(branches, NoHistory):
        why = branches.reason or f"{root} is in no git repository"
        raise UnavailableError(why, remedy="Proposals are branches: they need a git repository.")
    return branches


def on_branch(branches: Branches, main: Branch, name: str) -> list[Proposal]:
    """The open proposals of one branch, by path."""
    sides = branches.sides(main.tip, branches.tip(name))
    return _linked([_proposal(branches, name, one) for one in branches.proposed(sides)])


def chosen(proposals: Sequence[Proposal], wanted: Sequence[str]) -> list[Proposal]:
    """Those that are called so, by id, its last six characters, path or name of the file.

    With each come those that are decided together with it.

    Raises:
        NotFoundError: nothing is called so.
        AmbiguousNameError: several are.
    """
    picked = [_named(proposals, name) for name in wanted]
    both = {(one.branch, path) for one in picked for path in (one.path, *one.together)}
    return [one for one in proposals if (one.branch, one.path) in both]


def _named(proposals: Sequence[Proposal], name: str) -> Proposal:
    found = [one for one in proposals if _is_called(one, name)]
    if not found:
        raise NotFoundError(name, remedy="`mnemos-files review list` names the open proposals.")
    if len(found) > 1:
        raise AmbiguousNameError(name, [f"{one.path} on {one.branch}" for one in found])
    return found[0]


def _is_called(one: Proposal, name: str) -> bool:
    is_tail = len(name) == TAIL_LENGTH and one.id.lower().endswith(name.lower())
    return is_tail or names.means(name, str(one.path), one.id)


def _proposal(branches: Branches, branch: str, one: Proposed) -> Proposal:
    proposed = branches.read(one.proposed) if one.proposed else None
    main = branches.read(one.main) if one.main else None
    note = parse(one.path, (proposed if proposed is not None else main) or b"")
    is_conflicting = one.is_conflicting or (one.main != one.base and proposed is None)
    before = None if main is None else parse(one.path, main)
    return Proposal(
        branch=branch,
        path=one.path,
        change=_change(proposed, note.record, before),
        note=note,
        proposed=proposed,
        main=main,
        commits=one.commits,
        is_conflicting=is_conflicting,
    )


def _change(proposed: bytes | None, record: Record, before: Note | None) -> str:
    if proposed is None:
        return "deleted"
    if before is None:
        return "new"
    if record.invalidated is not None and before.record.invalidated is None:
        return "superseded" if record.invalidated_by else "invalidated"
    return "changed"


def _linked(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The same, with what goes together and what builds on what."""
    partners = {one.path: set(_partners(one, proposals)) for one in proposals}
    for path, others in list(partners.items()):
        for other in others:
            partners[other].add(path)
    return [_with_links(one, proposals, _closure(one.path, partners)) for one in proposals]


def _with_links(
    one: Proposal, proposals: Sequence[Proposal], group: set[PurePosixPath]
) -> Proposal:
    needs = _needs(one, proposals) - group
    return replace(one, together=tuple(sorted(group - {one.path})), needs=tuple(sorted(needs)))


def _partners(one: Proposal, proposals: Sequence[Proposal]) -> Iterator[PurePosixPath]:
    """The other end of a supersession that is proposed here."""
    for other in proposals:
        if other is not one and other.record.invalidated is not None and other.proposed is not None:
            by = other.record.invalidated_by
            if by and names.means(by, str(one.path), one.id):
                yield other.path


def _closure(
    path: PurePosixPath, partners: dict[PurePosixPath, set[PurePosixPath]]
) -> set[PurePosixPath]:
    group, waiting = {path}, [path]
    while waiting:
        fresh = partners[waiting.pop()] - group
        group |= fresh
        waiting += fresh
    return group


def _needs(one: Proposal, proposals: Sequence[Proposal]) -> set[PurePosixPath]:
    if one.proposed is None:
        return set()
    record = one.record
    links = [*record.derived_from, *(link for kind in LINK_TYPES for link in record.links(kind))]
    links += [link for link in (record.session, record.invalidated_by) if link]
    if not links:
        return set()
    return {
        other.path
        for other in proposals
        if other is not one
        and other.change == "new"
        and any(names.means(link, str(other.path), other.id) for link in links)
    }
