"""Stored texts as a client may see them: made harmless, secrets masked, the risk told."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from mnemos_files.model.record import Record
from mnemos_files.safety.mask import beginning
from mnemos_files.safety.present import Shown, present
from mnemos_files.safety.verdict import Risk, worst

SIDE_TEXT_MAX = 300
"""Longest title or property beside a text [characters]."""

SHORT_MAX = 500
"""Longest text [characters] whose verdict is remembered: titles, names and reasons come again."""

_USUAL = re.compile(r"[\w-]{1,15}|[0-7][0-9A-HJKMNP-TV-Z]{25}")
"""Names in which nothing can hide: a short word (tokens are longer), an id of ours."""


def clip(text: str) -> str:
    """The beginning of a text that stands beside what was asked for."""
    return text if len(text) <= SIDE_TEXT_MAX else f"{beginning(text, SIDE_TEXT_MAX)}…"


def source_of(record: Record, *, is_ours: bool) -> str:
    """Where a text came from, for the scan.

    A file that is no memory of ours may have come with a pull from anywhere.
    """
    return record.source_kind if is_ours else "import"


def shown_name(text: str) -> str:
    """An id, a link or another name out of a file, which anybody may have chosen."""
    return text if _USUAL.fullmatch(text) else _presented(text, "import").text


def shown_id(record_id: str, path: PurePosixPath) -> str:
    """The id of a note; a path that serves as one stays as it is, so that tools find the file."""
    return record_id if record_id == str(path) else shown_name(record_id)


def _presented(text: str, source: str) -> Shown:
    return _known(text, source) if len(text) <= SHORT_MAX else present(text, source=source)


@lru_cache(maxsize=4096)
def _known(text: str, source: str) -> Shown:
    return present(text, source=source)


@dataclass(slots=True)
class Screen:
    """Shows the texts of one note, and remembers the worst that was in them."""

    source: str
    risk: Risk = "none"
    _rules: dict[str, None] = field(default_factory=dict)

    @property
    def rules(self) -> list[str]:
        """Rules of the scan that fired so far, each once."""
        return list(self._rules)

    @property
    def risk_or_none(self) -> str | None:
        """The risk for a result: None when there is none."""
        return None if self.risk == "none" else self.risk

    def text(self, text: str) -> str:
        """The text as it may be shown."""
        if not text:
            return text
        shown = _presented(text, self.source)
        self.risk = worst((self.risk, shown.risk))
        self._rules.update(dict.fromkeys(shown.rules))
        return shown.text

    def texts(self, texts: tuple[str, ...]) -> list[str]:
        """Each of some texts as it may be shown."""
        return [self.text(text) for text in texts]
