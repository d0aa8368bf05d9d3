"""Texts of a vault in the languages of others: no text can end the place that it stands in. Pure.

What a pull request says about itself is written by whoever opened it.
"""

import os
import re
from urllib.parse import quote

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters but tab and line end, those that turn the direction of writing or end a line,
and halves of pairs."""

_MARKUP = re.compile(r"[!-&*.:<>@\[-`{-~]")
"""ASCII punctuation but ``' ( ) + , - / ; = ?``, which mean nothing by themselves in a line."""

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_BRACKETS = str.maketrans("[]{}", "()()")


def plain(text: str) -> str:
    r"""The text with `\xNN` or `\uNNNN` for what a terminal or a page would obey."""
    return _UNSAFE.sub(_named, text)


def flat(text: str) -> str:
    r"""The text on one line, with `\n` and the like for what would begin another."""
    return plain(text).replace("\n", r"\n").replace("\t", r"\t")


def inline(text: str) -> str:
    """The text as code on one line of Markdown, also in a table.

    Every sign that could begin or end anything is a character reference, which never does
    (CommonMark 0.31, 2.5). In an element `code` forges look for no names and no issues.
    """
    line = " ".join(plain(text).split())
    return f"<code>{_MARKUP.sub(lambda sign: f'&#{ord(sign[0])};', line)}</code>"


def html(text: str) -> str:
    """The text for the inside of an element `pre` that is an HTML block of Markdown.

    Such a block runs to `</pre>`, which cannot come from a text without `<`; blank lines do not
    end it, and nothing in it is Markdown (CommonMark 0.31, 4.6, kind 1).
    """
    return plain(text).replace("\r", "").translate(_HTML)


def command_data(text: str) -> str:
    """The text as the message of a workflow command: its last part, on one line."""
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """The text as the value of a property of a workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def sarif_message(text: str) -> str:
    """The text as a plain message of SARIF: no links in it, no places for arguments (3.11)."""
    return plain(text).translate(_BRACKETS).replace("\\", "/")


def uri(path: str) -> str:
    """A path as a relative reference (RFC 3986)."""
    return quote(os.fsencode(path))


def _named(sign: re.Match[str]) -> str:
    code = ord(sign[0])
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - two hex digits
