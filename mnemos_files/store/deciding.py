"""Approving and rejecting proposals, one by one, beside running servers.

A proposal is approved by a commit of main that has its text: the author stays the agent. It is
rejected by a commit on its branch that takes it out, and by a file of main that says why.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import ConflictError, MnemosError, RefusedError, UnavailableError
from mnemos_files.history.joining import Joined
from mnemos_files.history.refs import Branch
from mnemos_files.history.repo import History
from mnemos_files.store import decision_commits as commits
from mnemos_files.store.bench import LOCK_SECONDS, Bench, bench_of, edits_notice
from mnemos_files.store.counting import JOURNALS
from mnemos_files.store.draft import Draft, Plan, Planned, Receipt
from mnemos_files.store.place import Place
from mnemos_files.store.proposals import CONFLICT, Proposal, chosen, on_branch, opened
from mnemos_files.store.rejections import Rejection, fingerprint

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Decided:
    """A proposal that was approved or rejected, with the commit of main that says so."""

    proposal: Proposal
    commit: str


@dataclass(frozen=True, slots=True)
class Held:
    """A proposal that stays open: why, and what to do."""

    proposal: Proposal
    why: str
    remedy: str


@dataclass(slots=True)
class Outcome:
    """What became of the proposals that were chosen, and facts to tell."""

    done: list[Decided] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which proposals are meant: by name, or without names all, of one branch or of every one.

    `over_main`: a proposal that main contradicts is taken as it is.
    """

    names: tuple[str, ...] = ()
    branch: str = ""
    over_main: bool = False


_Groups = Sequence[Sequence[Proposal]]
_Decide = Callable[[Bench, _Groups, Outcome], None]


