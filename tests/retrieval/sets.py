"""Labelled questions, read from the data files: one folder a set, one YAML file a vault.

A file has `notes` (fields of `save`, an `id` of its own, and in `ask` the questions that want this
note only) and `questions` for those that want several notes, none, or more than words:

    ask, want    the question, and the ids or groups of notes that answer it (none = off-subject)
    kind         what makes it hard; a question in `ask` gives it as `kind: question`
    scope        filters of the search
    fills        hits [1] that its page must have at least
    above        a note that may not come before the wanted one

`notes` may name the file whose notes are taken.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
SETS = ("languages", "code", "typos", "nothing", "time", "filters", "near")
NOW = datetime(2026, 6, 17, 10, 0, tzinfo=UTC)  # a Wednesday
OF_A_NOTE = ("title", "type", "project", "tags", "importance", "agent_id", "trust_tier")


@dataclass(frozen=True, slots=True)
class Written:
    """A note as it is saved; notes of one `group` say the same in other words."""

    id: str
    created: datetime
    fields: Mapping[str, Any]
    group: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its label."""

    text: str
    want: tuple[str, ...] = ()
    kind: str = ""
    scope: Mapping[str, Any] = field(default_factory=dict)
    fills: int = 0
    above: str = ""


@dataclass(frozen=True, slots=True)
class Vault:
    """The notes of one file in the order of time, and what is asked of them."""

    name: str
    notes: Sequence[Written]
    questions: Sequence[Asked]

    @property
    def groups(self) -> dict[str, str]:
        """Id of each note -> its group, or the id itself."""
        return {note.id: note.group or note.id for note in self.notes}


def read_set(name: str) -> list[Vault]:
    """Every vault of a set, by name."""
    return [read(file) for file in sorted((FOLDER / name).glob("*.yaml"))]


def load(name: str) -> list[Any]:
    """What stands in the files of a set."""
    return [_load(file) for file in sorted((FOLDER / name).glob("*.yaml"))]


def read(file: Path) -> Vault:
    """The vault in a file."""
    data = _load(file)
    rows = data["notes"]
    if isinstance(rows, str):
        rows = [{**row, "ask": ()} for row in _load(FOLDER / rows)["notes"]]
    notes = [_note(row, place) for place, row in enumerate(rows)]
    asked = chain.from_iterable(_of_note(row) for row in rows)
    more = [_question(row) for row in data.get("questions", ())]
    return Vault(file.stem, sorted(notes, key=lambda note: note.created), [*asked, *more])


def together(vaults: Sequence[Vault]) -> Vault:
    """All notes and questions in one vault; a question keeps its vault's name as its kind."""
    notes: list[Written] = []
    asked: list[Asked] = []
    for vault in vaults:
        known = vault.groups
        prefixed = {key: f"{vault.name}/{key}" for key in [*known, *known.values()]}
        notes += [
            replace(note, id=prefixed[note.id], group=prefixed.get(note.group, ""))
            for note in vault.notes
        ]
        asked += [
            replace(
                one,
                want=tuple(prefixed[key] for key in one.want),
                above=prefixed.get(one.above, ""),
                kind=vault.name,
            )
            for one in vault.questions
        ]
    return Vault("together", sorted(notes, key=lambda note: note.created), asked)


def _load(file: Path) -> Any:
    return yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)


def _note(row: Mapping[str, Any], place: int) -> Written:
    fields = {key: row[key] for key in OF_A_NOTE if key in row} | {"content": row["text"]}
    fields["tags"] = tuple(fields.get("tags", ()))
    fields.setdefault("type", "semantic")
    created = _moment(row["created"]) if "created" in row else NOW - timedelta(days=9)
    return Written(row["id"], created + timedelta(seconds=place), fields, row.get("group", ""))


def _moment(value: date | datetime) -> datetime:
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return datetime(value.year, value.month, value.day, 9, 0, tzinfo=UTC)


def _of_note(row: Mapping[str, Any]) -> Iterator[Asked]:
    for one in row.get("ask", ()):
        kind, text = next(iter(one.items())) if isinstance(one, dict) else ("", one)
        yield Asked(text, (row["id"],), kind)


def _question(row: Mapping[str, Any]) -> Asked:
    kept = {key: row[key] for key in ("kind", "scope", "fills", "above") if key in row}
    scope = kept.get("scope", {})
    if "tags" in scope:
        kept["scope"] = scope | {"tags": tuple(scope["tags"])}
    return Asked(row["ask"], tuple(row.get("want", ())), **kept)
