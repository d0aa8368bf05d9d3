"""Characters that show nothing, and the company in which they are right."""

from typing import Final

from mnemos_files.safety.expression import Expression


def _class(*ranges: tuple[int, int]) -> str:
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


ZWNJ: Final = "\u200c"
ZWJ: Final = "\u200d"
MARKS: Final = "\u061c\u200e\u200f"
"""Marks of direction: Arabic letter, left to right, right to left."""
ISOLATES: Final = "\u2066-\u2069"
EMBEDDINGS: Final = "\u202a-\u202e"
TAGS: Final = _class((0xE0000, 0xE007F))
SELECTORS: Final = _class((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180D), (0x180F, 0x180F))
FILLERS: Final = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb" + _class((0x1D173, 0x1D17A))
)
"""Soft hyphen, joiners and spaces of no width, letters that are blank, marks of annotation."""
INVISIBLE: Final = FILLERS + ZWNJ + ZWJ + MARKS + ISOLATES + EMBEDDINGS + TAGS + SELECTORS

EMOJI: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299" + _class((0x1F000, 0x1FAFF))
)
"""Blocks that hold emoji and the symbols that have a text form and a coloured form."""
IDEOGRAPH: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff" + _class((0x20000, 0x3FFFF))
MATHEMATICAL: Final = "\u2200-\u22ff\u2a00-\u2aff"
JOINING: Final = (
    "\u0600-\u06ff\u0700-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1cff\ua840-\uaaff"
    "\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc" + _class((0x10A00, 0x11FFF), (0x1E900, 0x1E95F))
)
"""Scripts whose letters join: Arabic, Syriac, Indic, Burmese, Khmer, Mongolian and the like."""
WORD_SPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff" + IDEOGRAPH
"""Scripts without spaces, where a space of no width says where a line may break."""
RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc" + _class(
    (0x10800, 0x10FFF), (0x1E800, 0x1EFFF)
)

CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
"""Control characters except tab, newline and carriage return."""

FLAG: Final = Expression("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""Flag of a region: black flag, two letters of a country, up to four of its part, end."""


def one_of(characters: str) -> Expression:
    """What matches one character of a class."""
    return Expression(f"[{characters}]")


IS_EMOJI: Final = one_of(EMOJI)
IS_JOINING: Final = one_of(JOINING)
IS_RIGHT_TO_LEFT: Final = one_of(RIGHT_TO_LEFT)
TAKES_SELECTOR: Final = one_of(EMOJI + MATHEMATICAL + IDEOGRAPH + JOINING + "\u3000-\u303f")
IS_IDEOGRAPH: Final = one_of(IDEOGRAPH)
INVISIBLE_RUN: Final = Expression(f"[{INVISIBLE}]+")
