"""How well search finds what it should, in process, on a file of notes and questions.

    python -m tests.benchmarks retrieval --data FILE [FILE ...] [--drawn importance uses recent]

FILE holds conversations in LoCoMo's shape (`conversation`, `qa`) or projects (`docs`, `queries`).
R@k is the share of a question's relevant notes among the first k hits, MRR one over the rank of
the first, nDCG@10 with gains of 0 or 1; means over questions in percent. The data are not part of
this repository: LoCoMo is CC BY-NC and may be measured, not copied.
"""

import argparse
import hashlib
import json
import math
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from mnemos_files.index.embedder import StaticEmbedder
from mnemos_files.index.index import Index, Indexed
from mnemos_files.model.decay import Decay
from mnemos_files.model.note import Note, Stamp
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import make_ulid
from tests.benchmarks.drawing import DRAWN, important, used

CUTS = (5, 10, 20)
FLOOR = 0.15
MONTHLY = Decay()
_TIME = re.compile(r"(\d+):(\d+)\s*(am|pm) on (\d+) (\w+), (\d+)", re.IGNORECASE)
_EVIDENCE = re.compile(r"D(\d+):(\d+)")
_FALSE_PREMISE = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A text and the keys of the notes that answer it."""

    text: str
    category: str
    relevant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collection:
    """The notes of one vault by key, and its questions."""

    name: str
    notes: Mapping[str, Note]
    questions: Sequence[Question]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--drawn", choices=DRAWN, nargs="+", default=(), help="made up at random")
    parser.add_argument("--seeds", type=int, default=1, help="so many times, other draws each time")
    parser.add_argument("--step", type=int, default=1, help="importance lost in 30 days; 0 = off")
    parser.add_argument("--per-query", type=Path, help="write one JSON line a question")


def run(options: argparse.Namespace) -> Iterator[str]:
    """One line for each file."""
    embedder = StaticEmbedder()
    lines = []
    for file in options.data:
        rows: list[dict[str, Any]] = []
        for sample in json.loads(file.read_text(encoding="utf-8")):
            vault = collection(sample)
            decay = Decay(step=options.step)
            for seed in range(options.seeds):
                rows += measure(vault, embedder, options.drawn, seed, decay)
        lines += [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        yield f"{file.name}: {summary(rows)}"
    if options.per_query:
        options.per_query.write_text("".join(lines), encoding="utf-8")


def measure(
    vault: Collection,
    embedder: StaticEmbedder,
    drawn: Sequence[str] = (),
    seed: int = 0,
    decay: Decay = MONTHLY,
) -> list[dict[str, Any]]:
    """A row of figures for each question; `drawn` is what is made up (`drawing.DRAWN`)."""
    rows = []
    made = important(vault.notes, seed) if "importance" in drawn else vault.notes
    now = _last(vault) if "recent" in drawn else datetime(2026, 12, 1, tzinfo=UTC)
    uses = used(vault.notes, seed, now) if "uses" in drawn else {}
    keys = {str(note.path): key for key, note in vault.notes.items()}
    with tempfile.TemporaryDirectory() as folder:
        index = Index(Path(folder), embedder)
        notes = [Indexed(note, Stamp(0, 0, 0), _blob(note)) for note in made.values()]
        index.apply(notes, ())
        index.flush()
        for question in vault.questions:
            query = Query(text=question.text, now=now, limit=20)
            start = time.perf_counter()
            ranking = index.search(query, floor=FLOOR, uses=uses, decay=decay)
            passed = time.perf_counter() - start
            ranked = [keys[str(hit.entry.path)] for hit in ranking.hits]
            rows.append(
                {
                    "vault": vault.name,
                    "query": question.text,
                    "category": question.category,
                    "ranked": ranked,
                    "relevant": question.relevant,
                    "ms": passed * 1000,
                    "total": ranking.total,
                    **score(ranked, question.relevant),
                }
            )
    return rows


def _last(vault: Collection) -> datetime:
    return max(note.record.created for note in vault.notes.values() if note.record.created)


def score(ranked: Sequence[str], relevant: Sequence[str]) -> dict[str, float]:
    """R@5, R@10, R@20, MRR and nDCG@10 of one question, each in [0, 1]."""
    ranks = sorted(ranked.index(key) for key in relevant if key in ranked)
    values = {f"R@{cut}": sum(rank < cut for rank in ranks) / len(relevant) for cut in CUTS}
    values["MRR"] = 1 / (ranks[0] + 1) if ranks else 0.0
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))
    values["nDCG@10"] = sum(1 / math.log2(rank + 2) for rank in ranks if rank < CUTS[1]) / ideal
    return values


def summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """Means in percent, share of empty answers, hits a question, milliseconds."""
    names = (*(f"R@{cut}" for cut in CUTS), "MRR", "nDCG@10")
    parts = [f"{name} {100 * statistics.fmean(row[name] for row in rows):.1f}" for name in names]
    empty = 100 * statistics.fmean(not row["ranked"] for row in rows)
    total = statistics.median(row["total"] for row in rows)
    times = sorted(row["ms"] for row in rows)
    middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
    return (
        f"{len(rows)} questions, {', '.join(parts)}, empty {empty:.1f} %, median total {total:g}, "
        f"p50 {middle:.2f} ms, p95 {late:.2f} ms"
    )


def collection(sample: Mapping[str, Any]) -> Collection:
    """The notes and questions of one sample of a file."""
    return _conversation(sample) if "conversation" in sample else _project(sample)


def _conversation(sample: Mapping[str, Any]) -> Collection:
    talk, name = sample["conversation"], sample["sample_id"]
    notes: dict[str, Note] = {}
    for number in sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_\d+", key)):
        start = _clock(talk[f"session_{number}_date_time"])
        for position, turn in enumerate(talk[f"session_{number}"]):
            caption = turn.get("blip_caption")
            notes[turn["dia_id"]] = _note(
                name,
                turn["dia_id"],
                type="episodic",
                title=f"{turn['speaker']}, {start.day} {start:%B %Y}",
                content=turn["text"] + (f"\n\n[image: {caption}]" if caption else ""),
                tags=(turn["speaker"].lower(),),
                session=f"{start:%Y-%m-%d}-session-{number}",
                created=start + timedelta(seconds=40 * position),
            )
    return Collection(name, notes, list(_asked(sample, notes)))


def _asked(sample: Mapping[str, Any], notes: Mapping[str, Note]) -> Iterator[Question]:
    for item in sample["qa"]:
        named = [
            f"D{int(session)}:{int(turn)}"
            for evidence in item.get("evidence", [])
            for session, turn in _EVIDENCE.findall(evidence)
        ]
        relevant = tuple(dict.fromkeys(key for key in named if key in notes))
        if item["category"] != _FALSE_PREMISE and relevant:
            yield Question(item["question"], str(item["category"]), relevant)


def _project(sample: Mapping[str, Any]) -> Collection:
    name = sample["project"]
    notes: dict[str, Note] = {}
    for position, doc in enumerate(sample["docs"]):
        day = datetime.fromisoformat(doc["date"]).replace(tzinfo=UTC)
        files = "\n\nFiles: " + ", ".join(doc["files"]) if doc.get("files") else ""
        notes[doc["id"]] = _note(
            name,
            doc["id"],
            type="decision",
            title=doc.get("title") or f"Session of {doc['date']}",
            content=doc["body"] + files,
            tags=("history",),
            created=day + timedelta(seconds=position % 80_000),
        )
    questions = [
        Question(item["query"], str(item["category"]), tuple(item["relevant"]))
        for item in sample["queries"]
    ]
    return Collection(name, notes, questions)


def _note(project: str, key: str, **fields: Any) -> Note:
    created: datetime = fields["created"]
    record_id = make_ulid(created, hashlib.sha256((project + key).encode()).digest())
    slug = "-".join(re.findall(r"[a-z0-9]+", fields["title"].lower()))[:50].strip("-")
    file = f"{created:%Y-%m-%d}-{slug}-{record_id[-6:].lower()}.md"
    path = PurePosixPath("observations", project, file)
    record = Record(id=record_id, project=project, **fields)
    return Note(path, record, body=record.content, is_ours=True)


def _blob(note: Note) -> str:
    return hashlib.sha1(str(note.path).encode(), usedforsecurity=False).hexdigest()


def _clock(text: str) -> datetime:
    found = _TIME.match(text)
    if found is None:
        raise ValueError(f"no time of a session: {text!r}")
    hour, minute, half, day, month, year = found.groups()
    number = datetime.strptime(month[:3], "%b").replace(tzinfo=UTC).month
    of_day = int(hour) % 12 + (12 if half.lower() == "pm" else 0)
    return datetime(int(year), number, int(day), of_day, int(minute), tzinfo=UTC)


Measurement = Callable[[argparse.Namespace], Iterator[str]]
