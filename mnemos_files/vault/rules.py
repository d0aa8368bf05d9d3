"""What belongs to a vault, by name. Pure."""

import re
from collections.abc import Iterable
from fnmatch import translate

from mnemos_files.format.paths import conflict_copy_of
from mnemos_files.vault.paths import is_markdown, is_usable

GIT = ".git"
_OPEN_ENDS = tuple("*?]dD")
"""Last letters of patterns that can match a name that ends in `.md`."""


class Rules:
    """Which names are notes and which folders are looked into."""

    def __init__(self, ignored: Iterable[str]) -> None:
        given = tuple(ignored)
        patterns = tuple(pattern for pattern in given if not pattern.startswith("/"))
        self._top = frozenset(pattern[1:] for pattern in given if pattern.startswith("/"))
        self._ignored = _any_of(patterns)
        # Most patterns cannot match a markdown file; a listing asks once for each note.
        self._ignored_files = _any_of(p for p in patterns if p[-1:] in _OPEN_ENDS)

    def is_ignored(self, name: str) -> bool:
        """True for a hidden name and for one that a pattern of the settings matches."""
        return name.startswith(".") or self._ignored.match(name) is not None

    def is_left_out(self, name: str) -> bool:
        """True for the name of a file at the top that a pattern such as `/Home.md` names."""
        return name in self._top

    def is_candidate(self, name: str) -> bool:
        """True for the name of a markdown file that is not ignored; copies are among them."""
        return is_markdown(name) and self._ignored_files.match(name) is None

    def is_note(self, name: str) -> bool:
        """True for a candidate that no sync program set aside and that every reader can name."""
        return self.is_candidate(name) and conflict_copy_of(name) is None and is_usable(name)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")


def placeholder_of(name: str) -> str | None:
    """File name that an iCloud placeholder `.name.icloud` stands for, else None."""
    is_one = name.startswith(".") and name.endswith(".icloud") and len(name) > len("..icloud")
    return name[1 : -len(".icloud")] if is_one else None
