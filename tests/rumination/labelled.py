"""The labelled pairs of this folder, and what becomes of them in a vault."""

import json
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path, PurePosixPath

from mnemos_files.index.embedder import StaticEmbedder
from mnemos_files.index.index import Index, Indexed
from mnemos_files.index.near import Judge
from mnemos_files.model.likeness import Likeness, likeness, relation
from mnemos_files.model.note import Note, Stamp
from mnemos_files.model.record import Record

PARTS = ("seen", "fresh")
"""`seen` was written beside the rules, `fresh` when they were settled; see docs/rumination.md."""

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Row:
    """Two memories, whether they contradict each other, and the link that they should get."""

    older: Record
    newer: Record
    is_contradicting: bool
    family: str
    link: str
    part: str


@dataclass(frozen=True)
class Judged:
    """A row and what is made of it: `is_near` when the index finds the pair at all."""

    row: Row
    is_near: bool
    likeness: Likeness

    @property
    def is_found(self) -> bool:
        return self.is_near and self.likeness.difference is not None

    @property
    def link(self) -> str:
        return relation(self.likeness) if self.is_near else ""


def rows() -> list[Row]:
    text = Path(__file__).with_name("pairs.jsonl").read_text("utf-8")
    return [_row(number, json.loads(line)) for number, line in enumerate(text.splitlines())]


def _row(number: int, value: dict) -> Row:
    def record(name: str, age: int) -> Record:
        title, content = value[name]
        return Record(
            id=f"{number:03}-{name}",
            type="decision",
            title=title,
            content=content,
            project=f"p{number}",
            created=NOW - timedelta(days=age),
        )

    return Row(
        record("older", 2),
        record("newer", 1),
        value["label"] == "contradicting",
        value["family"],
        value["link"],
        value["part"],
    )


@cache
def judged() -> list[Judged]:
    """Every pair in a project of its own, in one index with the model of the package."""
    found = rows()
    records = [record for row in found for record in (row.older, row.newer)]
    with tempfile.TemporaryDirectory() as folder:
        index = Index(Path(folder), StaticEmbedder())
        index.apply([_indexed(record) for record in records], [])
        pairs = index.near(NOW, Judge("all", lambda older, newer: "near"))
    near = {pair.older.record.project for pair in pairs}
    return [Judged(row, row.older.project in near, likeness(row.older, row.newer)) for row in found]


def _indexed(record: Record) -> Indexed:
    note = Note(PurePosixPath(f"{record.id}.md"), record, body=record.content, is_ours=True)
    return Indexed(note, Stamp(1, 1, 1), record.id.encode().hex().ljust(40, "0")[:40])


def precision(some: list[Judged]) -> float:
    """Share [1] of the pairs that are shown which do contradict each other."""
    shown = [each for each in some if each.is_found]
    return sum(each.row.is_contradicting for each in shown) / len(shown) if shown else 1.0


def recall(some: list[Judged]) -> float:
    """Share [1] of the contradicting pairs that are shown."""
    wanted = [each for each in some if each.row.is_contradicting]
    return sum(each.is_found for each in wanted) / len(wanted) if wanted else 1.0


def links(some: list[Judged]) -> tuple[float, float]:
    """Precision and recall [1] of links, whatever their type."""
    made = [each for each in some if each.link]
    wanted = [each for each in some if each.row.link]
    right = sum(bool(each.row.link) for each in made)
    return right / max(len(made), 1), right / max(len(wanted), 1)
