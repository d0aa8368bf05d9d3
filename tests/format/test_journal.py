"""Events as lines: what goes in comes out, and nothing else is believed."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.format.journal import (
    IDS_MAX,
    LINE_BYTES_MAX,
    month,
    numbered,
    parse,
    render,
)
from mnemos_files.model.event import (
    EVENTS,
    Accessed,
    Dreamed,
    Event,
    SessionEnded,
    SessionStarted,
    SkillUsed,
    Surfaced,
    Touched,
)

AT = datetime(2026, 12, 1, 10, 4, 11, 42, tzinfo=UTC)
TOUCH = b'{"at":"2026-12-01T10:04:11.000042Z","event":"touch","path":"a.py"}'

LINES = [
    (
        SessionStarted(AT, "s1", "api", "codex", "Zölle prüfen 検査", 7),
        '{"at":"2026-12-01T10:04:11.000042Z","event":"session_start","session":"s1",'
        '"project":"api","agent":"codex","goal":"Zölle prüfen 検査","process":7}\n',
    ),
    (
        SessionEnded(AT, "s1", "ok"),
        '{"at":"2026-12-01T10:04:11.000042Z","event":"session_end","session":"s1","status":"ok"}\n',
    ),
    (
        Touched(AT, "src/a.py", "api", "codex", "s1", "auto:Edit"),
        '{"at":"2026-12-01T10:04:11.000042Z","event":"touch","path":"src/a.py","project":"api",'
        '"agent":"codex","session":"s1","note":"auto:Edit"}\n',
    ),
    (
        Accessed(AT, ("x", "y")),
        '{"at":"2026-12-01T10:04:11.000042Z","event":"get","ids":["x","y"]}\n',
    ),
    (
        Surfaced(AT, ("x",), "prewarm"),
        '{"at":"2026-12-01T10:04:11.000042Z","event":"surface","ids":["x"],"channel":"prewarm"}\n',
    ),
    (
        SkillUsed(AT, "k", "failure", note="line\nend"),
        '{"at":"2026-12-01T10:04:11.000042Z","event":"skill_use","skill":"k",'
        '"outcome":"failure","note":"line\\nend"}\n',
    ),
    (
        Dreamed(AT, ("expire:x:2026-12-01T10:00:00Z",), "expiry", "1 deleted"),
        '{"at":"2026-12-01T10:04:11.000042Z","event":"dream",'
        '"keys":["expire:x:2026-12-01T10:00:00Z"],"step":"expiry","note":"1 deleted"}\n',
    ),
]


def read(*lines: bytes) -> list[Event]:
    return parse(b"\n".join(lines).split(b"\n"))


@pytest.mark.parametrize(("event", "line"), LINES, ids=list(EVENTS))
def test_each_event_is_one_readable_line(event: Event, line: str) -> None:
    assert render([event]) == [line.encode()]
    assert parse([line.rstrip("\n").encode()]) == [event]


def test_every_event_has_an_example() -> None:
    assert [type(event) for event, _ in LINES] == list(EVENTS.values())


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b'{"at":"2026-12-01T10:04:11.000042Z","event":"touch","pa',
        b"\0" * 40,
        b"[]",
        b"null",
        b'"touch"',
        b"17",
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"event":"touch","path":"b.py"}',
        b'{"at":"2026-12-01T10:04:11Z","path":"b.py"}',
        b'{"at":"2026-12-01T10:04:11Z","event":"later","path":"b.py"}',
        b'{"at":"2026-12-01T10:04:11Z","event":["touch"],"path":"b.py"}',
        b'{"at":"yesterday","event":"touch","path":"b.py"}',
        b'{"at":17,"event":"touch","path":"b.py"}',
        b'{"at":"0001-01-01T00:00:00+14:00","event":"touch","path":"b.py"}',
        b'{"at":"2026-12-01T10:04:11Z","event":"touch","path":7}',
        b'{"at":"2026-12-01T10:04:11Z","event":"touch","path":""}',
        b'{"at":"2026-12-01T10:04:11Z","event":"touch","path":null}',
        b'{"at":"2026-12-01T10:04:11Z","event":"touch","path":"b.py","note":{"a":1}}',
        b'{"at":"2026-12-01T10:04:11Z","event":"touch","path":"\\ud800"}',
        b'{"at":"2026-12-01T10:04:11Z","event":"touch","path":"\xff"}',
        b'{"at":"2026-12-01T10:04:11Z","event":"get","ids":[]}',
        b'{"at":"2026-12-01T10:04:11Z","event":"get","ids":"x"}',
        b'{"at":"2026-12-01T10:04:11Z","event":"get","ids":["x",7]}',
        b'{"at":"2026-12-01T10:04:11Z","event":"get"}',
        b'{"at":"2026-12-01T10:04:11Z","event":"session_start","session":"s","process":true}',
        b'{"at":"2026-12-01T10:04:11Z","event":"session_start","session":"s","process":1e400}',
        b'{"at":"2026-12-01T10:04:11Z","event":"session_start","session":"s","process":1.5}',
        b'{"at":"2026-12-01T10:04:11Z","event":"session_start","session":"s","process":'
        + b"9" * 9_000
        + b"}",
        TOUCH + b",",
        TOUCH + TOUCH,
        TOUCH[:-1] + b',"note":"' + b"x" * LINE_BYTES_MAX + b'"}',
    ],
    ids=lambda line: line[:60].decode("latin-1") + f"({len(line)})",
)
def test_a_line_that_is_no_event_is_passed_over_and_hides_no_other(line: bytes) -> None:
    assert read(TOUCH, line, TOUCH) == [Touched(AT, "a.py"), Touched(AT, "a.py")]


@pytest.mark.parametrize(
    ("line", "event"),
    [
        (TOUCH[:-1] + b',"since":"later versions"}', Touched(AT, "a.py")),
        (TOUCH + b" \r", Touched(AT, "a.py")),
        (b" " + TOUCH, Touched(AT, "a.py")),
        (TOUCH.replace(b".000042Z", b".000042+00:00"), Touched(AT, "a.py")),
        (TOUCH.replace(b"10:04:11.000042Z", b"12:04:11.000042+02:00"), Touched(AT, "a.py")),
        (TOUCH.replace(b".000042Z", b".000042"), Touched(AT, "a.py")),
        (TOUCH.replace(b"a.py", b"\\ud83d\\ude00"), Touched(AT, "\U0001f600")),
        (TOUCH.replace(b"a.py", b"\\u0061.py"), Touched(AT, "a.py")),
    ],
)
def test_another_program_may_write_the_same_event_otherwise(line: bytes, event: Event) -> None:
    assert parse([line]) == [event]


def test_texts_are_cut_at_their_limits() -> None:
    long = "ü" * 12_000

    [touched] = parse(render([Touched(AT, long, long, long, long, long)]))
    [started] = parse(render([SessionStarted(AT, "s", goal=long)]))
    [ended] = parse(render([SessionEnded(AT, "s", reason=long)]))

    assert isinstance(touched, Touched)
    lengths = [len(touched.path), len(touched.project), len(touched.agent), len(touched.note)]
    assert lengths == [1_000, 500, 500, 500]
    assert isinstance(started, SessionStarted)
    assert isinstance(ended, SessionEnded)
    assert (len(started.goal), len(ended.reason)) == (10_000, 1_000)


def test_many_ids_become_several_lines_with_all_of_them() -> None:
    names = tuple(f"id{number}" for number in range(2 * IDS_MAX + 1))

    lines = render([Surfaced(AT, names, "context", "api")])

    events = parse(lines)
    assert [len(event.ids) for event in events if isinstance(event, Surfaced)] == [20, 20, 1]
    assert tuple(name for event in events for name in event.ids) == names  # type: ignore[union-attr]


def test_no_ids_make_no_line() -> None:
    assert render([Accessed(AT, ())]) == []


def test_no_line_that_we_write_is_too_long_to_be_read() -> None:
    worst = "\x01" * 12_000

    lines = render(
        [
            Surfaced(AT, (worst,) * IDS_MAX, worst, worst, worst, worst),
            Touched(AT, worst, worst, worst, worst, worst),
            SessionStarted(AT, worst, worst, worst, worst, 2**63),
        ]
    )

    assert len(parse(lines)) == len(lines) == 3


def test_half_a_character_is_written_as_a_question_mark() -> None:
    assert parse(render([Touched(AT, "a\ud800.py")])) == [Touched(AT, "a?.py")]


def test_a_number_tells_equal_lines_apart_and_changes_nothing_else() -> None:
    [line] = render([Touched(AT, "a.py")])

    assert numbered(line, 2) == TOUCH[:-1] + b',"n":2}\n'
    assert parse([numbered(line, 2)]) == [Touched(AT, "a.py")]


@pytest.mark.parametrize(
    ("at", "name"),
    [
        (datetime(2026, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), "2026-12.jsonl"),
        (datetime(2027, 1, 1, tzinfo=UTC), "2027-01.jsonl"),
        (datetime.fromisoformat("2027-01-01T00:30:00+01:00"), "2026-12.jsonl"),
    ],
)
def test_the_month_of_a_journal_is_that_of_utc(at: datetime, name: str) -> None:
    assert month(Touched(at, "a.py")) == name


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
NAME = TEXT.filter(bool)
TIMES = st.datetimes(
    datetime(1990, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    datetime(2200, 1, 1),  # noqa: DTZ001 - the same
    timezones=st.just(UTC),
)
ANY_EVENT = st.one_of(
    st.builds(SessionStarted, TIMES, NAME, TEXT, TEXT, TEXT, st.integers(0, 2**22)),
    st.builds(SessionEnded, TIMES, NAME, TEXT, TEXT),
    st.builds(Touched, TIMES, NAME, TEXT, TEXT, TEXT, TEXT),
    st.builds(
        Surfaced,
        TIMES,
        st.lists(NAME, min_size=1, max_size=5).map(tuple),
        TEXT,
        TEXT,
        TEXT,
        TEXT,
    ),
    st.builds(SkillUsed, TIMES, NAME, st.sampled_from(["success", "failure"]), TEXT, TEXT, TEXT),
    st.builds(
        Dreamed, TIMES, st.lists(NAME, min_size=1, max_size=20).map(tuple), st.just("expiry"), TEXT
    ),
)


def test_an_event_of_many_keys_is_several_lines() -> None:
    keys = tuple(f"k{number}" for number in range(45))

    events = read(*(line[:-1] for line in render([Dreamed(AT, keys, "expiry")])))

    assert [len(event.keys) for event in events] == [20, 20, 5]
    assert tuple(key for event in events for key in event.keys) == keys


@given(st.lists(ANY_EVENT, max_size=8))
def test_what_goes_in_comes_out(events: list[Event]) -> None:
    assert read(*(line[:-1] for line in render(events))) == events


@given(st.lists(st.one_of(st.just(TOUCH), st.binary(max_size=60)), max_size=8))
def test_any_bytes_may_stand_between_lines(lines: list[bytes]) -> None:
    whole = b"\n".join(lines).split(b"\n")

    assert len(read(*lines)) >= whole.count(TOUCH)


@given(
    st.lists(
        st.recursive(
            st.none() | st.integers() | TEXT, lambda x: st.lists(x) | st.dictionaries(TEXT, x)
        ),
        max_size=4,
    )
)
def test_any_json_is_an_event_or_passed_over(rows: list[object]) -> None:
    given_rows = [
        {"event": name, "at": "2026-12-01", "path": row, "ids": row, "session": row}
        for row in rows
        for name in EVENTS
    ]

    for event in parse([json.dumps(row).encode() for row in given_rows]):
        assert event.at == datetime(2026, 12, 1, tzinfo=UTC)