class Deciding:
    """Decides on proposals to one vault.

    `run` carries out plans in the person's folder, `check` refuses where that is not whole.

    Raises:
        UnavailableError: there is no git history.
    """

    def __init__(
        self,
        place: Place,
        run: Callable[[Sequence[Plan]], list[Receipt | MnemosError]],
        check: Callable[[], None],
    ) -> None:
        self._place = place
        self._run = run
        self._check = check
        self._branches = opened(place.vault.root)

    def approve(self, choice: Choice, now: datetime) -> Outcome:
        """Take proposals over into main, each supersession in one commit.

        Raises:
            RefusedError: main is not checked out in the vault's folder, or git is in the middle of
                something.
            NotFoundError, AmbiguousNameError: a name is not exactly one proposal.
            UnavailableError: another program is busy.
        """

        def decide(_bench: Bench, groups: _Groups, outcome: Outcome) -> None:
            results = self._run([self._plan(group, choice) for group in groups])
            for group, result in zip(groups, results, strict=True):
                if isinstance(result, MnemosError):
                    outcome.held += [Held(one, result.message, result.remedy) for one in group]
                else:
                    outcome.done += [Decided(one, result.commit) for one in group]
                    outcome.notices += [n for n in result.notices if n not in outcome.notices]

        return self._each(choice, now, decide)

    def reject(self, choice: Choice, reason: str, now: datetime) -> Outcome:
        """Take proposals out of their branches, and remember why.

        Raises: as `approve`.
        """

        def decide(bench: Bench, groups: _Groups, outcome: Outcome) -> None:
            made = self._remember(groups, reason, now)
            all_of_them = [one for group in groups for one in group]
            try:
                self._take_out(bench, all_of_them, reason, now)
            except MnemosError as error:
                outcome.held += [Held(one, error.message, error.remedy) for one in all_of_them]
                return
            for group, commit in zip(groups, made, strict=True):
                outcome.done += [Decided(one, commit) for one in group]

        return self._each(choice, now, decide)

    def _main(self) -> Branch:
        return self._branches.main(self._place.settings.review_base)

    def _each(self, choice: Choice, now: datetime, decide: _Decide) -> Outcome:
        self._check()
        self._check_main()
        outcome = Outcome()
        wanted = self._wanted(choice)
        for name in dict.fromkeys(one.branch for one in wanted):
            ids = {one.id for one in wanted if one.branch == name}
            bench = bench_of(self._branches, self._place.settings, name)
            with bench.held():
                self._follow(bench, now, outcome)
                groups = _groups(on_branch(self._branches, self._main(), name), ids)
                if groups:
                    decide(bench, groups, outcome)
                self._take_journals(bench, now)
                self._follow(bench, now, outcome)
        return outcome

    def _wanted(self, choice: Choice) -> list[Proposal]:
        names = [choice.branch] if choice.branch else self._branches.of_agent()
        main = self._main()
        found = [one for name in names for one in on_branch(self._branches, main, name)]
        return chosen(found, choice.names) if choice.names else found

    def _check_main(self) -> None:
        main, current = self._main().name, self._branches.current()
        if current != main:
            here = (
                f"the vault's folder has {current} checked out" if current else "HEAD is detached"
            )
            raise RefusedError(
                "git-state",
                f"proposals go to {main}, but {here}",
                remedy=f"Run `git switch {main}` there, or set [review] base to another branch.",
            )
        why = "" if self._place.history is None else self._place.history.blocked()
        if why:
            raise RefusedError("git-state", why)

    def _follow(self, bench: Bench, now: datetime, outcome: Outcome) -> None:
        notice = edits_notice(bench.follow(self._main(), now), bench.branch)
        if notice and notice not in outcome.notices:
            outcome.notices.append(notice)

    def _plan(self, group: Sequence[Proposal], choice: Choice) -> Plan:
        message = commits.approval(group, self._branches.person())

        def plan(draft: Draft) -> Planned:
            if any(one.is_conflicting for one in group) and not choice.over_main:
                raise ConflictError(
                    CONFLICT,
                    remedy="Look at both with `review show`. Take the proposal as it is with "
                    "--over-main, or reject it and edit the note yourself.",
                )
            for one in group:
                self._check_untouched(one, draft)
            return Planned({one.path: one.proposed for one in group}, message)

        return plan

    def _check_untouched(self, one: Proposal, draft: Draft) -> None:
        history = self._place.history
        disk = draft.look(one.path)
        if history is None:
            return
        lies = "" if disk is None else history.blob_id(one.path, disk)
        if lies != history.committed(one.path):
            raise ConflictError(
                f"{one.path} has an edit of yours that is not committed",
                remedy="Commit it or take it back, then approve again.",
            )

    def _take_out(
        self, bench: Bench, group: Sequence[Proposal], reason: str, now: datetime
    ) -> None:
        layout, message = self._branches.layout, commits.removal(group, reason)
        files = {layout.in_repository(one.path): one.main for one in group}
        for _ in range(_ATTEMPTS):
            tip = bench.tip
            new = self._branches.joiner.commit(Joined(files, (tip,), message), now)
            edited = bench.go(tip, Branch(bench.branch, new), now)
            if edited:
                raise ConflictError(
                    f"{edited[0]} was edited in the work tree of {bench.branch}",
                    remedy="Commit the edit there or take it back, then reject again.",
                )
            if edited is not None:
                return
        raise UnavailableError(f"other programs keep moving {bench.branch}", remedy="Try again.")

    def _remember(self, groups: _Groups, reason: str, now: datetime) -> tuple[str, ...]:
        """Write down what was rejected, a commit for each group; their ids."""
        by = self._branches.person()
        root = self._place.vault.root
        with self._place.lock.hold(LOCK_SECONDS):
            history = self._history()
            changes = []
            for group in groups:
                found = [one for each in group if (one := _rejection(each, reason, by, now))]
                for one in found:
                    if not (root / one.path).exists():
                        self._place.vault.write_own(one.path, one.rendered())
                files = {one.path: (root / one.path).read_bytes() for one in found}
                changes.append(replace(commits.removal(group, reason), files=files))
            return history.commit(changes, now).commits

    def _take_journals(self, bench: Bench, now: datetime) -> None:
        """Events are no proposals: they go along with the first decision."""
        files = self._branches.others(bench.sides(self._main()), str(JOURNALS))
        if not files:
            return
        with self._place.lock.hold(LOCK_SECONDS):
            history = self._history()
            whole = {path: self._with_lines(path, data) for path, data in files.items()}
            history.commit([commits.journals(whole, bench.branch)], now)

    def _with_lines(self, path: PurePosixPath, data: bytes) -> bytes:
        file = self._place.vault.root / path
        there = file.read_bytes() if file.is_file() else b""
        known = set(there.splitlines())
        missing = [line for line in data.splitlines() if line and line not in known]
        if missing:
            self._place.vault.own.append(path, b"".join(line + b"\n" for line in missing))
        return file.read_bytes()

    def _history(self) -> History:
        history, _ = self._place.ready()
        if history is None:
            raise UnavailableError("the vault has no history", remedy="Run `git init` in it.")
        return history


def _groups(proposals: Sequence[Proposal], ids: set[str]) -> list[list[Proposal]]:
    """Those that are meant, in the order in which they were made, with what goes together.

    In a group what is ended comes last.
    """
    known = {one.path: one for one in proposals}
    seen: set[object] = set()
    groups = []
    for one in sorted(proposals, key=_made):
        if one.id in ids and one.path not in seen:
            group = [known[path] for path in (one.path, *one.together)]
            seen |= {each.path for each in group}
            groups.append(sorted(group, key=lambda each: each.record.invalidated is not None))
    return groups


def _made(one: Proposal) -> tuple[float, str]:
    return (one.commits[-1].when.timestamp() if one.commits else 0.0, one.id)


def _rejection(one: Proposal, reason: str, by: str, now: datetime) -> Rejection | None:
    digest = fingerprint(one.path, one.proposed, one.main)
    if not digest:
        return None
    return Rejection(digest, reason, by, now, one.id, one.record.title, one.agent)
