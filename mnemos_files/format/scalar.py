"""One text as one YAML scalar on one line, and back. Pure."""

import re

from mnemos_files.errors import InvalidRecordError

_PLAIN_FIRST = "_(/"
_WORDS = frozenset(("yes", "no", "true", "false", "on", "off", "y", "n", "null", "none"))
_NUMBER_LIKE = re.compile(r"[0-9][0-9A-Fa-fxXoOTtZz_.,:+\- ]*")
"""Numbers, times and dates of YAML 1.1 and 1.2 that begin with a digit, and a few texts more."""

_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}

_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_LETTERS = {
    '"': '"', "\\": "\\", "/": "/", " ": " ", "\t": "\t", "0": "\0", "a": "\a", "b": "\b",
    "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
"""Escapes with one letter: YAML 1.2, section 5.7."""

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@` \t")
_FLOW = re.compile(r"[,\[\]{}]")


def is_plain(text: str) -> bool:
    """True when YAML 1.1, YAML 1.2 and Obsidian all read the bare text as this very text."""
    return (
        text != ""
        and (text[0].isalnum() or text[0] in _PLAIN_FIRST)
        and text[-1] not in " :"
        and text.isprintable()
        and ": " not in text
        and " #" not in text
        and text.lower() not in _WORDS
        and _NUMBER_LIKE.fullmatch(text) is None
    )


def write_scalar(text: str, *, in_flow: bool = False) -> str:
    """The text plain where that is safe, else in double quotes; always one line.

    `in_flow` is for items between `[` and `]`, where more signs have a meaning.
    """
    if is_plain(text) and not (in_flow and _FLOW.search(text)):
        return text
    return quote(text)


def quote(text: str) -> str:
    r"""The text in double quotes with the escapes of JSON, such as `\n` and `\u0085`."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    return _SHORT.get(sign) or f"\\u{ord(sign):04x}"


def unquote(inner: str) -> str | None:
    """Text between double quotes with its escapes undone; None when one of them is unknown."""
    if "\\" not in inner:
        return inner
    try:
        return _ESCAPE.sub(_unescape, inner)
    except ValueError:
        return None


def _unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        letter = _LETTERS.get(match[4])
        if letter is None:
            raise ValueError(match[4])
        return letter
    number = int(code, 16)
    if 0xD800 <= number <= 0xDFFF:  # noqa: PLR2004 - the surrogates of Unicode are no characters
        raise ValueError(code)
    return chr(number)


def read_plain(text: str) -> str | None:
    """A bare scalar without comment, as typed; None when YAML would see more in it."""
    if text[0] in _INDICATORS or text[-1] == ":" or ": " in text or " #" in text:
        return None
    return text


def check_text(field: str, text: str) -> None:
    """Let pass what a file can hold.

    Raises:
        InvalidRecordError: the text has a NUL character or half a surrogate pair.
    """
    if "\0" in text:
        raise InvalidRecordError(field, "holds a NUL character", remedy="Take it out.")
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"holds half a surrogate pair at character {error.start}"
        raise InvalidRecordError(field, problem, remedy="Take it out.") from error
