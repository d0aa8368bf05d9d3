"""Orders to call a tool of this memory, and calls written out."""

import re
from collections.abc import Iterator
from typing import Final

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
_WRITTEN: Final = re.compile(r"\bmnemos(?:tack)?_([a-z_]{2,24})\s?\(([^)\n]{0,300})")
_LITERAL: Final = re.compile(r"[\"'{]|[=:]\s?\d|\btrue\b")
_ORDERED: Final = re.compile(
    r"\b(?:call|invoke|run|use|execute|trigger|rufe|appelle|llama a|вызови|调用)\s{1,4}"
    r"(?:the\s{1,4})?(?:tool\s{1,4})?[`'\"*]{0,2}mnemos(?:tack)?_([a-z_]{2,24})([^\n]{0,120})"
)
_TARGET: Final = re.compile(
    r"\b(?:all|every|each|everything|any)\b|\b(?:this|these)\s(?:note|memory|text|rule|record)"
    r"|\bon (?:it|this|these|everything)\b|\bimmediately\b|\bright now\b|\bcurated\b"
    r"|\bsilently\b|[\"{]"
)
_PRESSED: Final = re.compile(
    r"(?:\byou must|\bmust|\bbefore (?:you )?(?:answer|respon|reply|do)\w{0,4}[^.\n]{0,20}"
    r"|\bwhen(?:ever)? you (?:read|see|load|summari[sz]e|answer|process)[^.\n]{0,40}"
    r"|\bnow|\bimmediately|\bsecretly|\bsilently|\bplease"
    r"|\bassistant[:,]?(?: should| must)?|\bagents?[:,]? (?:should|must))[\s,:]{1,4}$"
)
_BEFORE: Final = 80


def calls(plain: str) -> Iterator[Found]:
    """Calls of tools of this memory in a folded text."""
    if "mnemos" not in plain:
        return
    for written in _WRITTEN.finditer(plain):
        yield Found(MCP, _risk_of_written(*written.groups()), *written.span())
    for ordered in _ORDERED.finditer(plain):
        yield Found(MCP, _risk_of_order(plain, ordered), ordered.start(), ordered.end(1))


def _risk_of_written(tool: str, arguments: str) -> Risk:
    """A call with values is one to be carried out; one with names only documents the tool."""
    if not _LITERAL.search(arguments):
        return "low"
    return "high" if tool in _CHANGING else "medium"


def _risk_of_order(plain: str, ordered: re.Match[str]) -> Risk:
    changing = ordered[1] in _CHANGING
    before = plain[max(0, ordered.start() - _BEFORE) : ordered.start()]
    pressed = bool(_PRESSED.search(before))
    targeted = bool(_TARGET.search(ordered[2]))
    if changing and (pressed or targeted):
        return "high"
    return "medium" if changing or pressed else "low"
