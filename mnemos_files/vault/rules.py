"""What belongs to a vault, by name. Pure."""

import re
from collections.abc import Iterable
from fnmatch import translate

from mnemos_files.format.paths import conflict_copy_of
from mnemos_files.vault.paths import is_markdown, is_usable

GIT = ".git"


class Rules:
    """Which names are notes and which folders are looked into."""

    def __init__(self, ignored: Iterable[str]) -> None:
        patterns = [translate(pattern) for pattern in ignored] or [r"(?!)"]
        self._ignored = re.compile("|".join(patterns))

    def is_ignored(self, name: str) -> bool:
        """True for a hidden name and for one that a pattern of the settings matches."""
        return name.startswith(".") or self._ignored.match(name) is not None

    def is_candidate(self, name: str) -> bool:
        """True for the name of a markdown file that is not ignored; copies are among them."""
        return is_markdown(name) and not self.is_ignored(name)

    def is_note(self, name: str) -> bool:
        """True for a candidate that no sync program set aside and that every reader can name."""
        return self.is_candidate(name) and conflict_copy_of(name) is None and is_usable(name)


def placeholder_of(name: str) -> str | None:
    """File name that an iCloud placeholder `.name.icloud` stands for, else None."""
    is_one = name.startswith(".") and name.endswith(".icloud") and len(name) > len("..icloud")
    return name[1 : -len(".icloud")] if is_one else None
