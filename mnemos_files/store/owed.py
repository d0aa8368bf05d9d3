"""Commits that earlier writes still owe: what a crash or a lock has left whole on disk."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError, NotFoundError
from mnemos_files.history.repo import History
from mnemos_files.history.values import Change
from mnemos_files.model.digest import blob_id
from mnemos_files.store.draft import Planned
from mnemos_files.store.intent import Debt, same
from mnemos_files.vault.files import Vault, Write
from mnemos_files.vault.paths import fold

FOLDERS_MAX = 200
"""Folders [1] that are open at once: systems allow 256 to 1,024 open files."""

_OPERATION = re.compile(r"^\w+\(")


@dataclass(frozen=True, slots=True)
class Owed:
    """Looks after debts of one vault."""

    vault: Vault

    def look(self, path: PurePosixPath) -> bytes | None:
        """Bytes of a file on disk, None when there is none."""
        try:
            return self.vault.read(path)[0]
        except NotFoundError:
            return None

    def settle(self, debts: Sequence[Debt], history: History) -> list[Debt]:
        """Those whose files lie whole on disk and are news to git; half a group is finished first.

        Raises:
            MnemosError: the rest of a group cannot be written.
        """
        final = final_files(debts)
        self._roll_forward(debts, final)
        whole = {path for path, data in final.items() if same(data, self.vault.read_any(path))}
        recovered = [_recovery(debt) for debt in debts if whole.issuperset(debt.files)]
        news = {path for path in whole if _is_news(path, final[path], history)}
        return [debt for debt in recovered if news.intersection(debt.files)]

    def _roll_forward(
        self, debts: Sequence[Debt], final: Mapping[PurePosixPath, bytes | None]
    ) -> None:
        """Write the rest of a group that a crash cut between two of its files."""
        open_ones = [debt for debt in debts if not (debt.is_applied or debt.is_adopted)]
        before: dict[PurePosixPath, str] = {}
        for debt in open_ones:
            for path in debt.files:
                before.setdefault(path, debt.before.get(path, ""))
        on_disk = {path: self.vault.read_any(path) for path in before}
        late = [path for path in before if blob_or_none(on_disk[path]) == before[path]]
        late = [path for path in late if not same(final[path], on_disk[path])]
        if late and len(late) < len(before):
            writes = [Write(path, final[path], before[path] or None) for path in late]
            apply_merge(self.vault, writes, on_disk)


def final_files(debts: Sequence[Debt]) -> dict[PurePosixPath, bytes | None]:
    """What the files hold after all of these commits."""
    return {path: data for debt in debts for path, data in debt.files.items()}


def apply_merge(
    vault: Vault, writes: Sequence[Write], seen: Mapping[PurePosixPath, bytes | None]
) -> None:
    """Write files of any kind, all or none; `seen` is what they hold.

    They go in groups that keep few folders open. Where a later group fails, the earlier ones are
    taken back, as far as nobody has changed their files since.

    Raises:
        ChangedOnDiskError, RefusedError, UnavailableError: as `Vault.apply`.
    """
    done: list[Write] = []
    try:
        for group in _groups(writes):
            vault.apply_any(group)
            done += group
    except MnemosError:
        for write in reversed(done):
            back = Write(write.path, seen.get(write.path), blob_or_none(write.data) or None)
            with suppress(MnemosError):
                vault.apply_any([back])
        raise


def _groups(writes: Sequence[Write]) -> Iterator[list[Write]]:
    counts = Counter(fold(str(each.path)) for each in writes)
    # A rename in letters' case only: the old name goes first, since one folder may not hold both.
    first = [each for each in writes if each.data is None and counts[fold(str(each.path))] > 1]
    if first:
        yield from _by_folder(first)
        writes = [each for each in writes if each not in first]
    yield from _by_folder(writes)


def _by_folder(writes: Sequence[Write]) -> Iterator[list[Write]]:
    group: list[Write] = []
    folders: set[PurePosixPath] = set()
    for write in sorted(writes, key=lambda each: each.path):
        folders.add(write.path.parent)
        if len(folders) > FOLDERS_MAX:
            yield group
            group, folders = [], {write.path.parent}
        group.append(write)
    if group:
        yield group


def blob_or_none(data: bytes | None) -> str:
    """Blob id of these bytes, "" for no file."""
    return "" if data is None else blob_id(data)


def unversioned(debts: Sequence[Debt], history: History) -> dict[PurePosixPath, str]:
    """Why git does not take some of the files, by path."""
    paths = sorted({path for debt in debts for path in debt.files})
    reasons = {path: history.unversioned(path) for path in paths}
    return {path: reason for path, reason in reasons.items() if reason}


def debt_of(planned: Planned, before: Mapping[PurePosixPath, str]) -> Debt:
    """The commit that a plan will owe; `before` is what its files hold [blob ids]."""
    message = planned.message
    return Debt(
        files=dict(planned.files),
        before=dict(before),
        subject=message.subject,
        body=message.body,
        trailers=message.trailers,
        agent=message.agent,
        with_journal=planned.with_journal,
    )


def changes(debts: Sequence[Debt], journal: Mapping[PurePosixPath, bytes]) -> list[Change]:
    """The commits of these debts; the first that takes the journal takes all of it."""
    made = []
    for debt in debts:
        files = {**debt.files, **journal} if debt.with_journal else debt.files
        journal = {} if debt.with_journal else journal
        message = (debt.subject, debt.body, debt.trailers, debt.agent)
        made.append(Change(files, *message, debt.merges))
    return made


def _recovery(debt: Debt) -> Debt:
    return replace(debt, subject=_OPERATION.sub("recover(", debt.subject, count=1))


def _is_news(path: PurePosixPath, data: bytes | None, history: History) -> bool:
    return history.committed(path) != ("" if data is None else history.blob_id(path, data))
