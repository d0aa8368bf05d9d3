"""The journals of a vault: appending to this machine's, adding up everybody's."""

import logging
import os
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import PurePosixPath

from mnemos_files.config import CONFIG_PATH
from mnemos_files.errors import ConflictError, MnemosError
from mnemos_files.format.journal import month, month_name, numbered, parse, render
from mnemos_files.history.repo import History
from mnemos_files.model.event import Event
from mnemos_files.model.note import Stamp
from mnemos_files.model.tally import Tally
from mnemos_files.store.counting import (
    FILE_BYTES_MAX,
    JOURNALS,
    Counting,
    lines_of,
    listing,
    machine_listing,
)
from mnemos_files.store.guard import Guard
from mnemos_files.store.kept_count import KeptCount
from mnemos_files.store.place import Place

IGNORE_PATH = JOURNALS / ".gitignore"
IGNORE = b'# [journal] commit is "never": events stay on their machine.\n*\n'

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Committed:
    """A file as it lay when a commit held just these bytes."""

    stamp: Stamp
    blob: str


class Journal:
    """Events of one vault. Thread-safe; several processes may append at once.

    `machine` names the folder that this process writes to, `process` [pid] goes into the start of
    sessions. With `kept` old months are counted once and for all.
    """

    def __init__(
        self, place: Place, machine: str, process: int = 0, kept: KeptCount | None = None
    ) -> None:
        self.machine = machine
        self.process = process
        self._place = place
        self._guard = Guard(place)
        self._files = place.vault.own
        self._counting = Counting(self._files, kept)
        self._reader = threading.Lock()
        self._writer = threading.Lock()
        self._same: Counter[bytes] = Counter()
        self._committed: dict[PurePosixPath, _Committed] = {}

    def append(self, events: Sequence[Event]) -> None:
        """Write events to this machine's journal of their month; makes no commit.

        They survive the end of the process at once, a power cut when the system has written them.

        Raises:
            RefusedError: a secret stands in one, or `.mnemos/journal` is a link or leads into
                another repository.
            UnavailableError: the vault is gone, or the disk is full, read-only or forbidden.
        """
        with self._writer:
            self._hide_if_private()
            for name, group in groupby(events, month):
                lines = [self._distinct(line) for line in render(group)]
                self._guard.check_lines(lines)
                if lines:
                    self._files.append(JOURNALS / self.machine / name, b"".join(lines))

    def note(self, events: Sequence[Event]) -> None:
        """Write events of reading, if that can be done: a read never fails for its journal.

        Nothing is made in a folder that is no vault yet.
        """
        if not (self._place.settings_root / CONFIG_PATH).exists():
            return
        try:
            self.append(events)
        except MnemosError as error:
            _log.warning("not in the journal: %s", error)

    def tally(self) -> Tally:
        """What all journals of the vault add up to now, those of other machines included.

        Raises:
            UnavailableError: the vault is gone.
        """
        with self._reader:
            return self._counting.tally()

    def since(self, start: datetime) -> list[Event]:
        """Events of all machines from this moment [UTC] on, by time.

        Only the months that may hold some are read.

        Raises:
            UnavailableError: the vault is gone.
        """
        first = month_name(start)
        found: list[Event] = []
        for path, stamp in listing(self._files):
            if path.name < first:
                continue
            try:
                for lines in lines_of(self._files, path, stamp):
                    found += [event for event in parse(lines) if event.at >= start]
            except MnemosError as error:
                _log.warning("%s was not read: %s", path, error)
        return sorted(found, key=lambda event: event.at)

    def batch(self) -> dict[PurePosixPath, bytes]:
        """This machine's journals that are not in the commit as they lie on disk.

        Empty where journals are not committed: by the settings, by git, or without a history.
        """
        history = self._place.history
        if history is None or self._place.settings.journal_commit == "never":
            return {}
        found = {}
        for path, stamp in machine_listing(self._files, self.machine):
            try:
                data = self._uncommitted_bytes(path, stamp, history)
                if data is not None and not history.unversioned(path):
                    found[path] = data
            except MnemosError as error:  # a journal never stands in the way of a memory
                _log.warning("%s was not committed: %s", path, error)
        return found

    def waiting(self) -> list[Event]:
        """Events of this machine that are in no commit, in the order of the file."""
        history = self._place.history
        events: list[Event] = []
        for path, data in self.batch().items():
            blob = "" if history is None else history.committed(path)
            known = set(history.read_blob(blob).splitlines()) if history and blob else set()
            events += parse([line for line in data.splitlines() if line not in known])
        return events

    def _uncommitted_bytes(
        self, path: PurePosixPath, stamp: Stamp, history: History
    ) -> bytes | None:
        blob = history.committed(path)
        if stamp.size > FILE_BYTES_MAX or self._committed.get(path) == _Committed(stamp, blob):
            return None
        with self._files.reading(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
            data = file.read()
        if history.blob_id(path, data) != blob:
            return data
        if len(data) == stamp.size:
            self._committed[path] = _Committed(stamp, blob)
        return None

    def _distinct(self, line: bytes) -> bytes:
        """The line, with a number if it was written before: equal lines count once."""
        if line not in self._same and len(self._same) > _SAME_MAX:
            self._same.clear()
        self._same[line] += 1
        return line if self._same[line] == 1 else numbered(line, self._same[line])

    def _hide_if_private(self) -> None:
        if self._place.settings.journal_commit != "never":
            return
        if not os.path.lexists(self._place.vault.root / IGNORE_PATH):
            try:
                self._place.vault.write_own(IGNORE_PATH, IGNORE)
            except ConflictError:
                return  # another process was quicker


_SAME_MAX = 1_000
"""Lines [1] that are remembered: only those of the same microsecond can be equal."""
