"""Orders to call a tool of this memory, and calls written out."""

import re
from collections.abc import Iterator
from typing import Final

from mnemos_files.safety.expression import Expression
from mnemos_files.safety.found import Found
from mnemos_files.safety.verdict import Risk

MCP: Final = "mcp-spoof"

_CHANGING: Final = frozenset(
    (
        *("delete", "promote", "correct", "convention", "save", "link", "skill_save", "skill_use"),
        *("invalidate", "edit", "restore", "ruminate_resolve", "ruminate_dismiss", "session_end"),
        *("purge", "remember"),
    )
)
_NAME: Final = Expression(r"mnemos(?:tack)?_([a-z_]{2,24})")
_ARGUMENTS: Final = Expression(r"\s?\(([^)\n]{0,300})")
_TOLD: Final = Expression(r"\)[`'\"]{0,2}\s{1,3}(?:\w{2,20}[^s\W]s\b|->|=>|#|//|\u2192)")
"""What goes on behind a call that is told about: `mnemos_get(id="1") returns`."""
_LITERAL: Final = Expression(r"[\"'{]|[=:]\s?\d|\btrue\b")
_VERB: Final = Expression(
    r"\b(?:call|invoke|run|use|execute|trigger|rufe|appelle|llama a|вызови|调用)\s{1,4}"
    r"(?:the\s{1,4})?(?:tool\s{1,4})?[`'\"*]{0,2}\Z"
)
_TARGET: Final = Expression(
    r"\b(?:all|every|each|everything|any)\b|\b(?:this|these)\s(?:note|memory|text|rule|record)"
    r"|\bon (?:it|this|these|everything)\b|\bimmediately\b|\bright now\b|\bcurated\b"
    r"|\bsilently\b|[\"{]"
)
_PRESSED: Final = Expression(
    r"(?:\byou must|\bmust|\bbefore (?:you )?(?:answer|respon|reply|do)\w{0,4}[^.\n]{0,20}"
    r"|\bwhen(?:ever)? you (?:read|see|load|summari[sz]e|answer|process)[^.\n]{0,40}"
    r"|\bnow|\bimmediately|\bsecretly|\bsilently|\bplease"
    r"|\bassistant[:,]?(?: should| must)?|\bagents?[:,]? (?:should|must))[\s,:]{1,4}\Z"
)
_BEFORE: Final = 80
_BEHIND: Final = 120


def calls(plain: str) -> Iterator[Found]:
    """Calls of tools of this memory in a folded text."""
    if "mnemos" not in plain:
        return
    for name in _NAME.finditer(plain):
        arguments = _ARGUMENTS.match(plain, name.end())
        if arguments:
            risk = _risk_of_written(name[1], arguments[1])
            if _TOLD.match(plain, arguments.end()):
                risk = "low"
            yield Found(MCP, risk, name.start(), arguments.end())
        verb = _VERB.search(plain[max(0, name.start() - _BEFORE) : name.start()])
        if verb:
            start = name.start() - len(verb.group())
            yield Found(MCP, _risk_of_order(plain, start, name), start, name.end())


def _risk_of_written(tool: str, arguments: str) -> Risk:
    """A call with values is one to be carried out; one with names only documents the tool."""
    if not _LITERAL.search(arguments):
        return "low"
    return "high" if tool in _CHANGING else "medium"


def _risk_of_order(plain: str, start: int, name: re.Match[str]) -> Risk:
    pressed = bool(_PRESSED.search(plain[max(0, start - _BEFORE) : start]))
    behind = plain[name.end() : name.end() + _BEHIND].split("\n", 1)[0]
    if name[1] in _CHANGING and (pressed or _TARGET.search(behind)):
        return "high"
    return "medium" if pressed else "low"
