"""The text of a session's file: what was saved and touched in it, and how it went. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mnemos_files.format.links import link_target, write_link
from mnemos_files.model.record import Link, Record

TOUCHED_MAX = 100
"""Files [1] that are listed by name; the others are only counted."""

_SHOWN_MAX = 120
_SAFE = str.maketrans({"[": "(", "]": ")", "|": "/", "`": "'", "\\": "/"})
"""Signs that would end the link, or hide it as code, and what stands for them."""

_MORE = re.compile(r"- and \d+ more")


def saved_line(link: Link, record: Record) -> str:
    """An item that links to a record, shown by its title, with its type and whether it is raw."""
    title = " ".join(record.title.split()).translate(_SAFE)
    shown = title if len(title) <= _SHOWN_MAX else f"{title[: _SHOWN_MAX - 1].rstrip()}…"
    kind = f"{record.type}, raw" if record.trust_tier == "raw" else record.type
    target = write_link(link)
    if link_target(target) != link or target == link:
        return f"- {shown or 'untitled'} ({kind}): {link}"
    return f"- [[{link}|{shown}]] ({kind})" if shown else f"- {target} ({kind})"


def touched_lines(paths: Sequence[str]) -> list[str]:
    """An item for each file of a code repository, as code, and how many more there were."""
    lines = [f"- {path}" if "`" in path else f"- `{path}`" for path in paths[:TOUCHED_MAX]]
    left = len(paths) - len(lines)
    return [*lines, f"- and {left} more"] if left else lines


def with_log(
    record: Record, saved: Iterable[str], touched: Iterable[str], summary: str, reflection: str
) -> Record:
    """The session's record with these items and texts below what its parts say already.

    An item or text that stands there is not repeated, so that edits of a person stay.
    """
    parts = {
        "saved": _with_items(record.section("saved"), saved),
        "touched": _with_items(record.section("touched"), touched),
        "summary": _joined(record.section("summary"), summary),
        "reflection": _joined(record.section("reflection"), reflection),
    }
    known = {**dict(record.sections), **parts}
    keys = [section.key for section in record.kind.sections]
    return replace(record, sections=tuple((key, known[key]) for key in keys if known.get(key)))


def _with_items(old: str, lines: Iterable[str]) -> str:
    kept = [line for line in old.split("\n") if not _MORE.fullmatch(line)] if old else []
    present = {line.strip() for line in kept}
    return "\n".join([*kept, *(line for line in lines if line not in present)])


def _joined(old: str, new: str) -> str:
    """Both texts, a blank line between them, or the one that says it all."""
    if not new or new in old:
        return old
    return f"{old}\n\n{new}" if old.strip() else new
