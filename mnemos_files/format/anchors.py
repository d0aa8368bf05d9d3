"""Places in a note that a link names: `note#Heading`, `note#Above#Heading`, `note#^block`. Pure."""

import re

from mnemos_files.format.links import is_link
from mnemos_files.format.outline import outline
from mnemos_files.model.kind import Kind

NOWHERE = -1

# Obsidian leaves these out of the headings in its links.
_LEFT_OUT = re.compile(r"[#|^:%\[\]\\]+")


def split_anchor(name: str) -> tuple[str, str]:
    """The name of a note and the place in it, "" for none, from a link or what stands in one."""
    inner = name.strip().lstrip("!")[2:-2] if is_link(name) else name
    target, _, anchor = inner.partition("|")[0].partition("#")
    return target.strip(), anchor.strip()


def find_anchor(body: str, anchor: str, kind: Kind) -> int:
    """Where a place begins [characters], `NOWHERE` when there is none of that name."""
    return _block(body, anchor[1:]) if anchor.startswith("^") else _heading(body, anchor, kind)


def _heading(body: str, anchor: str, kind: Kind) -> int:
    steps = tuple(filter(None, map(_plain, anchor.split("#"))))
    for place in outline(body, kind) if steps else ():
        if tuple(map(_plain, (*place.above, place.heading)))[-len(steps) :] == steps:
            return place.start
    return NOWHERE


def _plain(heading: str) -> str:
    return " ".join(_LEFT_OUT.sub(" ", heading).split()).casefold()


def _block(body: str, name: str) -> int:
    """The paragraph or list that has `^name`; a name on a line of its own is of what is above."""
    mark = re.search(rf"(?<!\S)\^{re.escape(name)}[ \t]*$", body, re.MULTILINE) if name else None
    if mark is None:
        return NOWHERE
    line = body.rfind("\n", 0, mark.start()) + 1
    is_alone = not body[line : mark.start()].strip()
    end = len(body[:line].rstrip()) if is_alone else mark.start()
    return body.rfind("\n\n", 0, end) + 2 if "\n\n" in body[:end] else 0
