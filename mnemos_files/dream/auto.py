"""Dreaming by itself: in a server, while nobody works, if the settings say so."""

import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime

from mnemos_files.dream.run import dream
from mnemos_files.report.duration import start_of
from mnemos_files.store.batch import QUIET
from mnemos_files.store.store import Store

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Dreamer:
    """Asked after each rest; dreams when it was quiet and the last dream is long enough ago."""

    store: Store
    _last: datetime = field(default=datetime.min.replace(tzinfo=UTC), init=False)

    def __call__(self) -> float:
        """Dream if it is time; the time [s] after which to ask again.

        In the middle of a merge or rebase nothing is done.
        """
        now = self.store.now()
        due = self._due(now)
        if due:
            return due
        noise = self.store.batch.noise_left()
        if noise:
            return noise
        history = self.store.history
        if history is not None and not history.blocked():
            self._last = now
            report = dream(self.store, now)
            _log.info("dreamt: %d deeds", sum(len(one.done) for one in report.outcomes))
        return QUIET.total_seconds()

    def _due(self, now: datetime) -> float:
        """How long [s] until the next dream, 0 when it is time; what others dreamt counts too."""
        last = max([self._last, *self.store.journal.tally().deeds.values()])
        since = start_of("[dream] interval", self.store.settings.dream_interval, now)
        return (last - since).total_seconds() if since < last <= now else 0.0


def attach(store: Store) -> None:
    """Let the store dream while it is idle, if its settings say so."""
    if store.settings.dream_auto:
        store.batch.tasks.append(Dreamer(store))
