"""Links and images whose address carries data out."""

import re
from collections.abc import Iterator
from typing import Final

from mnemos_files.safety.expression import Expression
from mnemos_files.safety.found import Found
from mnemos_files.safety.verdict import Risk

LINK: Final = "exfil-link"

_TARGET: Final = Expression(r"\]\(\s?<?(https?://[^\s)>]{1,2000})")
_SOURCE: Final = Expression(r"<img\s[^<>]{0,200}?src\s?=\s?[\"']?(https?://[^\s\"'>]{1,2000})")
_REFERENCE: Final = Expression(
    r"^[ ]{0,3}\[[^\]\n]{1,80}\]:\s?<?(https?://[^\s>]{1,2000})", re.MULTILINE
)
_PLACEHOLDER: Final = Expression(
    r"\$?\{{1,2}[\w .|-]{1,60}\}{1,2}|%7b|\[[\w -]{2,40}\]?|<[\w -]{2,40}|\$[a-z_]{3,}|data_here"
    r"|(?:your|the|user|base64|encoded|url_?encoded?)_?(?:secret|key|token|data|conversation|notes|memory)"
)
_CARRIER: Final = Expression(
    r"[?&;](?:data|payload|secrets?|token|key|api_?key|pass|pwd|password|leak|exfil|stolen|dump"
    r"|contents?|messages?|msg|memory|memories|notes|context|history|chat|conversation|prompt"
    r"|session|cookies?|env|creds|credentials|b64|user_?data|summary|answer)=([^&\s]{0,2000})"
)
_SHORT_CARRIER: Final = Expression(r"[?&;](?:d|q|c|x|s|m|t|info|text|log|body)=([^&\s]{0,2000})")
_LONG_VALUE: Final = 40
_ALT_TEXT: Final = 300


def links(plain: str) -> Iterator[Found]:
    """Links and images of a folded text that may carry data."""
    if "http" not in plain:
        return
    for pattern in (_TARGET, _SOURCE, _REFERENCE):
        for found in pattern.finditer(plain):
            is_image = pattern is _SOURCE or _is_image(plain, found.start())
            risk = _risk(found[1], is_image=is_image)
            if risk != "none":
                yield Found(LINK, risk, *found.span())


def _is_image(plain: str, bracket: int) -> bool:
    opening = plain.rfind("[", max(0, bracket - _ALT_TEXT), bracket)
    return opening > 0 and plain[opening - 1] == "!"


def _risk(address: str, *, is_image: bool) -> Risk:
    if _PLACEHOLDER.search(address):
        return "high" if is_image else "medium"
    if "?" not in address or "=" not in address:
        return "none"
    carrier = _CARRIER.search(address) or (_SHORT_CARRIER.search(address) if is_image else None)
    if carrier is None:
        return "low"
    return "high" if is_image and (not carrier[1] or len(carrier[1]) > _LONG_VALUE) else "medium"
