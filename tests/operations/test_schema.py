import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import jsonschema

from mnemos_files.operations.schema import output_schema, result_type, to_json


@dataclass(frozen=True)
class Inner:
    """A part."""

    title: str
    score: float
    tags: list[str]


@dataclass(frozen=True)
class Outer:
    """A result with a field of each sort."""

    id: str
    created_at: datetime
    count: int
    fresh: bool
    results: tuple[Inner, ...]
    best: Inner | None = None
    reason: str | None = None
    parts: dict[str, float] | None = None
    anything: dict[str, str | float] | None = None


NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
FULL = Outer(
    id="a",
    created_at=NOON,
    count=1,
    fresh=True,
    results=(Inner("t", 0.5, ["x"]),),
    best=Inner("u", 1.0, []),
    reason="r",
    parts={"b": 1.0},
    anything={"c": "d"},
)
SMALL = Outer(id="a", created_at=NOON, count=1, fresh=True, results=())


def run(store: object) -> Outer: ...


def test_the_schema_of_a_result_names_what_is_always_there():
    assert output_schema(Outer) == {
        "type": "object",
        "properties": {"id": {}, "created_at": {}, "count": {}, "fresh": {}, "results": {}},
    }


def test_a_field_that_is_none_is_left_out():
    assert to_json(SMALL) == {
        "id": "a",
        "created_at": "2026-12-01T12:00:00Z",
        "count": 1,
        "fresh": True,
        "results": [],
    }


def test_a_full_result_keeps_every_field():
    assert to_json(FULL) == {
        "id": "a",
        "created_at": "2026-12-01T12:00:00Z",
        "count": 1,
        "fresh": True,
        "results": [{"title": "t", "score": 0.5, "tags": ["x"]}],
        "best": {"title": "u", "score": 1.0, "tags": []},
        "reason": "r",
        "parts": {"b": 1.0},
        "anything": {"c": "d"},
    }


def test_the_json_of_a_result_fits_its_schema():
    for result in (SMALL, FULL):
        jsonschema.validate(json.loads(json.dumps(to_json(result))), output_schema(Outer))


def test_a_time_of_another_zone_is_written_in_utc():
    berlin = timezone(timedelta(hours=1))

    assert (
        to_json(datetime(2026, 12, 1, 12, 0, 0, 500_000, berlin)) == "2026-12-01T11:00:00.500000Z"
    )


def test_the_result_type_is_read_from_the_operation():
    assert result_type(run) is Outer
