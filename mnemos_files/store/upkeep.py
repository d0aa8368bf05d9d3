"""What keeps files, history and index in step around a write, and after a crash."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from mnemos_files.errors import MnemosError
from mnemos_files.history.repo import History
from mnemos_files.history.values import Change
from mnemos_files.store.intent import IntentFile
from mnemos_files.store.place import Place
from mnemos_files.store.refresh import Refresher

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What the writer and the background work ask of the place and the index."""

    place: Place
    refresher: Refresher

    def prepare(self) -> tuple[History | None, IntentFile | None]:
        """The history and the list of owed commits, after a look at other writers' news."""
        history, intent = self.place.ready()
        self.refresher.history = history
        self.refresher.note_head()
        return history, intent

    def found(self) -> tuple[History | None, IntentFile | None, Sequence[Change]]:
        """The same, made where they are missing, and the changes that a new vault owes."""
        history, intent, owed = self.place.found()
        self.refresher.history = history
        return history, intent, owed

    def has_temporaries(self) -> bool:
        """True when a killed writer may have left files behind."""
        return bool(self.place.vault.listing().temporaries)

    def repair(self) -> bool:
        """Bring git's index up to date if another program's lock kept us from it.

        While it is behind, a commit by the person would drop what it lacks; true = still behind.
        """
        history = self.place.history
        return history is not None and bool(history.repair_index())

    def written(self, paths: Sequence[str]) -> None:
        """Make what was written searchable; a failure is logged, the next look mends it."""
        try:
            self.refresher.take(paths)
        except (MnemosError, OSError) as error:
            _log.warning("the index is behind the files: %s", error)
