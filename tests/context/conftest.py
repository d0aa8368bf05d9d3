"""Vaults with memories that are written as files, without a commit for each."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.format.paths import path_for
from mnemos_files.format.record import render
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import make_ulid
from tests.conftest import NOON

Remember = Callable[..., Record]


def a_record(number: int, kind: str = "convention", **fields: object) -> Record:
    """A record of the day before noon, each a minute younger than the one before."""
    created = NOON - timedelta(days=1) + timedelta(minutes=number)
    given = {
        "id": make_ulid(created, number.to_bytes(10, "big")),
        "type": kind,
        "title": f"Record {number}",
        "content": f"Text of record {number}.",
        "project": "api",
        "agent": "claude-code",
        "created": created,
    }
    return Record(**(given | fields))


@pytest.fixture
def remember(vault: Path) -> Remember:
    """Writes a record as a file of the vault."""
    (vault / ".mnemos").mkdir()
    (vault / ".mnemos" / "config.toml").write_text("", encoding="utf-8")
    count = 0

    def writer(kind: str = "convention", **fields: object) -> Record:
        nonlocal count
        count += 1
        record = a_record(count, kind, **fields)
        path = vault / path_for(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render(record))
        return record

    return writer


def with_parts(**parts: str) -> tuple[tuple[str, str], ...]:
    """Sections of a record."""
    return tuple(parts.items())


def part_of(text: str, title: str) -> list[str]:
    """Lines of one section of a block, its heading left out; empty when it is not there."""
    lines = text.splitlines()
    if f"## {title}" not in lines:
        return []
    rest = lines[lines.index(f"## {title}") + 1 :]
    ends = [number for number, line in enumerate(rest) if not line or line.startswith("</")]
    return rest[: ends[0]]
