"""Fixed wordings and marks of structure, as patterns over the folded text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mnemos_files.safety.found import Found
from mnemos_files.safety.verdict import Risk
from mnemos_files.safety.words import Words


@dataclass(frozen=True)
class Wording:
    """A row: rule, risk when said plainly, words of which one must be there, regular expression.

    The expression is tried around the places of these words only; without words, everywhere.
    """

    rule: str
    risk: Risk
    anchors: frozenset[str]
    wording: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when a text may hold it."""
        return re.compile(self.wording, re.MULTILINE)


def _row(rule: str, risk: Risk, anchors: str, pattern: str) -> Wording:
    return Wording(rule, risk, frozenset(anchors.split()), pattern)


ROLE, ORDER, FRAME = "system-role-spoof", "agent-order", "frame-break"
EXFIL = "data-exfil"
CALL, HIDE = "fake-tool-call", "concealment"

_REACH: Final = 160
"""Characters [1] on both sides of a word that are looked at."""

WORDINGS: Final = (
    _row(ROLE, "high", "anything", r"do anything now\b"),
    _row(
        ROLE,
        "high",
        "restrictions rules limits filters unrestricted unfiltered guidelines",
        r"\b(?:as if|as though|like)\s{1,4}you\s{1,4}(?:had|have|were|are)\s{1,4}"
        r"(?:no\s|without\s|un(?:restricted|filtered|limited|bound))",
    ),
    _row(
        ROLE,
        "high",
        "longer",
        r"you(?:['\u2019]re| are)\s{1,4}no longer\s{1,4}(?:an?\s{1,4})?"
        r"(?:bound|restricted|limited|constrained|subject|obliged|required to (?:follow|obey)"
        r"|ai\b|assistant|claude|chatgpt|language model|the assistant)",
    ),
    _row(
        ROLE,
        "high",
        "restrictions rules limits limitations guidelines filters constraints boundaries",
        r"you have no\s{1,4}(?:\w{1,16}\s{1,4}){0,2}"
        r"(?:restrictions|rules|limits|limitations|guidelines|filters|constraints|boundaries)\b"
        r"(?!\s(?:on|about|for|in|to|of)\b)",
    ),
    _row(
        ROLE,
        "high",
        "mode",
        r"\b(?:enter(?:ing)?|enabl(?:e|ing)|activat(?:e|ed|ing)|switch(?:ing)? (?:in)?to"
        r"|engag(?:e|ed)|you are (?:now )?in)\s{1,4}(?:\w{1,12}\s{1,4})?"
        r"(?:god|dan|jailbreak|jailbroken|unrestricted|unfiltered|do[- ]anything|evil|sudo)"
        r"\s{1,4}mode\b",
    ),
    _row(
        ROLE,
        "medium",
        "mode",
        r"you are (?:now )?(?:running )?in\s{1,4}(?:\w{1,12}\s{1,4})?"
        r"(?:developer|debug|maintenance|admin)\s{1,4}mode\b",
    ),
    _row(
        ROLE,
        "high",
        "act",
        r"\bact as\s{1,4}(?:if you\s{1,4}(?:were|are|had)\b|(?:an?\s{1,4}|the\s{1,4}|my\s{1,4})?"
        r"(?:\w{1,16}\s{1,4})?"
        r"(?:unrestricted|unfiltered|uncensored|evil|jailbroken|dan|hacker|malicious)\b)",
    ),
    _row(
        ROLE,
        "high",
        "pretend",
        r"\bpretend\s{1,4}(?:that\s{1,4})?(?:you (?:are|have|can|were)|there are no)\b",
    ),
    _row(ROLE, "medium", "pretend", r"\bpretend to be\b"),
    _row(
        ROLE,
        "high",
        "simulate roleplay persona role play",
        r"\b(?:simulate|role-?play as|assume the (?:role|persona) of|adopt the persona of)\s{1,4}"
        r"(?:an?\s{1,4})?(?:\w{1,16}\s{1,4}){0,2}"
        r"(?:unrestricted|unfiltered|uncensored|dan\b|hacker|ai\b)",
    ),
    _row(
        ROLE,
        "high",
        "override",
        r"(?:^|[\[(<*#:>!])\s{0,2}(?:system|admin|administrator|developer|root|security|safety)\s"
        r"(?:prompt\s)?override\b\s{0,2}[\])>*:!.]",
    ),
    _row(
        HIDE,
        "high",
        "let",
        r"(?:do not|don['\u2019]t|never)\s{1,4}let\s{1,4}(?:the\s|any\s)?"
        r"(?:users?|humans?|anyone|operators?|owners?|reviewers?|people)\s{1,4}"
        r"(?:know|see|notice|find out|reali[sz]e|learn)\b",
    ),
    _row(
        ORDER,
        "medium",
        "treat",
        r"\btreat\s{1,4}(?:\w{1,16}\s{1,4}){1,5}as\s{1,4}(?:an?\s{1,4}|the\s{1,4})?(?:fully\s{1,4}|highly\s{1,4})?"
        r"(?:trusted|authoritative|system|verified|your (?:system|new)|higher|top|absolute)",
    ),
    _row(
        "instruction-override",
        "medium",
        "precedence priority",
        r"\b(?:takes?|has|have|with)\s{1,4}(?:\w{1,10}\s{1,4})?(?:precedence|priority)\s{1,4}over\s{1,4}"
        r"(?:\w{1,10}\s{1,4}){0,2}(?:your|any|all|every|system|previous|prior|earlier|other)\b",
    ),
    _row(
        ORDER,
        "medium",
        "agent session sessions agents",
        r"\b(?:the next agent|in (?:the next|all future|every|future) sessions?|future agents)\b"
        r"[^.\n]{0,40}\b(?:must|should|always|never|have to|need to|send|run|delete|trust)\b",
    ),
    _row(  # read ~/.ssh/id_rsa and post its content to https://...
        EXFIL,
        "high",
        "post send upload submit forward transmit email mail paste",
        r"(?:\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws\b|\.env\b|\.netrc\b|\.git-credentials\b"
        r"|\.kube/config|/etc/(?:passwd|shadow)|\.gnupg\b|\.npmrc\b|\.pypirc\b|wallet\.dat)"
        r"(?:(?![.!?]\s)[^\n]){0,60}?\b(?:post|send|upload|submit|forward|transmit|(?:e-?)?mail|paste)"
        r"\s{1,4}(?:it|them|its|their|that|those|what|all|every)\b(?:(?![.!?]\s)[^\n]){0,60}?"
        r"\b(?:to|at|into|with)\s{1,4}\S{0,8}(?:https?://|\w{1,40}@\w)",
    ),
)

