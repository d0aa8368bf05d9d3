"""Tables of the sample's files, and the values in them."""

import hashlib
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from importlib import resources

from mnemos_files.model.ulid import make_ulid

Row = Mapping[str, object]


def tables(file: str) -> dict[str, list[Row]]:
    """The tables of a file beside this module, by name, in the order of the file."""
    text = resources.files("mnemos_files.cli").joinpath("sample", file).read_text(encoding="utf-8")
    return tomllib.loads(text)


def made_id(at: datetime, key: str) -> str:
    """The id of what has this key in the sample: the same moment and key, the same id."""
    return make_ulid(at, hashlib.sha256(key.encode()).digest())


def moment_of(row: Row, now: datetime) -> datetime:
    """The time [UTC] of a row that says `days_ago` and `time`."""
    day = now.astimezone(UTC).date() - timedelta(days=number_of(row, "days_ago"))
    return datetime.combine(day, time.fromisoformat(text_of(row, "time")), UTC)


def text_of(row: Row, key: str) -> str:
    """A text without blanks around it, "" when there is none."""
    return str(row.get(key, "")).strip()


def texts_of(row: Row, key: str) -> tuple[str, ...]:
    """A list of texts, empty when there is none."""
    value = row.get(key, ())
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def number_of(row: Row, key: str) -> int:
    """A whole number, 0 when there is none."""
    value = row.get(key, 0)
    return value if isinstance(value, int) else 0
