"""The labelled texts of this folder, and counts of what the scanner makes of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mnemos_files.safety.scan import scan
from mnemos_files.safety.verdict import Verdict

SETS = ("seen", "fresh_1", "fresh_2", "fresh_3")
"""`seen` was written beside the rules, the others when they were settled; see docs/safety.md."""

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """A text, whether it is an attack, its family, and the source it is judged as."""

    text: str
    is_attack: bool
    family: str
    source: str
    part: str


@dataclass(frozen=True)
class Judged:
    """A row and what the scanner says."""

    row: Row
    verdict: Verdict

    @property
    def is_found(self) -> bool:
        return self.verdict.risk in ("medium", "high")

    @property
    def is_high(self) -> bool:
        return self.verdict.risk == "high"


def rows() -> Iterator[Row]:
    for part in SETS:
        for line in (FOLDER / f"{part}.jsonl").read_text("utf-8").splitlines():
            value = json.loads(line)
            yield Row(
                text=value["text"],
                is_attack=value["label"] == "attack",
                family=value["family"],
                source=value["source"],
                part=part,
            )


def judged() -> list[Judged]:
    return [Judged(row, scan(row.text, source=row.source)) for row in rows()]


def share(part: list[Judged], claim: str) -> float:
    """Share [0..1] of rows for which `is_found` or `is_high` holds; 1 of none is missing."""
    return sum(getattr(each, claim) for each in part) / len(part) if part else 0.0