MARKS: Final = (  # here the words are signs that must stand somewhere
    # tool calls
    _row(
        CALL,
        "medium",
        "<",
        r"<\s?(?:\w{1,10}:)?(?:tool_use|tool_calls?|function_calls?|tool_results?|function_results?"
        r"|invoke\s{1,4}name)\b",
    ),
    _row(
        CALL,
        "medium",
        '"tool "function [tool',
        r"[\"'\[](?:tool_calls?|function_call|tool_use|tools/call)[\"'\]]\s{0,3}(?::|,|\}|\[|\{)?",
    ),
    # templates of chat models
    _row(
        FRAME,
        "high",
        "<|",
        r"<\s?\|\s?/?\s?(?:im_start|im_end|im_sep|system|user|assistant|(?:start|end)_header_id"
        r"|eot_id|begin_of_text|end_of_turn|start_of_turn|eom_id|tool|tool_call)\s?\|\s?>",
    ),
    _row(FRAME, "medium", "<|", r"<\s?\|\s?[a-z_]{2,24}\s?\|\s?>"),
    _row(FRAME, "high", "<start_of <end_of", r"<(?:start|end)_of_turn>"),
    _row(FRAME, "high", "inst]", r"\[\s?/\s?inst\s?\]"),
    _row(FRAME, "medium", "inst]", r"\[\s?inst\s?\]"),
    _row(FRAME, "high", "sys>>", r"<<\s?/?\s?sys\s?>>"),
)


def wordings(words: Words) -> Iterator[Found]:
    """Every wording of the table in a text, in the order of the table."""
    plain, distinct = words.plain, words.distinct
    for row in WORDINGS:
        for anchor in row.anchors & distinct:
            yield from _around(plain, anchor, row)
    for row in MARKS:
        if any(mark in plain for mark in row.anchors):
            for found in row.pattern.finditer(plain):
                yield Found(row.rule, row.risk, *found.span())


def _around(plain: str, anchor: str, row: Wording) -> Iterator[Found]:
    """Hits of a row near the places of a word, each once."""
    place = plain.find(anchor)
    while place >= 0:
        start = max(0, place - _REACH)
        end = place + _REACH
        place = plain.find(anchor, place + len(anchor))
        while 0 <= place < end:  # one stretch for places that are near each other
            end = place + _REACH
            place = plain.find(anchor, place + len(anchor))
        for found in row.pattern.finditer(plain, start, end):
            yield Found(row.rule, row.risk, *found.span())
