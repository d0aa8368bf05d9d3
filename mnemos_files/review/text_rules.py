"""Rules on the text of a memory: secrets, orders, what a reader does not see, its size."""

from collections.abc import Iterator

from mnemos_files.review.pairs import Side
from mnemos_files.review.scene import Hit, Scene
from mnemos_files.review.shown import one_line
from mnemos_files.safety.excerpt import line_and_column
from mnemos_files.safety.hidden import hidden_places

SIZE_MAX = 40_000
"""Bytes [1] of a note, about 10,000 tokens: more than the context block of any client takes."""

HIDDEN_SHOWN = 160
"""Characters [1] of a hidden text that are told."""

_SECRET, _INVISIBLE = "secret", "invisible-characters"
_MARKS = (("<!--", ""), ("-->", ""), ("%%", ""), ("]:", "] :"), ("<", "\u2039"), (">", "\u203a"))


def secrets(scene: Scene, side: Side) -> Iterator[Hit]:
    """Values that look like secrets and are not allowed."""
    return (Hit(p.line, p.message) for p in scene.text_problems(side) if p.rule == _SECRET)


def invisible_characters(scene: Scene, side: Side) -> Iterator[Hit]:
    """Characters that nobody sees."""
    return (Hit(p.line, p.message) for p in scene.text_problems(side) if p.rule == _INVISIBLE)


def orders(scene: Scene, side: Side) -> Iterator[Hit]:
    """What speaks to the model that will read it."""
    others = (_SECRET, _INVISIBLE)
    found = (problem for problem in scene.text_problems(side) if problem.rule not in others)
    return (Hit(problem.line, problem.message) for problem in found)


def hidden_text(_scene: Scene, side: Side) -> Iterator[Hit]:
    """Text that a rendered page does not show."""
    for start, end in hidden_places(side.text):
        shown = side.text[start:end]
        for mark, plain in _MARKS:
            shown = shown.replace(mark, plain)
        line, _ = line_and_column(side.text, start)
        yield Hit(line, f"a rendered page does not show: {one_line(shown, HIDDEN_SHOWN)!r}")


def oversized(_scene: Scene, side: Side) -> Iterator[Hit]:
    """A note that is too long to be of use in a context."""
    if len(side.data) > SIZE_MAX:
        yield Hit(0, f"has {len(side.data):,} bytes, more than {SIZE_MAX:,}")
