"""What git-filter-repo is told to do with names of files and messages of commits."""

import re
from collections.abc import Iterable, Mapping, Sequence

REMOVED = b"removed"
"""What stands in place of a purged text, in names and titles."""


def new_names(names: Iterable[bytes], patterns: Sequence[str]) -> dict[bytes, bytes]:
    """New names of the files whose name holds one of the patterns; no two become the same."""
    compiled = [re.compile(pattern.encode()) for pattern in patterns]
    taken = set(names)
    found: dict[bytes, bytes] = {}
    for name in sorted(taken):
        wanted = name
        for pattern in compiled:
            wanted = pattern.sub(REMOVED, wanted)
        if wanted != name:
            found[name] = _free(wanted, taken)
            taken.add(found[name])
    return found


def _free(name: bytes, taken: set[bytes]) -> bytes:
    """The name, with a number before its ending where another file has it."""
    folder, slash, last = name.rpartition(b"/")
    stem, dot, ending = last.partition(b".")
    number, free = 1, name
    while free in taken:
        number += 1
        free = folder + slash + stem + b"-%d" % number + dot + ending
    return free


def name_code(names: Mapping[bytes, bytes]) -> str:
    """Code for git-filter-repo: these files get new names."""
    return f"return {dict(names)!r}.get(filename, filename)\n"


def message_code(titles: Sequence[tuple[str, str]]) -> str:
    """Code for git-filter-repo: the title is replaced where the commit names the id."""
    pairs = [(name.encode(), title.encode()) for name, title in titles]
    return (
        f"for name, title in {pairs!r}:\n"
        "  if name in commit.message:\n"
        f"    commit.message = commit.message.replace(title, {REMOVED!r})\n"
    )
