"""Finding one note by a name, and the passage of a note that answers a question."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError, NotFoundError
from mnemos_files.format.record import parse
from mnemos_files.history.repo import History
from mnemos_files.index.index import Index
from mnemos_files.model.query import Hit, Query
from mnemos_files.store import names
from mnemos_files.store.refresh import Refresher
from mnemos_files.store.snippet import snippet
from mnemos_files.vault.files import Vault


@dataclass(frozen=True, slots=True)
class Lookup:
    """Reads for answers; changes nothing."""

    vault: Vault
    index: Index
    refresher: Refresher

    def find(self, name: str) -> str:
        """Path of the one note that has this id, path or name.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
        """
        try:
            return names.find_path(name, self.index, self._exists)
        except NotFoundError:
            if not self.refresher.pending:
                raise
        self.refresher.finish()
        return names.find_path(name, self.index, self._exists)

    def passage(
        self, hit: Hit, query: Query, history: History | None, blobs: Mapping[str, str] | None
    ) -> str:
        """The snippet of a hit from its file, or from the blob that it was; "" if unreadable."""
        path = hit.entry.path
        try:
            if blobs is not None and history is not None:
                data = history.read_blob(blobs[str(path)])
            else:
                data, _ = self.vault.read(path)
        except MnemosError:
            return ""
        return snippet(parse(path, data).body, query.text)

    def _exists(self, path: PurePosixPath) -> bool:
        return self.vault.stamp(path) is not None
