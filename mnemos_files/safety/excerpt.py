"""The place of a finding and a harmless excerpt of it, for reports."""

from mnemos_files.safety.characters import INVISIBLE_RUN
from mnemos_files.safety.mask import mask
from mnemos_files.safety.sanitise import sanitise
from mnemos_files.safety.verdict import Finding

_WIDTH = 80
"""Characters [1] of an excerpt."""


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Line and column of a place, both from 1; columns count code points."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def excerpt(text: str, finding: Finding) -> str:
    """What was found, on one line: secrets masked, characters that show nothing named."""
    found = text[finding.start : finding.end]
    if INVISIBLE_RUN.fullmatch(found):
        return _code_points(found)
    shown = " ".join(mask(sanitise(found)).split())
    return shown if len(shown) <= _WIDTH else f"{shown[: _WIDTH - 1]}…"


def _code_points(hidden: str) -> str:
    names = [f"U+{ord(sign):04X}" for sign in dict.fromkeys(hidden)]
    listed = " ".join(names[:4]) + (" …" if len(names) > 4 else "")  # noqa: PLR2004 - as fits a line
    return f"{len(hidden)} hidden: {listed}"
