"""Links that lead nowhere, to several notes, or in a circle."""

import re
from collections.abc import Iterator

from mnemos_files.format.targets import shown_link
from mnemos_files.index.index import Index
from mnemos_files.model.note import Entry
from mnemos_files.model.problem import Problem
from mnemos_files.model.record import LINK_TYPES
from mnemos_files.model.skill import source_sessions
from mnemos_files.store.names import resolve

NAMED_MAX = 5
"""Notes [1] that are named of those that a link may mean."""

_RELATIONS = (*LINK_TYPES, "derived_from", "invalidated_by", "session")
_PURGED = re.compile(r"purged(?:-[0-9a-z]{6})?")
_SESSION_STEM = re.compile(r"(?:.*/)?\d{4}-\d{2}-\d{2}-")
_ATTACHMENT = re.compile(r"\.(?!md$)[a-z][a-z0-9]{1,9}$", re.IGNORECASE)


def link_problems(index: Index, *, foreign: bool) -> Iterator[Problem]:
    """Problems of the links of memories, and of all notes when `foreign`.

    What any note says that it supersedes is looked at in every case: it may end a memory.
    """
    for path, entry in index.entries.items():
        for key, link in _links(entry, everything=foreign or entry.is_ours):
            yield from _problem(path, key, link, index)
    for newer, older in index.circles():
        ends = f"[[{older}]] and this one supersede each other"
        message = "it supersedes itself" if newer == older else ends
        remedy = "Remove one of the links; until then none of them ends a note."
        yield Problem(newer, 0, "supersedes-circle", f"supersedes: {message}", remedy)


def _links(entry: Entry, *, everything: bool) -> Iterator[tuple[str, str]]:
    """Links with the key in which they stand, "" for those of the text and other properties."""
    named = set()
    for key in _RELATIONS if everything else ("supersedes",):
        value = getattr(entry.record, key)
        for link in (value,) if isinstance(value, str) else value:
            if link and link not in named:
                named.add(link)
                yield key, link
    named.update(source_sessions(entry.record))  # ids of sessions, which need not have a file
    if everything:
        yield from (("", link) for link in entry.outgoing if link not in named)


def _problem(path: str, key: str, link: str, index: Index) -> Iterator[Problem]:
    paths = resolve(link, index)
    where = f"{key}: " if key else ""
    if len(paths) > 1:
        more = f" and {len(paths) - NAMED_MAX} more" if len(paths) > NAMED_MAX else ""
        named = f"{', '.join(paths[:NAMED_MAX])}{more}"
        message = f"{where}[[{shown_link(link)}]] fits several notes: {named}"
        yield Problem(path, 0, "ambiguous-link", message, "Write the path in the link.")
    elif not paths and not _is_no_note(key, link):
        message = f"{where}[[{shown_link(link)}]] leads to no note"
        yield Problem(path, 0, "broken-link", message, "Mend its name, or write that note.")


def _is_no_note(key: str, link: str) -> bool:
    """True for what need not lead to a note.

    That is an attachment, the mark of a purged note, and the id of a session that has no file.
    """
    is_session_id = key == "session" and not _SESSION_STEM.match(link)
    return is_session_id or bool(_ATTACHMENT.search(link) or _PURGED.fullmatch(link))
