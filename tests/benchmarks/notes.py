"""Made-up notes in the style of developers' memories, and questions aimed at one of them each.

The same number and seed give the same bytes, and the first notes of a larger run are those of a
smaller one. Median about 120 words, one in twelve 400 to 1,500; names are drawn from a Zipf
vocabulary that grows with the vault. Near-duplicates happen, as in real vaults.
"""

# ruff: noqa: S311 - repeatable, not secret

import json
import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from mnemos_files.model.ulid import make_ulid
from tests.benchmarks import wording

START = datetime(2025, 1, 6, 8, 0, tzinfo=UTC)
VOCABULARY = 200_000
WIDE = 0x3000  # from here on letters are counted as half a word each
_SUMS = list(accumulate(1.0 / (rank + 3) for rank in range(VOCABULARY)))


@dataclass(frozen=True, slots=True)
class MadeNote:
    """A note's file, and the question that it answers."""

    path: str
    text: str
    title: str
    question: str
    names: dict[str, str]
    language: str


def write(notes: Sequence[MadeNote], folder: Path) -> None:
    """The notes as files below the folder."""
    for note in notes:
        file = folder / note.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(note.text.encode())


def make(count: int, seed: int = 7) -> list[MadeNote]:
    """The first so many notes."""
    generator = Generator(seed)
    return [generator.note(number) for number in range(count)]


def questions(notes: Sequence[MadeNote], count: int, seed: int = 7) -> list[str]:
    """Keywords, whole questions, single rare names and foreign sentences, in a fixed mix."""
    picked = random.Random(seed + 1).sample(range(len(notes)), min(count, len(notes)))
    return [_ask(notes[number], random.Random(seed * 7919 + number)) for number in picked]


def _ask(note: MadeNote, rnd: random.Random) -> str:
    names = note.names
    if note.language != "en":
        return note.question
    style = rnd.choices(("keywords", "question", "identifier"), (5, 3, 1))[0]
    if style == "identifier":
        return names["code"] if names["code"] in note.text else f"{names['ident']} {names['ver']}"
    if style == "question":
        return note.question
    words = [word.strip(":,.()") for word in note.title.split() if len(word) > 4]
    picked = rnd.sample(words, min(len(words), rnd.randrange(1, 4)))
    return " ".join([*picked, names["ident"], *([names["lib"]] if rnd.random() < 0.4 else [])])


def _draw(rnd: random.Random, limit: int) -> int:
    """A rank below the limit, the low ones most often."""
    top = _SUMS[min(limit, VOCABULARY) - 1]
    return bisect_left(_SUMS, rnd.random() * top)


def _identifier(rank: int) -> str:
    """The made-up code name of a rank: the same in every run."""
    rnd = random.Random(rank * 2_654_435_761 % 2**32)
    parts = [rnd.choice(wording.SYLLABLES) for _ in range(rnd.choice((2, 2, 3)))]
    ending = rnd.choice(wording.SUFFIXES) if rnd.random() < 0.7 else str(rank % 97)
    return rnd.choice(("", "", "_")).join(parts) + ending


def _slug(title: str) -> str:
    letters = (c.lower() if c.isascii() and c.isalnum() else " " for c in title)
    return "-".join("".join(letters).split())[:60].strip("-") or "note"


