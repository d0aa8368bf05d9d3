"""How large an answer is for a client."""

import json
from collections.abc import Sequence
from typing import TypeVar

from mnemos_files.operations.schema import to_json

ANSWER_MAX = 17_000
"""Most characters of an answer: its JSON as a text and again as structured content. Clients cut or
drop from about 20,000 on; what remains is for the frame around it."""

Row = TypeVar("Row")


def cost(value: object) -> int:
    """Characters that a result takes: its JSON, and that JSON once more inside a JSON text."""
    return _doubled(json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":")))


def fitting(rows: Sequence[Row], room: int, *, least: int = 0) -> list[Row]:
    """The first rows that cost at most `room` [characters] together; `least` of them anyhow."""
    found: list[Row] = []
    for row in rows:
        room -= cost(row)
        if room < 0 and len(found) >= least:
            break
        found.append(row)
    return found


def page(text: str, offset: int, room: int) -> str:
    """The longest part from `offset` on whose cost stays below `room` [characters].

    Never empty while there is text.
    """
    low, high = 1, max(1, min(len(text) - offset, room // 2))
    while low < high:
        middle = (low + high + 1) // 2
        if _text_cost(text[offset : offset + middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return text[offset : offset + low]


def _text_cost(text: str) -> int:
    return _doubled(json.dumps(text, ensure_ascii=False))


def _doubled(text: str) -> int:
    """Length of a JSON text and of the same once more inside a JSON text."""
    return 2 * len(text) + text.count('"') + text.count("\\") + 2
