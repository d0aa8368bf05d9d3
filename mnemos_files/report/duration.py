"""Lengths of time as a person writes them."""

import re
from datetime import datetime, timedelta

from mnemos_files.errors import InvalidQueryError

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_PART = r"(\d{1,9}(?:\.\d{1,3})?)([smhdw])"
_WHOLE = re.compile(f"(?:{_PART})+", re.ASCII)
_REMEDY = "Write it like 24h, 90m, 7d or 1d12h; s, m, h, d and w are known."


def start_of(name: str, length: str, now: datetime) -> datetime:
    """The moment this long before `now`, from lengths like ``24h`` or ``1d12h``.

    Raises:
        InvalidQueryError: the length is none, not above zero, or longer than the calendar; the
            error names the argument.
    """
    text = length.strip().lower()
    if not _WHOLE.fullmatch(text):
        raise InvalidQueryError(name, f"{length!r} is not a length of time", remedy=_REMEDY)
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in re.findall(_PART, text))
    try:
        start = now - timedelta(seconds=seconds)
    except OverflowError as error:
        problem = f"{length!r} is longer than the calendar"
        raise InvalidQueryError(name, problem, remedy=_REMEDY) from error
    if start >= now:
        raise InvalidQueryError(name, f"{length!r} is not above zero", remedy=_REMEDY)
    return start
