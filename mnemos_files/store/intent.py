"""What is about to be written, kept beside git until it is committed.

The file holds one row per commit that a write owes. It is there before the first file of the vault
changes and gone after the branch has moved, so whatever stops a write in between (a crash, a branch
that is locked, a signing program that fails) leaves a note of what is whole on disk but has no
commit yet. The next write or start commits exactly that, and nothing of a person's.
"""

import base64
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mnemos_files.model.digest import blob_id
from mnemos_files.vault.failures import file_failure


@dataclass(frozen=True, slots=True)
class Debt:
    """One commit that is owed: new bytes by path (None = deleted), and its message.

    `before` is what the files held [blob ids, "" = nothing]. `is_applied` tells that all files were
    written, so that a difference found later is somebody's edit and not half of ours.
    `is_adopted` marks a person's own edit that is committed ahead of ours. `with_journal` tells
    that the commit takes the journals too, as they lie on disk when it is made. `merges` are the
    commits of another branch that it takes in.
    """

    files: Mapping[PurePosixPath, bytes | None]
    before: Mapping[PurePosixPath, str]
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    agent: str | None
    is_applied: bool = False
    is_adopted: bool = False
    with_journal: bool = False
    merges: tuple[str, ...] = ()


class IntentFile:
    """The list of owed commits of one vault, at a fixed place outside of its files."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> list[Debt]:
        """Owed commits, oldest first; an unreadable file owes nothing (it was cut by a crash)."""
        try:
            rows = json.loads(self._path.read_bytes())
            return [_debt(row) for row in rows]
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def write(self, debts: Sequence[Debt]) -> None:
        """Make the list durable; an empty one removes the file.

        Raises:
            UnavailableError: the disk is full, read-only or forbidden; the old list stays.
        """
        try:
            self._write(debts)
        except OSError as error:
            raise file_failure(error, f"git's folder ({self._path.name})") from error

    def _write(self, debts: Sequence[Debt]) -> None:
        if not debts:
            self._path.unlink(missing_ok=True)
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self._path.with_suffix(".tmp")
        with temporary.open("wb") as file:
            file.write(json.dumps([_row(debt) for debt in debts]).encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._path)


def _row(debt: Debt) -> dict[str, object]:
    files = {
        str(path): None if data is None else base64.b64encode(data).decode("ascii")
        for path, data in debt.files.items()
    }
    return {
        "files": files,
        "before": {str(path): blob for path, blob in debt.before.items()},
        "subject": debt.subject,
        "body": debt.body,
        "trailers": list(debt.trailers),
        "agent": debt.agent,
        "is_applied": debt.is_applied,
        "is_adopted": debt.is_adopted,
        "with_journal": debt.with_journal,
        "merges": list(debt.merges),
    }


def _debt(row: Mapping[str, object]) -> Debt:
    files, before, trailers = row["files"], row["before"], row["trailers"]
    merges = row.get("merges")
    if not (isinstance(files, dict) and isinstance(before, dict) and isinstance(trailers, list)):
        raise TypeError("not a list of owed commits")
    return Debt(
        files={
            PurePosixPath(path): None if data is None else base64.b64decode(data)
            for path, data in files.items()
        },
        before={PurePosixPath(path): str(blob) for path, blob in before.items()},
        subject=str(row["subject"]),
        body=str(row["body"]),
        trailers=tuple((str(key), str(value)) for key, value in trailers),
        agent=None if row["agent"] is None else str(row["agent"]),
        is_applied=bool(row["is_applied"]),
        is_adopted=bool(row["is_adopted"]),
        with_journal=bool(row.get("with_journal")),  # earlier versions did not write these
        merges=tuple(map(str, merges)) if isinstance(merges, list) else (),
    )


def same(data: bytes | None, disk: bytes | None) -> bool:
    """True when what lies on disk is what the commit is about."""
    if data is None or disk is None:
        return data is disk
    return blob_id(data) == blob_id(disk)
