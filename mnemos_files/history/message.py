"""The text of a commit: subject, body, trailers."""

import re

from mnemos_files.history.values import Change

SUBJECT_LENGTH = 72
"""Longest subject [characters]; what `git log --oneline` and forges show without cutting."""

_BREAKING = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters but the tab, line separators, halves of surrogate pairs."""

_TRAILER_KEY = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)\s*:\s*(.*)")
_BLANK_LINES = re.compile(r"\n{3,}")

Trailers = tuple[tuple[str, str], ...]


def render_message(change: Change) -> str:
    """Message of a commit; `git interpret-trailers --parse` reads the trailers back.

    Raises:
        ValueError: the key of a trailer is no word of letters, digits and hyphens.
    """
    parts = [_subject(change.subject), _body(change.body), _trailers(change.trailers)]
    return "\n\n".join(part for part in parts if part) + "\n"


def parse_message(text: str) -> tuple[str, str, Trailers]:
    """Subject, body and trailers of any commit's message."""
    subject, _, rest = text.lstrip("\n").partition("\n\n")
    subject = " ".join(subject.split())
    body = rest.strip("\n")
    above, _, last = body.rpartition("\n\n")
    trailers = _parsed_trailers(last)
    return (subject, above.strip("\n"), trailers) if trailers else (subject, body, ())


def one_line(text: str) -> str:
    """The text with every control character and run of white space made one space."""
    return " ".join(_BREAKING.sub(" ", text).split())


def _subject(text: str) -> str:
    line = one_line(text) or "update"
    if len(line) <= SUBJECT_LENGTH:
        return line
    cut = line[: SUBJECT_LENGTH - 1]
    at_word = cut if line[len(cut)] == " " else cut.rpartition(" ")[0]
    # A single word that fills the line has no word end to cut at.
    return (at_word if len(at_word) > SUBJECT_LENGTH // 2 else cut).rstrip() + "…"


def _body(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return _BLANK_LINES.sub("\n\n", "\n".join(map(_body_line, lines))).strip("\n")


def _body_line(line: str) -> str:
    kept = _BREAKING.sub(" ", line)
    # git takes a line that starts with three hyphens for the end of the message.
    return (" " + kept if kept.startswith("---") else kept).rstrip()


def _trailers(trailers: Trailers) -> str:
    lines = []
    for key, value in trailers:
        if not _TRAILER_KEY.fullmatch(key):
            raise ValueError(f"{key!r} is no key of a trailer")
        if folded := one_line(value):
            lines.append(f"{key}: {folded}")
    return "\n".join(lines)


def _parsed_trailers(paragraph: str) -> Trailers:
    found: list[tuple[str, str]] = []
    for line in paragraph.split("\n"):
        match = _TRAILER.fullmatch(line)
        if match:
            found.append((match[1], match[2].strip()))
        elif found and line[:1] in (" ", "\t"):
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        else:
            return ()
    return tuple(found)
