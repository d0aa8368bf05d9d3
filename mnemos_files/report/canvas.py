"""A supersession as a canvas that Obsidian opens: JSON Canvas 1.0 (jsoncanvas.org/spec/1.0)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemos_files.errors import InvalidQueryError
from mnemos_files.report.page_scope import digest
from mnemos_files.report.relations import (
    MENTIONS,
    SUPERSEDES,
    Relation,
    Relations,
    groups,
    relate,
)
from mnemos_files.store.store import Store

NODES_MAX = 100
"""Memories [1] of a canvas; of a longer supersession those next in time to the one asked for."""

WIDTH = 400
HEIGHT = 320
GAP = 120
_NOTE_HEIGHT = 120
_GREEN, _RED, _YELLOW = "4", "1", "3"
"""Preset colours of the format."""

_OWN = "mnemos-"
"""Begins the id of the node that tells what the canvas is; a digest of all others follows."""

_IN_CHAIN = (SUPERSEDES, "refines")

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chain:
    """Memories that replace or refine each other, oldest first, and the links among them.

    `colours` are those of the format by path, `left_out` counts memories that are too many.
    """

    paths: tuple[str, ...]
    relations: tuple[Relation, ...]
    colours: Mapping[str, str]
    left_out: int = 0


def chain(store: Store, name: str) -> Chain:
    """What hangs together with a memory (id, path or link name) by supersession.

    Raises:
        NotFoundError, AmbiguousNameError: the name is not exactly one note.
        InvalidQueryError: the note is no memory.
    """
    path = str(store.get(name).note.path)
    found = relate(store)
    if path not in found.memories:
        raise InvalidQueryError("id", f"{path} is no memory", remedy="Name a memory or a skill.")
    links = [one for one in found.relations if one.kind in _IN_CHAIN]
    whole = next(group for group in groups(found.memories, links) if path in group)
    near = _nearest(whole, whole.index(path))
    relations = tuple(one for one in found.of(near) if one.kind != MENTIONS)
    colours = {each: _colour(found, each) for each in near}
    return Chain(tuple(near), relations, colours, len(whole) - len(near))


def canvas(found: Chain, folder: str = "") -> str:
    """The text of a canvas; `folder` leads from Obsidian's vault to ours, "" = the same.

    The same chain gives the same text. Time runs from left to right; what replaces one memory
    stands in its row, a second one that does in a row of its own.
    """
    rows = _rows(found)
    nodes: list[Object] = [
        {
            "id": digest(path),
            "type": "file",
            "file": f"{folder}/{path}" if folder else path,
            "x": number * (WIDTH + GAP),
            "y": rows[path] * (HEIGHT + GAP),
            "width": WIDTH,
            "height": HEIGHT,
            "color": found.colours[path],
        }
        for number, path in enumerate(found.paths)
    ]
    edges = [_edge(one) for one in found.relations]
    note = {
        "id": _OWN + _mark(nodes, edges),
        "type": "text",
        "text": _told(found),
        "x": 0,
        "y": -(_NOTE_HEIGHT + GAP // 2),
        "width": WIDTH + GAP + WIDTH // 2,
        "height": _NOTE_HEIGHT,
    }
    whole = {"nodes": [note, *nodes], "edges": edges}
    return json.dumps(whole, ensure_ascii=False, indent="\t") + "\n"


def is_untouched(data: bytes) -> bool:
    """True for a canvas of ours that nobody has changed since, whoever wrote it to disk again."""
    try:
        whole = json.loads(data)
        nodes, edges = whole["nodes"], whole["edges"]
        ours = [node for node in nodes if str(node["id"]).startswith(_OWN)]
        others = [node for node in nodes if node not in ours]
        return len(ours) == 1 and ours[0]["id"] == _OWN + _mark(others, edges)
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


def folder_in_obsidian(root: Path) -> str:
    """The way from the folder that Obsidian calls its vault to ours, "" when they are the same."""
    real = root.resolve()
    for above in (real, *real.parents):
        if (above / ".obsidian").is_dir():
            inner = real.relative_to(above).as_posix()
            return "" if inner == "." else inner
    return ""


def _nearest(whole: Sequence[str], here: int) -> Sequence[str]:
    first = max(min(here - NODES_MAX // 2, len(whole) - NODES_MAX), 0)
    return whole[first : first + NODES_MAX]


def _colour(found: Relations, path: str) -> str:
    if path in found.ended:
        return _RED
    return _YELLOW if found.memories[path].record.trust_tier == "raw" else _GREEN


def _rows(found: Chain) -> dict[str, int]:
    """Row of each memory: that of the newest one it replaces or refines, if nobody took it yet."""
    place = {path: number for number, path in enumerate(found.paths)}
    rows: dict[str, int] = {}
    taken: set[str] = set()
    for path in found.paths:
        olds = [one.target for one in found.relations if one.source == path]
        free = [each for each in olds if each in rows and each not in taken]
        if free:
            old = max(free, key=place.__getitem__)
            taken.add(old)
            rows[path] = rows[old]
        else:
            rows[path] = max(rows.values(), default=-1) + 1
    return rows


def _edge(one: Relation) -> Object:
    return {
        "id": digest(f"{one.source}\n{one.kind}\n{one.target}"),
        "fromNode": digest(one.source),
        "fromSide": "left",
        "toNode": digest(one.target),
        "toSide": "right",
        "label": one.kind.replace("_", " "),
    }


def _told(found: Chain) -> str:
    """What the canvas is, in words of ours only: stored texts would be rendered as markdown."""
    if len(found.paths) == 1:
        said = "One memory; it replaces none and none replaces it."
    else:
        said = f"{len(found.paths)} memories, the oldest on the left."
    more = f" {found.left_out} more are left out." if found.left_out else ""
    return f"{said}{more}\nGreen holds, red does not hold any more, yellow is not confirmed."


def _mark(nodes: Iterable[Object], edges: Iterable[Object]) -> str:
    """Digest of nodes and edges, whatever their order and the order of their fields."""
    parts = [json.dumps(each, sort_keys=True) for each in (*nodes, *edges)]
    return digest("\n".join(sorted(parts)))
