"""Fixtures of verify: what is read, and where an error is said to be."""

import pytest

from mnemos_files.errors import InvalidQueryError
from mnemos_files.report.fixture import (
    Behavior,
    Capture,
    Capturing,
    Probe,
    Scenario,
    read_behavior,
    read_capture,
    read_retrieval,
)

RETRIEVAL = """\
probes:
  - id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
    title: Argon2id
    queries: [how do we hash passwords, "argon2"]
    expect_in_top: 3
    project: api
  - id: a.md
    queries:
      - another
"""
BEHAVIOR = """\
arms:
  on:
    cmd: [agent, -p, "{{trigger}}"]
  off:
    cmd: [agent, --no-memory, "{{trigger}}"]
scenarios:
  - name: hashes
    memory_id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
    trigger: Which hash?
    runs: 5
    pass_when:
      contains_any: [Argon2id, argon2]
      lacks_all: [bcrypt]
  - name: short
    trigger: x
    pass_when: {lacks_all: [y]}
"""
CAPTURE = """\
arm:
  cmd: [agent, "{{trigger}}"]
scenarios:
  - name: decision
    trigger: We decided to use Argon2id.
    expect_tools: [mnemos_save, mnemos_convention]
"""


def test_probes_have_defaults() -> None:
    assert read_retrieval(RETRIEVAL, "f") == (
        Probe(
            "01KBC3W6H5M0V2T8N4Q9F7K3QX",
            ("how do we hash passwords", "argon2"),
            "Argon2id",
            3,
            "api",
        ),
        Probe("a.md", ("another",), "", 5, ""),
    )


def test_what_yaml_takes_for_a_number_a_date_or_a_truth_value_stays_text() -> None:
    words = ("yes", "12:30", "2026-12-01", "1_000", "0x1f", "on", "1.10")

    probes = read_retrieval(f"probes: [{{id: 0022, queries: [{', '.join(words)}]}}]", "f")

    assert probes == (Probe("0022", words),)


def test_behaviour_has_two_arms_and_three_runs_by_default() -> None:
    assert read_behavior(BEHAVIOR, "f") == Behavior(
        on=("agent", "-p", "{{trigger}}"),
        off=("agent", "--no-memory", "{{trigger}}"),
        scenarios=(
            Scenario(
                "hashes",
                "Which hash?",
                ("Argon2id", "argon2"),
                ("bcrypt",),
                5,
                "01KBC3W6H5M0V2T8N4Q9F7K3QX",
            ),
            Scenario("short", "x", (), ("y",), 3, ""),
        ),
    )


def test_capture_has_one_arm() -> None:
    scenario = Capturing(
        "decision", "We decided to use Argon2id.", ("mnemos_save", "mnemos_convention")
    )

    assert read_capture(CAPTURE, "f") == Capture(("agent", "{{trigger}}"), (scenario,))


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("", "f", "must be a mapping with probes"),
        ("[]", "f", "must be a mapping with probes"),
        ("probes: [", "f", "is not YAML in line"),
        ("probes: \x00", "f", "is not YAML"),
        ("probes: []\nprobes: []", "f", "is not YAML in line 2"),
        ("probes:\n- {id: a, id: b, queries: [q]}", "f", "is not YAML in line 2"),
        ("[" * 5_000, "f", "is not YAML"),
        ("probes: !!python/object:os.system {}", "f", "is not YAML in line 1"),
        ("probes: []", "f.probes", "must have 1 to 1000 items"),
        ("probes: {}", "f.probes", "must be a list"),
        ("probes:", "f.probes", "must have 1 to 1000 items"),
        ("probes: [x]", "f.probes[0]", "must be a mapping with id"),
        ("probes: [{queries: [a]}]", "f.probes[0].id", "is missing"),
        ("probes: [{id: [a], queries: [a]}]", "f.probes[0].id", "must be text"),
        ("probes: [{id: a}]", "f.probes[0].queries", "must have 1 to 50 items"),
        ("probes: [{id: a, queries: []}]", "f.probes[0].queries", "must have 1 to 50 items"),
        ("probes: [{id: a, queries: b}]", "f.probes[0].queries", "must be a list"),
        ("probes: [{id: a, queries: [' ']}]", "f.probes[0].queries[0]", "is empty"),
        ("probes: [{id: a, queries: [~]}]", "f.probes[0].queries[0]", "is missing"),
        ("probes: [{id: a, querys: [b]}]", "f.probes[0]", "unknown field 'querys'"),
        (
            "probes: [{id: a, queries: [b], expect_in_top: 0}]",
            "f.probes[0].expect_in_top",
            "must be a whole number from 1 to 100",
        ),
        (
            "probes: [{id: a, queries: [b], expect_in_top: true}]",
            "f.probes[0].expect_in_top",
            "must be a whole number from 1 to 100",
        ),
    ],
)
def test_a_bad_fixture_of_retrieval_is_told_with_its_place(
    text: str, where: str, problem: str
) -> None:
    with pytest.raises(InvalidQueryError) as caught:
        read_retrieval(text, "f")

    assert caught.value.part == where
    assert caught.value.problem.startswith(problem)


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("  on:", "  an:", "f.arms"),
        ("cmd: [agent, -p", "run: [agent, -p", "f.arms.on"),
        ('[agent, --no-memory, "{{trigger}}"]', "[]", "f.arms.off.cmd"),
        ('[agent, --no-memory, "{{trigger}}"]', "agent", "f.arms.off.cmd"),
        ("trigger: Which hash?", "trigger:", "f.scenarios[0].trigger"),
        ("runs: 5", "runs: 101", "f.scenarios[0].runs"),
        ("runs: 5", "runs: 5.0", "f.scenarios[0].runs"),
        ("runs: 5", "runs: -1", "f.scenarios[0].runs"),
        ("runs: 5", "runs: 99999999999999999999", "f.scenarios[0].runs"),
        ("{lacks_all: [y]}", "{}", "f.scenarios[1].pass_when"),
        ("{lacks_all: [y]}", "{lacks: [y]}", "f.scenarios[1].pass_when"),
        ("    pass_when: {lacks_all: [y]}\n", "", "f.scenarios[1].pass_when"),
    ],
)
def test_a_bad_fixture_of_behaviour_is_told_with_its_place(old: str, new: str, where: str) -> None:
    with pytest.raises(InvalidQueryError) as caught:
        read_behavior(changed(BEHAVIOR, old, new), "f")

    assert caught.value.part == where


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("arm:", "arms:", "f"),
        ("[mnemos_save, mnemos_convention]", "[]", "f.scenarios[0].expect_tools"),
        ("name: decision", "nom: decision", "f.scenarios[0]"),
    ],
)
def test_a_bad_fixture_of_capture_is_told_with_its_place(old: str, new: str, where: str) -> None:
    with pytest.raises(InvalidQueryError) as caught:
        read_capture(changed(CAPTURE, old, new), "f")

    assert caught.value.part == where
