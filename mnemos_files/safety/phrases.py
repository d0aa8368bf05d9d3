"""Orders, as patterns over the classes of words; see `safety.vocabulary` for the letters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mnemos_files.safety.found import Found
from mnemos_files.safety.verdict import Risk
from mnemos_files.safety.words import Words


@dataclass(frozen=True)
class Phrase:
    """A row: rule, risk when said plainly, and the classes of words in order.

    In `classes` a blank means "next word", ``~4`` up to four other words of the same sentence, and
    any other sign is that of `re`. ``-4`` is the same without an address in between.
    """

    rule: str
    risk: Risk
    classes: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern over a string of classes, compiled when a text may hold it."""
        gaps = re.sub(r"~(\d+)", r"[^|]{0,\1}?", self.classes.replace(" ", ""))
        gaps = re.sub(r"-(\d+)", r"[^|h@]{0,\1}?", gaps)
        return re.compile(gaps)


OVERRIDE, ROLE, BAIT = "instruction-override", "system-role-spoof", "credential-bait"
ORDER, HIDE, EXFIL = "agent-order", "concealment", "data-exfil"

PHRASES: Final = (
    # ignore/forget (all) (the/your) previous/system instructions
    Phrase(OVERRIDE, "high", "[IJ] ~4 [PYS%<] ~3 [Np]"),
    Phrase(OVERRIDE, "high", "[IJ] ~3 A ~3 N"),
    Phrase(OVERRIDE, "high", "[IJ] ~3 [Np] ~5 [PyY<]"),
    Phrase(OVERRIDE, "medium", "[IJ] ~3 [Np]"),
    # ... rules, messages: weaker nouns need "all" or "your" beside them
    Phrase(OVERRIDE, "high", "[IJ] ~2 A ~3 P ~2 n"),
    Phrase(OVERRIDE, "high", "[IJ] ~2 A ~3 n ~3 P"),
    Phrase(OVERRIDE, "high", "[IJ] ~2 Y ~2 [nqs]"),
    Phrase(OVERRIDE, "high", "[IJ] ~3 s ~2 [nNp]"),
    Phrase(OVERRIDE, "high", "[IJ] ~2 A s"),
    Phrase(OVERRIDE, "medium", "[IJ] ~3 [PS%] ~2 n"),
    # ignore the above and ...
    Phrase(OVERRIDE, "high", "I ~1 A ~1 P (?=[|&]|$)"),
    Phrase(OVERRIDE, "high", "I ~1 P & [EXTurRIJFb]"),
    Phrase(OVERRIDE, "high", "I A ~3 [PyT<]"),
    Phrase(OVERRIDE, "high", "I A ~2 % ~2 T"),
    Phrase(OVERRIDE, "medium", "I e? P (?=[|&]|$)"),
    # forget everything (you were told)
    Phrase(OVERRIDE, "high", "J ~1 A ~5 [PyYT<]"),
    Phrase(OVERRIDE, "high", "J A (?=[|]|$)"),
    Phrase(OVERRIDE, "high", "J A & [EXTurRbF'y]"),
    Phrase(OVERRIDE, "high", "J H y b ~6 [nNG]"),
    Phrase(OVERRIDE, "high", "[IJ] ~2 q ~2 y"),
    Phrase(OVERRIDE, "high", "E ~1 Y ~2 P ~1 [Np]"),
    Phrase(OVERRIDE, "medium", "[IJ] ~2 n ~2 P"),
    Phrase(OVERRIDE, "medium", "[IJ] ~2 n ~6 y"),
    Phrase(OVERRIDE, "medium", "f H ~3 F"),
    Phrase(OVERRIDE, "medium", "J A"),
    Phrase(OVERRIDE, "high", "J ~2 y ~3 [PT<]"),
    Phrase(OVERRIDE, "high", "[IJ] N (?=[|&]|$)"),
    Phrase(OVERRIDE, "high", "[IJ] [A%S] ~1 n (?=[|&]|$)"),
    Phrase(OVERRIDE, "high", "[IJ] P Z"),
    # languages that put the verb last, and Chinese
    Phrase(OVERRIDE, "high", "V ~5 [PYyS%] ~6 [NpnZ]"),
    Phrase(OVERRIDE, "high", "V ~5 A ~4 N"),
    Phrase(OVERRIDE, "high", "[PS%] ~6 [NpnZ] ~8 V"),
    Phrase(OVERRIDE, "high", "A ~4 N ~8 V"),
    # override your instructions, bypass all safety
    Phrase(OVERRIDE, "high", "i ~3 Y ~2 [Nps]"),
    Phrase(OVERRIDE, "high", "i ~3 Y ~1 [S%] ~1 [Npn]"),
    Phrase(OVERRIDE, "high", "i ~2 A ~2 P ~2 [Nnp]"),
    Phrase(OVERRIDE, "high", "i ~2 A ~2 s"),
    Phrase(OVERRIDE, "high", "[IJi] s [nNp]"),
    Phrase(OVERRIDE, "high", "[IJ] s (?=[|&]|$)"),
    Phrase(OVERRIDE, "high", "[IJ] A & A ~1 [nN]"),
    Phrase(OVERRIDE, "high", "[IJ] ~1 A ~1 n ~3 [yYP%]"),
    Phrase(OVERRIDE, "high", "[IJ] ~1 n ~2 %"),
    Phrase(OVERRIDE, "high", "i ~2 A ~2 N ~3 [yP<]"),
    # earlier instructions are void; whatever you were told, disregard it
    Phrase(OVERRIDE, "medium", "[PSA%] ~2 [Np] ~1 b ~2 :"),
    Phrase(OVERRIDE, "medium", "P n ~1 b ~2 :"),
    Phrase(OVERRIDE, "high", "Y ~2 [Np] ~1 [bD] ~2 :"),
    Phrase(OVERRIDE, "high", "Y ~1 P ~1 [Npn] D"),
    Phrase(OVERRIDE, "high", "[PSA%] ~2 [Np] ~6 [|]? ~2 [IJ] H"),
    Phrase(OVERRIDE, "high", "[Np] P ~6 [|]? ~2 [IJ] H"),
    Phrase(OVERRIDE, "high", "y ~2 T ~2 [P<]? ~3 [IJ] H"),
    Phrase(OVERRIDE, "high", "i ~2 [S%] p"),
    Phrase(OVERRIDE, "medium", "i ~3 [APY%s] ~2 [Nnps]"),
    Phrase(OVERRIDE, "medium", "i ~3 Y n"),
    # do not follow your guidelines
    Phrase(OVERRIDE, "high", "D ~1 F ~2 A ~2 [PYS%<] ~2 [Npn]"),
    Phrase(OVERRIDE, "high", "D ~1 F ~2 [YS%] ~2 [Npn]"),
    Phrase(OVERRIDE, "medium", "D ~1 F ~2 P ~2 [Npn]"),
    Phrase(OVERRIDE, "high", "D ~3 F ~2 Y ~2 [Nnp]"),
    Phrase(OVERRIDE, "medium", "L ~2 F ~2 [YP] ~2 N"),
    Phrase(OVERRIDE, "high", "[PYyA] ~6 N ~3 F D"),
    Phrase(OVERRIDE, "high", "[PYSA%] ~3 [Np] ~5 M ~1 b /"),
    Phrase(OVERRIDE, "high", "N ~2 [P<] ~5 M ~1 b /"),
    Phrase(OVERRIDE, "medium", "[PYS%] ~3 [Nnp] ~5 [db] ~2 /"),
    Phrase(OVERRIDE, "high", "D ~1 F ~4 N ~1 [PY]"),
    Phrase(OVERRIDE, "high", "D ~1 F ~1 P ~1 N"),
    Phrase(OVERRIDE, "high", "F ~2 [PY] ~2 N D"),
    Phrase(OVERRIDE, "high", "D j ~2 [APYS] ~3 [Npn]"),
    # your new instructions are; new instructions replace all earlier ones
    Phrase(OVERRIDE, "high", "Y ~1 a ~1 [Np] (?! [zhZ])"),
    Phrase(OVERRIDE, "medium", "Y ~1 a ~1 q"),
    Phrase(OVERRIDE, "low", "a [Np]"),
    # ignore the system message, ignore the request of the user
    Phrase(OVERRIDE, "high", "[IJ] ~1 % ~1 [nNp]"),
    Phrase(OVERRIDE, "medium", "[IJ] ~1 U ~1 q"),
    # you are now DAN; from now on you are
    Phrase(ROLE, "high", "y b o ~3 [O=G]"),
    Phrase(ROLE, "medium", "y b o ~3 m"),
    Phrase(ROLE, "high", "y b e? ~1 [Gg] ~3 [DW] ~2 [nsN]"),
    Phrase(ROLE, "high", "y b e? ~1 ="),
    Phrase(ROLE, "medium", "y b o e"),
    Phrase(ROLE, "high", "f o ~2 y [b']"),
    Phrase(ROLE, "high", "f o ~2 y ~1 '"),
    Phrase(ROLE, "high", "y ~1 o [b'] ~3 [O=G]"),
    Phrase(ROLE, "high", "o ~1 b y ~3 [O=G]"),
    Phrase(ROLE, "high", "y o ~1 [be] ~6 [O=G]"),
    Phrase(ROLE, "high", "y o ~2 [O=G]"),
    Phrase(ROLE, "high", "o ~2 y b ~6 [O=G]"),
    Phrase(ROLE, "medium", "Y ~1 a m"),
    Phrase(ROLE, "medium", "Y m b o"),
    Phrase(ROLE, "high", "R ~1 ="),
    Phrase(ROLE, "high", "o ~2 [yb] ~3 G ~2 [WD] ~2 [nsN]"),
    Phrase(ROLE, "high", "o y b ~2 [O=Gm]"),
    Phrase(ROLE, "medium", "f o ~2 y"),
    Phrase(ROLE, "high", "f o ~2 [IJ']"),
    Phrase(ORDER, "medium", "f o ~2 [MD]? [RT]"),
    # AI agents reading this; if you are an AI
    Phrase(ORDER, "high", "G ~2 v ~2 H"),
    Phrase(ORDER, "medium", "g ~1 v ~2 H"),
    Phrase(ORDER, "high", "[jA] ~1 >? ~1 G ~2 v"),
    Phrase(ORDER, "high", "A ~1 [Gg] H [xv] ~1 H"),
    Phrase(ORDER, "high", "G H [xv] ~1 H ~3 M"),
    Phrase(ORDER, "high", "j ~1 >? G ~2 [vMDEXTurRIJF!]"),
    Phrase(ORDER, "high", "[w<] y b e? G"),
    Phrase(ORDER, "high", "[w<] y b e ~2 G"),
    Phrase(ORDER, "medium", "[w<] y b e ~2 g"),
    # note to AI assistants: always
    Phrase(ORDER, "medium", "[ZNnj] ~1 > ~2 G ~6 y"),
    Phrase(ORDER, "high", "A ~1 G ~8 M ~3 [EXTurRIJF_!]"),
    Phrase(ORDER, "medium", "[ZNj] ~1 > ~2 G ~4 [MEXTurRIJFD!]"),
    Phrase(ORDER, "high", "[ZNj] ~1 > ~2 G ~10 K"),
    # the assistant must ..., and what makes that an attack
    Phrase(ORDER, "medium", "G ~2 M"),
    Phrase(ORDER, "low", "g ~1 M"),
    Phrase(ORDER, "high", "[Gg] ~3 M ~12 X ~6 [ZK]"),
    Phrase(ORDER, "high", "[Gg] ~3 M ~12 X ~8 [h@]"),
    Phrase(ORDER, "high", "[Gg] ~3 [MD] ~6 [DW] ~1 T ~3 [UH]"),
    Phrase(ORDER, "high", "[Gg] ~3 M ~12 W ~1 [CR]"),
    Phrase(ORDER, "high", "[Gg] ~3 M ~8 [IJ] ~4 [NpnsC]"),
    Phrase(ORDER, "high", "[Gg] ~3 M ~8 i ~4 [nsNpC]"),
    Phrase(ORDER, "high", "[Gg] ~3 M ~8 E ~8 h"),
    Phrase(ORDER, "high", "[Gg] ~3 M ~6 [ru] ~6 K"),
    Phrase(ORDER, "high", "[Gg] ~4 M ~3 !"),
    Phrase(ORDER, "high", "G M [M.]? _"),
    Phrase(ORDER, "high", "[Gg] ~2 M ~1 D ~1 R ~2 [CU]"),
    Phrase(ORDER, "high", "[w<] ~3 U ~1 R ~8 M ~1 !"),
    Phrase(ORDER, "high", "[Gg] ~3 [Md] ~3 i ~3 [C,]"),
    # when you summarise this, also ...; when asked about x, first ...; before answering, call
    Phrase(ORDER, "high", "[w<] ~3 R ~2 H ~6 [LMD] ~3 [EXTurRIJ!]"),
    Phrase(ORDER, "medium", "[w<] ~4 R ~8 [LMD] ~3 [EXTurRIJvx!]"),
    Phrase(ORDER, "high", "[w<] ~3 R ~6 L ~2 [vxE] ~10 Y R"),
    Phrase(ORDER, "medium", "[w<] ~2 y ~1 R ~8 [EXTurIJ!]"),
    Phrase(ORDER, "medium", "[w<] ~1 R ~2 [EXx]"),
    Phrase(ORDER, "medium", "[w<] ~2 [yG] ~1 [vx] ~1 H ~6 [EXTurRIJF!]"),
    Phrase(ORDER, "high", "[w<] ~2 [yG] ~1 [vx] ~1 H ~10 W ~2 [CR]"),
    Phrase(ORDER, "high", "[w<] ~2 [yG] ~1 [vx] ~1 H ~6 (?:X|[IJ]|DT|EA)"),
    Phrase(ORDER, "high", "[w<] ~1 R ~3 [EXx] ~8 h"),
    Phrase(ORDER, "medium", "[w<] ~4 R ~10 X ~6 [hZK]"),
    Phrase(ORDER, "medium", "[w<] ~4 R ~8 D ~1 T"),
    # false permission
    Phrase(ORDER, "low", "y b ~2 c"),
    Phrase(ORDER, "medium", "y (?:b|M|v|d) ~2 c ~6 (?:W C|i ~2 [nsC]|E ~3 A|[ru] ~4 K|X)"),
    Phrase(ORDER, "high", "y b ~1 c ~4 A ~2 K"),
    Phrase(ORDER, "high", "U ~2 c ~2 [Gg] ~6 [KA]"),
    Phrase(ORDER, "high", "[Gg] b ~1 c ~4 C"),
    Phrase(ORDER, "high", "c N f"),
    Phrase(ORDER, "medium", "[Gg] ~3 d ~12 W ~1 [CR]"),
    Phrase(ORDER, "medium", "M ~1 E ~3 f ~3 h"),
    Phrase(ORDER, "medium", "T e U ~16 h"),
    Phrase(ORDER, "medium", "U ~2 c ~6 (?:W C|A|i ~2 [nsC])"),
    Phrase(ORDER, "medium", "D ~2 C ~2 M"),
    Phrase(ORDER, "low", "W ~2 [CR]"),
    Phrase(ORDER, "medium", "W ~2 [CR] ~3 U"),
    Phrase(ORDER, "medium", "M ~4 E ~6 W ~1 [CR]"),
    Phrase(ORDER, "medium", "D ~1 R ~2 [CU]"),
    # do not tell the user; without telling the user; keep this secret from the user
    Phrase(HIDE, "high", "[DW] ~2 T ~2 U"),
    Phrase(HIDE, "high", "[DW] ~1 T ~1 H ~4 [U#]"),
    Phrase(HIDE, "high", "T ~1 U ~1 D"),
    Phrase(HIDE, "medium", "[DW] ~2 T ~2 #"),
    Phrase(HIDE, "high", "[DW] ~1 u H ~3 U"),
    Phrase(HIDE, "medium", "[DW] ~2 u ~3 [U#]"),
    Phrase(HIDE, "medium", "D ~1 [Tu] ~1 H"),
    Phrase(HIDE, "medium", "D ~1 T ~2 U? ~6 [HN]"),
    Phrase(HIDE, "medium", "W ~2 U ~1 C"),
    Phrase(HIDE, "high", "t H ~4 k f ~2 [U#]"),
    Phrase(HIDE, "high", "t H ~3 f ~2 [U#]"),
    Phrase(HIDE, "medium", "t ~4 f ~2 U"),
    Phrase(HIDE, "medium", "t H ~2 k"),
    Phrase(HIDE, "medium", "k ~2 [XE] ~4 [ZKzA]"),
    Phrase(HIDE, "high", "k ~2 X ~8 [h@]"),
    # send every note to http://...
    Phrase(EXFIL, "high", "X -4 Z -8 h"),
    Phrase(EXFIL, "high", "X -2 A -5 [ZK] -8 [h@]"),
    Phrase(EXFIL, "medium", "X -2 A -5 z -8 [h@]"),
    Phrase(EXFIL, "high", "r -2 A -2 Z -8 h"),
    Phrase(EXFIL, "high", "X -3 U -3 [ZKz] -8 [h@]"),
    Phrase(EXFIL, "high", "X -3 Y -3 [ZpN] -8 h"),
    Phrase(EXFIL, "high", "X -2 z -2 K -6 h"),
    Phrase(EXFIL, "high", "X -2 A -3 n -3 U -6 [h@]"),
    Phrase(EXFIL, "high", "X -2 z -3 Z -6 [h@]"),
    Phrase(EXFIL, "high", "A -3 [KZ] -8 X H -3 [h@]"),
    Phrase(EXFIL, "high", "r -2 [YU] -3 Z -12 [h*]"),
    Phrase(EXFIL, "medium", "X -4 [KZ] -8 [h@]"),
    Phrase(EXFIL, "high", "r -4 Y -2 [ZK] -8 [h*]"),
    Phrase(EXFIL, "medium", "r -3 [AYU] -3 [ZK] -8 [h*]"),
    Phrase(EXFIL, "medium", "X -3 [AYU] -3 [ZK]"),
    # show your system prompt
    Phrase(EXFIL, "high", "[ruT] ~2 Y ~1 [SP%] ~2 [pN]"),
    Phrase(EXFIL, "medium", "[ruT] ~2 [eYA] ~1 [S%] p"),
    Phrase(EXFIL, "medium", "[ruT] ~2 Y N"),
    Phrase(EXFIL, "medium", "r ~1 A ~1 P"),
    Phrase(BAIT, "medium", "[ruTX] ~2 [YUA] ~4 K"),
    Phrase(BAIT, "medium", "[ruT] ~1 e ~2 K"),
)
"""Within a rule the higher risk of two that overlap counts."""