class Generator:
    """Makes one note after the other; each has its own random stream."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._clock = START
        self._session = ""
        self._session_left = 0

    def note(self, number: int) -> MadeNote:
        """The note of this number; numbers must come in their order."""
        rnd = random.Random(self._seed * 1_000_003 + number)
        idents = [_identifier(_draw(rnd, 400 + 12 * number)) for _ in range(4)]
        names = self._names(rnd, idents[0], number)
        kind = rnd.choices(wording.KINDS, wording.KIND_WEIGHTS)[0]
        shares = [share for *_, share in wording.LANGUAGES]
        language, pool, _ = rnd.choices(wording.LANGUAGES, shares)[0]
        self._clock += timedelta(seconds=rnd.choice((40, 90, 200, 900, 4000, 20000)))
        self._next_session(rnd)
        if pool is None:
            title, lead, question = _english(kind, rnd, names)
        else:
            title, lead, question = _foreign(language, pool, rnd, names)
        body = _body(lead, pool, rnd, names, idents)
        record_id = make_ulid(self._clock, rnd.randbytes(10))
        project = names["project"]
        stem = f"{self._clock:%Y-%m-%d}-{_slug(title)}-{record_id[-6:].lower()}"
        text = self._render(record_id, kind, title, names, rnd.randrange(1, 11)) + body + "\n"
        path = f"observations/{project}/{stem}.md"
        return MadeNote(path, text, title, question, names, language)

    def _names(self, rnd: random.Random, ident: str, number: int) -> dict[str, str]:
        return {
            "project": rnd.choice(wording.PROJECTS),
            "lib": rnd.choice(wording.LIBS),
            "who": rnd.choice(wording.PEOPLE),
            "place": rnd.choice(wording.PLACES),
            "ident": ident,
            "num": str(rnd.choice((5, 8, 12, 20, 30, 40, 64, 90, 120, 250, 500, 900))),
            "ver": f"{rnd.randrange(1, 9)}.{rnd.randrange(30)}.{rnd.randrange(12)}",
            "code": f"E{rnd.randrange(1000, 9999)}-{number % 100_000:05d}",
        }

    def _next_session(self, rnd: random.Random) -> None:
        if self._session_left == 0:
            self._session_left = rnd.randrange(3, 13)
            self._session = f"{self._clock:%Y-%m-%d}-session-{rnd.getrandbits(30):06x}"
        self._session_left -= 1

    def _render(
        self, record_id: str, kind: str, title: str, names: dict[str, str], importance: int
    ) -> str:
        lines = [
            "---",
            f"id: {record_id}",
            f"type: {_TYPES[kind]}",
            f"title: {json.dumps(title, ensure_ascii=False)}",
            f"project: {names['project']}",
            "tags:",
            f"  - {kind}",
            f"  - {_slug(names['lib'])}",
            f"importance: {importance}",
            "agent: bench",
            f'session: "[[{self._session}]]"',
            f"created: {self._clock:%Y-%m-%dT%H:%M:%SZ}",
            "source_kind: user",
            "trust_tier: curated",
            "---",
            "",
        ]
        return "\n".join(lines)


_TYPES = {
    "decision": "decision",
    "bugfix": "bugfix",
    "convention": "convention",
    "correction": "correction",
    "observation": "context",
    "procedure": "procedural",
}


def _english(kind: str, rnd: random.Random, v: dict[str, str]) -> tuple[str, list[str], str]:
    """Title, first sentences and question of a note in English."""
    return _KIND_TEXTS.get(kind, _observation)(rnd, v)


def _bugfix(rnd: random.Random, v: dict[str, str]) -> tuple[str, list[str], str]:
    said, asked = rnd.choice(wording.SYMPTOMS)
    lead = [
        f"In {v['project']}, {said}. Reported by {v['who']} and reproduced with {v['lib']}.",
        f"Root cause: {rnd.choice(wording.CAUSES)} (`{v['ident']}`).",
        f"Fix: {rnd.choice(wording.FIXES)}.",
    ]
    question = f"why is it that {asked} in {v['project']} with {v['lib']}?"
    return f"{v['project']}: {said}", lead, question


def _decision(rnd: random.Random, v: dict[str, str]) -> tuple[str, list[str], str]:
    said, asked = rnd.choice(wording.DECISIONS)
    lead = [
        f"Decision for {v['project']}: {said}. `{v['ident']}` is the first to follow.",
        f"Why: {rnd.choice(wording.REASONS)}. {v['who']} rejected {v['lib']}.",
        f"Revisit when {v['place']} changes or traffic triples.",
    ]
    question = f"did we decide to {asked} for {v['project']} and {v['ident']}?"
    return f"{v['project']}: decided to {said}", lead, question


def _convention(rnd: random.Random, v: dict[str, str]) -> tuple[str, list[str], str]:
    said, asked = rnd.choice(wording.CONVENTIONS)
    lead = [
        f"Convention in {v['project']}: {said}.",
        f"It applies to all code that touches {v['lib']}; `{v['ident']}` is the example.",
        f"{v['who']} enforces it in review.",
    ]
    question = f"{asked} in {v['project']} near {v['ident']}?"
    return f"{v['project']} convention: {said}", lead, question


def _correction(rnd: random.Random, v: dict[str, str]) -> tuple[str, list[str], str]:
    old, new = rnd.choice(wording.CORRECTIONS)
    lead = [
        f"We believed that {old}.",
        f"No longer true: {new}. {v['who']} confirmed it for `{v['ident']}` and {v['lib']}.",
        "Anything written before this date should be read with care.",
    ]
    question = f"is it still true for {v['project']} that {old}, as {v['ident']} assumes?"
    return f"{v['project']} correction: {new}", lead, question


def _procedure(rnd: random.Random, v: dict[str, str]) -> tuple[str, list[str], str]:
    lead = [
        f"1. Announce it in {v['place']}.\n2. Run `{v['ident']} rotate --grace {v['num']}m`.\n"
        f"3. Watch {v['lib']} for {v['code']}.\n4. Revert with `--undo` if errors rise."
    ]
    question = f"what are the steps to renew {v['ident']} of {v['project']}?"
    return f"How to rotate {v['ident']} in {v['project']}", lead, question


def _observation(rnd: random.Random, v: dict[str, str]) -> tuple[str, list[str], str]:
    lead = [
        f"In {v['project']} I noticed that `{v['ident']}` needs {v['num']} retries.",
        f"The log says {v['code']}. {v['who']} sees the same with {v['lib']} {v['ver']}.",
    ]
    question = f"which problem did {v['who']} see with {v['ident']} and {v['lib']}?"
    title = f"{v['ident']} in {v['project']} behaves oddly with {v['lib']} {v['ver']}"
    return title, lead, question


_KIND_TEXTS = {
    "bugfix": _bugfix,
    "decision": _decision,
    "convention": _convention,
    "correction": _correction,
    "procedure": _procedure,
}


def _foreign(
    language: str, pool: Sequence[str], rnd: random.Random, names: dict[str, str]
) -> tuple[str, list[str], str]:
    lead = [sentence.format(**names) for sentence in rnd.sample(pool, 3)]
    lead.sort(key=lambda s: names["ident"] not in s and names["code"] not in s)
    title = wording.FOREIGN_TITLES[language].format(**names)
    return title, lead, lead[0].rstrip(".\u3002").replace("`", "")


def _body(
    lead: list[str],
    pool: Sequence[str] | None,
    rnd: random.Random,
    names: dict[str, str],
    idents: Sequence[str],
) -> str:
    is_long = rnd.random() < 1 / 12
    target = rnd.randrange(400, 1500) if is_long else max(25, int(rnd.lognormvariate(4.72, 0.38)))
    paragraphs = [" ".join(lead)]
    while sum(map(_words, paragraphs)) < target:
        paragraphs.append(" ".join(_sentences(pool, rnd, names, idents)))
        if rnd.random() < 0.08:
            command = f"{rnd.choice(idents)} --limit {rnd.randrange(2, 99)}"
            paragraphs.append(f"```sh\n{command} | grep {names['code']}\n```")
        if is_long and rnd.random() < 0.25:
            paragraphs.append(f"## Notes on {rnd.choice(idents)}")
    return "\n\n".join(paragraphs)


def _sentences(
    pool: Sequence[str] | None, rnd: random.Random, names: dict[str, str], idents: Sequence[str]
) -> Iterator[str]:
    for _ in range(rnd.randrange(2, 5)):
        local = names | {
            "ident": rnd.choice([*idents, _identifier(_draw(rnd, 4000))]),
            "who": rnd.choice(wording.PEOPLE),
            "place": rnd.choice(wording.PLACES),
            "lib": rnd.choice(wording.LIBS),
            "project": rnd.choice(wording.PROJECTS),
            "num": str(rnd.randrange(2, 999)),
        }
        source = pool if pool and rnd.random() < 0.8 else wording.FILLER
        yield rnd.choice(source).format(**local)


def _words(text: str) -> int:
    return len(text.split()) + sum(ord(letter) > WIDE for letter in text) // 2
