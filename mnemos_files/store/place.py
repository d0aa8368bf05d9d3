"""Where a vault lies: its folder, its settings, its repository, its locks."""

import logging
import threading
from pathlib import Path

from mnemos_files.config import CONFIG_PATH
from mnemos_files.errors import MnemosError
from mnemos_files.history.repo import History
from mnemos_files.history.values import Change, NoHistory
from mnemos_files.store.intent import IntentFile
from mnemos_files.store.rejections import Rejections
from mnemos_files.store.settings import read_settings
from mnemos_files.store.setup import set_up, unsettled
from mnemos_files.vault.files import Vault
from mnemos_files.vault.lock import VaultLock
from mnemos_files.vault.watch import Watcher

INTENT_NAME = "pending.json"
FEW_NOTES = 5

_log = logging.getLogger(__name__)


class Place:
    """The folder of a vault and what stands around it. Thread-safe.

    `owner` is the person's folder of the same vault, where this one is a work tree for proposals:
    settings are read there, and what this one lacks is not made.
    """

    def __init__(self, root: Path, *, vault_id: str, owner: Path | None = None) -> None:
        self.settings_root = owner or root
        self.settings = read_settings(self.settings_root)
        self.vault = Vault(root, self.settings.ignored)
        self.lock = VaultLock(self.vault.root / ".mnemos")
        self.watcher: Watcher | None = None
        self.allow_secrets = False
        """True when the person who runs this command has said that its secrets are none."""
        self.derived: Path | None = None
        """Folder of the index, where it is known."""
        self.refusal: MnemosError | None = None
        """Why nothing may be written here, for as long as this process runs."""
        self.rejections: Rejections | None = None
        """What a person has rejected, where that must not be written again."""
        self._is_borrowed = owner is not None
        self._vault_id = vault_id
        self._guard = threading.Lock()
        self._is_settled = False
        self._history = _opened(self.vault.root)

    @property
    def history(self) -> History | None:
        """The git history, None when there is no repository or it cannot be opened."""
        return self._history if isinstance(self._history, History) else None

    @property
    def urgent(self) -> tuple[str, ...]:
        """What every answer should pass on; costs microseconds."""
        notices = []
        if self.refusal is not None:
            notices.append(f"nothing can be saved: {self.refusal.message}")
        if isinstance(self._history, NoHistory) and self._history.exists:
            notices.append(f"history is off: {self._history.reason}")
        if self.has_debts():
            notices.append("some saved memories are not committed yet; the next write commits them")
        return tuple(notices)

    @property
    def facts(self) -> tuple[str, ...]:
        """What a person who looks at the state should know of repository and watching."""
        notices = [] if self.history is None else self.history.notices()
        if self.watcher is not None and self.watcher.problem:
            notices.append(f"no change events ({self.watcher.problem}); files are compared instead")
        return tuple(notices)

    def is_sound(self, known_notes: int) -> bool:
        """False when a vault that had notes has lost its repository: an unmounted disk."""
        if not self.vault.alive():
            return False
        if isinstance(self._history, NoHistory):
            return self._history.exists or known_notes < FEW_NOTES
        return self._history.git_dir.exists()

    def ready(self) -> tuple[History | None, IntentFile | None]:
        """The history to commit to, None when there is none or it cannot be opened.

        Call it under the writer lock.
        """
        with self._guard:
            if not isinstance(self._history, History):
                self._history = _opened(self.vault.root)
        return self.history, self._intent()

    def found(self) -> tuple[History | None, IntentFile | None, list[Change]]:
        """Make what a first write needs: a repository where none is found, and the settings.

        Gives the commit that the settings still owe: none after the first that succeeded. Call it
        under the writer lock.
        """
        with self._guard:
            if isinstance(self._history, NoHistory) and not self._history.exists:
                self._history = History.create(self.vault.root)
            if self._is_borrowed:
                return self.history, self._intent(), []
            if not (self.vault.root / CONFIG_PATH).exists():
                set_up(self.vault, self._vault_id)
                self.settings = read_settings(self.vault.root)
            owed: list[Change] = []
            if self.history is not None and not self._is_settled:
                owed = unsettled(self.vault, self.history, self.settings.vault_id)
                self._is_settled = not owed
        return self.history, self._intent(), owed

    def has_debts(self) -> bool:
        """True when an earlier write is on disk and not committed."""
        intent = self._intent()
        return intent is not None and bool(intent.read())

    def watch(self) -> Watcher | None:
        """The running watcher, None when the settings or the system do not allow one."""
        history = self.history
        if history is not None and self.settings.watch:
            watcher = Watcher(self.vault, history.git_dir / "mnemos")
            self.watcher = watcher
            return watcher if watcher.start() else None
        return None

    def close(self) -> None:
        """Stop the watcher."""
        if self.watcher is not None:
            self.watcher.stop()

    def _intent(self) -> IntentFile | None:
        history = self.history
        return None if history is None else IntentFile(history.git_dir / "mnemos" / INTENT_NAME)


def _opened(root: Path) -> History | NoHistory:
    opened = History.open(root)
    if isinstance(opened, NoHistory) and opened.exists:
        _log.warning("history is off: %s", opened.reason)
    return opened
