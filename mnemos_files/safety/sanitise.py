"""A text made fit for a model: nothing that cannot be seen, nothing that acts as a frame."""

from typing import Final

from mnemos_files.safety.characters import CONTROLS, INVISIBLE_RUN, one_of
from mnemos_files.safety.fitting import Fitting
from mnemos_files.safety.frame import escape_frame

_DROPPED: Final = one_of(CONTROLS)
_SURROGATE: Final = one_of("\ud800-\udfff")
_LINE_ENDS: Final = one_of("\u2028\u2029")
_MARKS_OF_HIDING: Final = ("<!--", "]:", "%%", "style", "hidden")
_REMOVED: Final = "[hidden comment removed]"
_ROUNDS: Final = 4
"""Looks [1] at a text for hidden orders: one that is gone may change how another is read."""


def sanitise(text: str) -> str:
    """The text as a model may see it; a second run changes nothing.

    Away go characters that show nothing, control characters except newline, tab and carriage
    return, and comments that give orders. Kept are joiners and selectors that emoji and scripts
    need, and marks of direction near right-to-left letters. A tag of the frame becomes plain
    words.
    """
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    text = _DROPPED.sub("", text)
    if not text.isascii():
        text = _visible(text)
    for _ in range(_ROUNDS):
        shown = _without_hidden_orders(text)
        if shown == text:
            break
        text = shown
    return escape_frame(text)


def _visible(text: str) -> str:
    fitting = Fitting(text)
    parts: list[str] = []
    done = 0
    for run in INVISIBLE_RUN.finditer(text):
        parts += [text[done : run.start()], fitting.needed(run)]
        done = run.end()
    return "".join([*parts, text[done:]]) if parts else text


def _without_hidden_orders(text: str) -> str:
    if not any(mark in text for mark in _MARKS_OF_HIDING):
        return text
    # Most texts hide nothing, and the scanner takes its time to load.
    from mnemos_files.safety.hidden import hidden_places  # noqa: PLC0415 - see above
    from mnemos_files.safety.scan import scan  # noqa: PLC0415 - see above

    if next(hidden_places(text.lower()), None) is None:
        return text
    for finding in reversed(scan(text).findings):
        if finding.rule == "hidden-comment" and finding.risk == "high":
            text = text[: finding.start] + _REMOVED + text[finding.end :]
    return text
