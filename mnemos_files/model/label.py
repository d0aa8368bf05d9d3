"""What a correction is about, and how a skill says which corrections it was made from."""

from collections.abc import Iterable
from hashlib import sha256

PROMOTED = "auto-promoted"
"""Tag of every skill that was made from corrections."""

ORIGIN = "promoted-origin:"
"""Begins the tag that names the group of corrections."""

PROJECT = "project:"
"""Begins the tag that names their project."""

STRUCTURAL = (ORIGIN, PROJECT, "ruminated-from:")
"""Beginnings of tags that say where a memory came from, not what it is about."""

ORIGIN_DIGITS = 12
TITLE_WORDS = 3


def label(tags: Iterable[str], title: str) -> str:
    """What a correction is about: its first tag that says so, else how its title begins."""
    names = (tag.strip().lower() for tag in tags)
    about = next((name for name in names if name and not is_structural(name)), "")
    return about or " ".join(title.lower().split()[:TITLE_WORDS])


def is_structural(tag: str) -> bool:
    """True for a tag that says where a memory came from."""
    return tag == PROMOTED or tag.startswith(STRUCTURAL)


def origin(agent: str, project: str, about: str) -> str:
    """Name [12 hex digits] of the group of corrections of one agent and project about one thing."""
    digest = sha256(f"{agent}|{project}|{about}".encode("utf-8", "replace")).hexdigest()
    return digest[:ORIGIN_DIGITS]
