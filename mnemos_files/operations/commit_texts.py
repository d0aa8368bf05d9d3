"""What commits and versions say, as a client may see it. Anybody may have written it."""

from typing import TYPE_CHECKING

from mnemos_files.operations.shown import Screen, shown_name
from mnemos_files.safety.mask import beginning
from mnemos_files.safety.present import masked

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store
    from mnemos_files.store.versions import Origin, Version

NAME_MAX = 80
WHY_MAX = 400
"""Longest name and reason [characters] that is told of a commit."""

SHALLOW = "this clone is shallow: older commits are not in it; `git fetch --unshallow` brings them"


def by(origin: "Origin") -> str:
    """Whether an agent or a person made a commit, after the author's address."""
    return "agent" if origin.is_agent else "person"


def named(screen: Screen, text: str) -> str:
    """A name on one line, cut."""
    return screen.text(_cut(" ".join(text.split()), NAME_MAX)) or "unknown"


def told(screen: Screen, text: str) -> str | None:
    """A subject or a reason, cut; None when there is none."""
    return screen.text(_cut(text.strip(), WHY_MAX)) or None


def trailer(origin: "Origin", key: str) -> str | None:
    """A trailer of ours, None when the commit has none."""
    return shown_name(_cut(origin.trailer(f"Mnemos-{key}"), NAME_MAX)) or None


def what(version: "Version", *, is_merge: bool, is_back: bool) -> str:
    """What a commit did to a note; `is_back` when it had been there before."""
    if not version.id:
        return "deleted"
    if version.former is not None:
        return "renamed"
    if not version.before:
        return "restored" if is_back else "added"
    return "merged" if is_merge else "edited"


def plain(data: bytes) -> str:
    """A text out of git without what must not be seen, with line ends of one kind."""
    return masked(data.decode("utf-8", "replace").replace("\r\n", "\n"))


def notices(store: "Store") -> list[str]:
    """What one should know beside any answer about the past."""
    found = list(store.urgent_notices())
    return [*found, SHALLOW] if store.versions.past.is_shallow else found


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{beginning(text, most)}…"
