"""Marks that end or begin the frame of a prompt, and lines that speak in another role."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from mnemos_files.safety.expression import Expression
from mnemos_files.safety.found import Found
from mnemos_files.safety.verdict import Risk

FRAME, ROLE = "frame-break", "system-role-spoof"

_STRONG: Final = (
    r"memory|memories|system|system[-_ ]?(?:reminder|prompt|message|instructions?)"
    r"|mnemos[-_ ]?memory|(?:untrusted|recalled|retrieved|external|trusted)[-_ ]?\w{0,20}"
    r"|tool[-_ ]?(?:result|output|response)s?|function[-_ ]?(?:result|output)s?"
    r"|search[-_ ]?results?"
    r"|user[-_ ]?(?:input|query|message|data|content|prompt)|assistant|instructions?|prompt"
    r"|conversation|memory[-_ ]\w{1,16}|knowledge|human|agent[-_ ]?\w{0,12}"
)
_WEAK: Final = (
    r"context|documents?|notes?|data|user|results?|content|source|input|output|observation"
)
_TAG: Final = Expression(
    rf"<\s{{0,3}}(/?)\s{{0,3}}(?:({_STRONG})|({_WEAK}))(?:\s[^<>\n]{{0,80}})?\s{{0,3}}>"
)

_ORDERS: Final = (
    r"you(?:\s{1,4}(?:are|must|will|should|shall)\b|['\u2019]re|r\s)"
    r"|(?:please\s{1,4})?(?:ignore|disregard|forget|override|comply|obey|respond|reply|answer\s{1,4}only|execute"
    r"|run\s|send\s|delete\s|reveal|print\s|output\s|call\s|grant\s|disable\s|disclose|forward\s|exfil"
    r"|always\s|never\s|do\s{1,4}not|don['\u2019]t|from\s{1,4}now|new\s{1,4}(?:instructions?|task|directive|rules?)"
    r"|all\s{1,4}(?:previous|prior|safety|restrictions|notes)|the\s{1,4}(?:user|assistant|ai|model|above|previous)\s"
    r"|assistant\b|safety\s|security\s{1,4}(?:checks?|filters?)|authorization|now\s{1,4}\w+|instructions?\b"
    r"|act\s{1,4}as|pretend|switch|enter\s|act(?:ivate)|resume|continue\s{1,4}as|the\s{1,4}following\s{1,4}(?:is|are)|admin)"
    r"|(?:ignoriere|vergiss|du\s{1,4}(?:bist|musst)|ignorez|oublie|vous\s{1,4}(?:etes|devez)|tu\s{1,4}(?:es|dois|debes)"
    r"|ignora|olvida|eres\s|debes\s|esqueca|voce\s|игнорируй|забудь|ты\s|вы\s|忽略|忘记|你|あなた|無視)"
)
_ROLE_LINE: Final = Expression(
    r"^[ \t>*#\[({<\"'`~=_-]{0,10}"
    r"(?:(system|sistema|systeme|система|系统|システム)[\])}>*]{0,3}"
    r"(?:[ _-]?(message|prompt|note|notice|override|update|instructions?|alert|administrator"
    r"|command|log)){0,2}"
    r"|(developer|admin|administrator|root|human|user|assistant|ai)(?: (?:message|note|override))?)"
    r"[\])}>*\"'`~=_ -]{0,6}:[ \t*\"'`>\]-]{0,6}\n{0,2}[ \t>*-]{0,6}"
    rf"({_ORDERS})?",
    re.MULTILINE,
)
_COLON_SPOKEN: Final = "override"

_END: Final = Expression(
    r"^[^\w\n]{0,12}(?:end|begin(?:ning)?|start|close|stop)\s(?:of\s)?(?:the\s)?"
    r"(?:(?:recalled|retrieved|untrusted|user|system|external|trusted|quoted|stored|tool)\s){0,2}"
    r"(?:memory|memories|context|documents?|notes?|data|prompt|instructions|input|content|conversation"
    r"|message|output|results?|block|transcript)[^\w\n]{0,12}$",
    re.MULTILINE,
)
_TEMPLATE: Final = Expression(r"^#{2,4} (?:instruction|input|response):", re.MULTILINE)
"""Headings of a template that many models were tuned on."""
_END_WORDS: Final = (
    "end system",
    "end user",
    "end prompt",
    "end of ",
    "begin ",
    "beginning of ",
    "start of ",
    "end memory",
    "end context",
)
_TURN: Final = Expression(
    r"\n[ \t>*#\[-]{0,6}(?:human|user|system|assistant|developer|new instructions?|instructions?)"
    r"[\]*]{0,2}\s?:"
)
_REACH: Final = 200
"""Characters [1] behind the end of a frame in which a new turn of talk makes it an attack."""


def frames(plain: str) -> Iterator[Found]:
    """Tags, ends and role lines of a folded text."""
    if "<" in plain:
        yield from _tags(plain)
    if ":" in plain:
        yield from _role_lines(plain)
    if "# response:" in plain and "# instruction:" in plain:
        yield from (Found(FRAME, "high", *found.span()) for found in _TEMPLATE.finditer(plain))
    if any(word in plain for word in _END_WORDS):
        yield from _ends(plain)


def _tags(plain: str) -> Iterator[Found]:
    """Closing tags of frames that nothing opened, and opened ones that hold an order."""
    opened: Counter[str] = Counter()
    for tag in _TAG.finditer(plain):
        slash, strong, weak = tag.groups()
        name = strong or weak
        if not slash:
            opened[name] += 1
            risk = _risk_of_opening(plain, tag, strong)
        else:
            opened[name] -= 1
            risk = _risk_of_closing(opened[name], strong)
        if risk != "none":
            yield Found(FRAME, risk, *tag.span())


_AT_ORDER: Final = Expression(rf"\s{{0,20}}(?:{_ORDERS})")


def _risk_of_opening(plain: str, tag: re.Match[str], strong: str | None) -> Risk:
    ordering = bool(_AT_ORDER.match(plain, tag.end()))
    if strong is None:
        return "none"
    return "high" if ordering else "low"


def _risk_of_closing(left_open: int, strong: str | None) -> Risk:
    if left_open < 0:
        return "high" if strong else "medium"
    return "low" if strong else "none"


def _role_lines(plain: str) -> Iterator[Found]:
    for line in _ROLE_LINE.finditer(plain):
        system, kind, other, order = line.groups()
        if system and (order or kind == _COLON_SPOKEN):
            yield Found(ROLE, "high", *line.span())
        elif (other and order) or (system and kind in ("prompt", "message")):
            yield Found(ROLE, "medium", *line.span())


def _ends(plain: str) -> Iterator[Found]:
    for end in _END.finditer(plain):
        turn = _TURN.search(plain, end.end(), end.end() + _REACH)
        yield Found(
            FRAME, "high" if turn else "low", end.start(), turn.end() if turn else end.end()
        )
