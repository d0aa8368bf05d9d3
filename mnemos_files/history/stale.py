"""Paths whose entry in the git index is behind the branch, kept on disk so that a crash loses none.

One line of JSON for each path: the path and the blob id that the index had when the branch moved.
Lines are appended and synced before the branch moves; the file is emptied once the index is right.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from mnemos_files.history.refs import sync_folder


class StaleFile:
    """The list of one vault; `path` lies in the git folder."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> dict[str, str]:
        """Blob ids by path, as the index had them when it fell behind; the first one counts."""
        found: dict[str, str] = {}
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return found
        for line in lines:
            try:
                path, blob = json.loads(line)
            except ValueError:
                continue  # cut short by a crash: the branch had not moved yet
            found.setdefault(path, blob)
        return found

    def is_empty(self) -> bool:
        """True when the index is behind nowhere."""
        try:
            return self._path.stat().st_size == 0
        except FileNotFoundError:
            return True

    def add(self, blobs: Mapping[str, str]) -> None:
        """Append paths with the blob ids that the index has now; durable on return."""
        is_new = not self._path.exists()
        lines = "".join(json.dumps(pair) + "\n" for pair in blobs.items())
        with self._path.open("ab") as stream:
            # A line that a crash cut short must not swallow the next one.
            stream.write(b"\n" + lines.encode("ascii"))
            stream.flush()
            os.fsync(stream.fileno())
        if is_new:
            sync_folder(self._path.parent)

    def clear(self) -> None:
        """Empty the list. Undone by a crash, it is merely too long."""
        if not self.is_empty():
            os.truncate(self._path, 0)
