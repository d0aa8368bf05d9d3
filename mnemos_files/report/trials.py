"""Does an agent act on a memory, and does it save one? Commands are run and their output judged.

Pure: who runs a command is an argument.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from mnemos_files.report.fixture import Behavior, Capture, Scenario
from mnemos_files.report.markdown import inline

TRIGGER = "{{trigger}}"
DIGITS = 4
NAME_BYTES = 100


@dataclass(frozen=True, slots=True)
class Output:
    """What a command printed, both streams together, and why it is no answer ("" when it is)."""

    text: str
    problem: str = ""


Run = Callable[[Sequence[str], bool], Output]
"""Runs a command with memory (true) or without; never raises for what the command does."""


@dataclass(frozen=True)
class Fault:
    """A run that gave no answer; it counts as not passed."""

    scenario: str
    arm: str
    run: int
    problem: str


@dataclass(frozen=True)
class Lift:
    """Passed runs with memory and without; `lift` is their difference by `runs` [-1, 1]."""

    name: str
    memory_id: str
    runs: int
    on: int
    off: int
    lift: float


@dataclass(frozen=True)
class BehaviorResult:
    """All scenarios, and all of them together."""

    scenarios: list[Lift]
    runs: int
    on: int
    off: int
    lift: float
    errors: list[Fault] = field(default_factory=list)


@dataclass(frozen=True)
class Rate:
    """Runs after which an expected tool had been called; `rate` is their share [0, 1]."""

    name: str
    runs: int
    passed: int
    rate: float


@dataclass(frozen=True)
class CaptureResult:
    """All scenarios, and all of them together."""

    scenarios: list[Rate]
    runs: int
    passed: int
    rate: float
    errors: list[Fault] = field(default_factory=list)


def behavior(fixture: Behavior, run: Run) -> BehaviorResult:
    """Every scenario answered with memory and without, as often as it says."""
    faults: list[Fault] = []
    rows = []
    for scenario in fixture.scenarios:
        name = inline(scenario.name, "import", NAME_BYTES)
        passed = {}
        for arm, command, has_memory in (("on", fixture.on, True), ("off", fixture.off, False)):
            argv = _filled(command, scenario.trigger)
            outputs = [run(argv, has_memory) for _ in range(scenario.runs)]
            faults += _faults(name, arm, outputs)
            passed[arm] = sum(not one.problem and _passes(scenario, one.text) for one in outputs)
        lift = _share(passed["on"] - passed["off"], scenario.runs)
        memory = inline(scenario.memory_id, "import", NAME_BYTES)
        rows.append(Lift(name, memory, scenario.runs, passed["on"], passed["off"], lift))
    runs, on, off = (sum(getattr(row, key) for row in rows) for key in ("runs", "on", "off"))
    return BehaviorResult(rows, runs, on, off, _share(on - off, runs), faults)


def capture(fixture: Capture, run: Run) -> CaptureResult:
    """Every scenario answered as often as it says; passed when an expected tool was called."""
    faults: list[Fault] = []
    rows = []
    for scenario in fixture.scenarios:
        name = inline(scenario.name, "import", NAME_BYTES)
        argv = _filled(fixture.command, scenario.trigger)
        outputs = [run(argv, True) for _ in range(scenario.runs)]  # noqa: FBT003 - of `Run`
        faults += _faults(name, "on", outputs)
        called = _call_of(scenario.expect_tools)
        passed = sum(not one.problem and bool(called.search(one.text)) for one in outputs)
        rows.append(Rate(name, scenario.runs, passed, _share(passed, scenario.runs)))
    runs, passed = sum(row.runs for row in rows), sum(row.passed for row in rows)
    return CaptureResult(rows, runs, passed, _share(passed, runs), faults)


def behavior_lines(result: BehaviorResult) -> Iterator[str]:
    """The result for people."""
    total = Lift("behavior", "", result.runs, result.on, result.off, result.lift)
    for row in (*result.scenarios, total):
        told = f"with memory {row.on}/{row.runs}, without {row.off}/{row.runs}"
        yield f"{row.name}: {told}, lift {100 * row.lift:+.0f} %"
    yield from map(_fault_line, result.errors)


def capture_lines(result: CaptureResult) -> Iterator[str]:
    """The result for people."""
    for row in (*result.scenarios, Rate("capture", result.runs, result.passed, result.rate)):
        yield f"{row.name}: {row.passed}/{row.runs}, {100 * row.rate:.0f} %"
    yield from map(_fault_line, result.errors)


def _filled(command: Sequence[str], trigger: str) -> list[str]:
    """The command with the trigger in each argument that names it; no shell takes part."""
    return [token.replace(TRIGGER, trigger) for token in command]


def _passes(scenario: Scenario, text: str) -> bool:
    has_one = not scenario.contains_any or any(each in text for each in scenario.contains_any)
    return has_one and not any(each in text for each in scenario.lacks_all)


def _call_of(tools: Sequence[str]) -> re.Pattern[str]:
    """Finds the JSON field that names a tool of these, as transcripts of clients have it."""
    names = "|".join(map(re.escape, tools))
    return re.compile(rf'"name"\s{{0,9}}:\s{{0,9}}"(?:{names})"')


def _faults(name: str, arm: str, outputs: Sequence[Output]) -> Iterator[Fault]:
    for number, one in enumerate(outputs, 1):
        if one.problem:
            yield Fault(name, arm, number, inline(one.problem, "tool"))


def _fault_line(fault: Fault) -> str:
    return f"error: {fault.scenario}, {fault.arm}, run {fault.run}: {fault.problem}"


def _share(part: int, whole: int) -> float:
    return round(part / whole, DIGITS) if whole else 0.0
