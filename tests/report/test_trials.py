"""Behaviour and capture: how output is judged, counted and told."""

from collections.abc import Sequence

import pytest

from mnemos_files.operations.schema import to_json
from mnemos_files.report.fixture import Behavior, Capture, Capturing, Scenario
from mnemos_files.report.trials import (
    Output,
    behavior,
    behavior_lines,
    capture,
    capture_lines,
)


class Answers:
    """Answers one after the other, for runs with memory and without; keeps what was asked."""

    def __init__(self, on: Sequence[str], off: Sequence[str] = ()) -> None:
        self.left = {True: [*on], False: [*off]}
        self.asked: list[tuple[list[str], bool]] = []

    def __call__(self, argv: Sequence[str], has_memory: bool) -> Output:  # noqa: FBT001
        self.asked.append(([*argv], has_memory))
        text = self.left[has_memory].pop(0)
        return Output("", text) if text.startswith("did not") else Output(text)


def two_arms(*scenarios: Scenario) -> Behavior:
    return Behavior(("on", "-p={{trigger}}!"), ("off", "{{trigger}}"), scenarios)


HASH = Scenario("hash", "Which $(hash)?", ("Argon2id", "argon2"), ("bcrypt",), 3, "01K")
DOT = Scenario("dot", "Dots?", (), ("none",), 1)


def test_lift_is_the_difference_of_passed_runs() -> None:
    run = Answers(
        ["Argon2id", "argon2 it is", "Argon2id, no more bcrypt", "dots"],
        ["bcrypt", "argon2", "scrypt", "none"],
    )

    result = behavior(two_arms(HASH, DOT), run)

    assert [*behavior_lines(result)] == [
        "hash: with memory 2/3, without 1/3, lift +33 %",
        "dot: with memory 1/1, without 0/1, lift +100 %",
        "behavior: with memory 3/4, without 1/4, lift +50 %",
    ]
    assert to_json(result)["scenarios"][0] == {
        "name": "hash",
        "memory_id": "01K",
        "runs": 3,
        "on": 2,
        "off": 1,
        "lift": 0.3333,
    }


def test_the_trigger_stands_in_each_argument_as_it_is() -> None:
    run = Answers(["x"] * 3, ["x"] * 3)

    behavior(two_arms(HASH), run)

    assert run.asked[0] == (["on", "-p=Which $(hash)?!"], True)
    assert run.asked[3] == (["off", "Which $(hash)?"], False)


def test_a_run_without_an_answer_is_told_and_does_not_pass() -> None:
    run = Answers(["did not end within 1 s"], ["did not start\x1b[2J\nat all"])

    result = behavior(two_arms(DOT), run)

    assert [*behavior_lines(result)] == [
        "dot: with memory 0/1, without 0/1, lift +0 %",
        "behavior: with memory 0/1, without 0/1, lift +0 %",
        "error: dot, on, run 1: did not end within 1 s",
        "error: dot, off, run 1: did not start[2J at all",
    ]


def test_memory_may_also_do_harm() -> None:
    assert behavior(two_arms(DOT), Answers(["none"], ["dots"])).lift == -1.0


@pytest.mark.parametrize(
    ("transcript", "passed"),
    [
        ('{"type":"tool_use","name":"mnemos_save","input":{}}', 1),
        ('{"name": "mnemos_save"}', 1),
        ('"name"\n : "mnemos_correct"', 1),
        ("I would call mnemos_save", 0),
        ('{"name":"mnemos_save_all"}', 0),
        ('{"tools":["mnemos_save"]}', 0),
        ('{"name":"mnemosXsave"}', 0),
        ("", 0),
    ],
)
def test_a_call_is_seen_by_its_name_field(transcript: str, passed: int) -> None:
    scenario = Capturing("c", "t", ("mnemos_save", "mnemos_correct"), 1)

    assert capture(Capture(("x",), (scenario,)), Answers([transcript])).passed == passed


def test_rates_are_told_by_scenario_and_in_all() -> None:
    saved = '{"name":"mnemos_save"}'
    scenarios = (Capturing("one", "t", ("mnemos_save",), 3), Capturing("two", "t", ("x",), 1))

    result = capture(Capture(("x",), scenarios), Answers([saved, "", "did not end", saved]))

    assert [*capture_lines(result)] == [
        "one: 1/3, 33 %",
        "two: 0/1, 0 %",
        "capture: 1/4, 25 %",
        "error: one, on, run 3: did not end",
    ]
    assert to_json(result)["rate"] == 0.25