_ELEMENT: Final = re.compile(r"\[([^\]^]+)\]|(\S)")


def _needed(phrase: Phrase) -> tuple[frozenset[str], ...]:
    """Sets of classes of each of which a text must have one; the first holds the first word."""
    elements = (_ELEMENT.fullmatch(part) for part in phrase.classes.split())
    return tuple(frozenset(found[1] or found[2]) for found in elements if found)


_ROWS: Final = tuple((phrase, _needed(phrase)) for phrase in PHRASES)


def _by_first_word(classes: str) -> dict[str, list[Phrase]]:
    """The rows that a text can hold, by the class of their first word.

    A pattern is tried only where that word stands.
    """
    present = frozenset(classes)
    found: dict[str, list[Phrase]] = {}
    for phrase, needed in _ROWS:
        if not any(map(present.isdisjoint, needed)):
            for letter in needed[0]:
                found.setdefault(letter, []).append(phrase)
    return found


def phrases(words: Words) -> Iterator[Found]:
    """Every phrase of the table in a text, by place, then in the order of the table."""
    classes = words.classes
    rows = _by_first_word(classes)
    if not rows:
        return
    for start in re.finditer(f"[{re.escape(''.join(sorted(rows)))}]", classes):
        for phrase in rows[start.group()]:
            found = phrase.pattern.match(classes, start.start())
            if found:
                first, last = words.start(found.start()), words.end(found.end() - 1)
                yield Found(phrase.rule, phrase.risk, first, last)
