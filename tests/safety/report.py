"""Precision and recall of the scanner on the labelled texts.

    python -m tests.safety.report [--misses]

Found means risk medium or high. An alarm of a rule is right when the text is an attack of any
family; precision counts high alarms only, because only those mark a text.
"""

import argparse
from collections.abc import Iterator

from mnemos_files.safety.rules import RULES
from tests.safety.labelled import SETS, Judged, judged, share


def lines(*, misses: bool) -> Iterator[str]:
    """The report, a line at a time."""
    results = judged()
    attacks = [each for each in results if each.row.is_attack]
    others = [each for each in results if not each.row.is_attack]
    for part in (*SETS, "all"):
        yield f"{part}: {_summary(_of(attacks, part), _of(others, part))}"
    yield "\nattacks by family: rows, found, high"
    for family in dict.fromkeys(each.row.family for each in attacks):
        rows = [each for each in attacks if each.row.family == family]
        yield f"  {family}: {len(rows)}, {_shares(rows)}"
    yield "\nlook-alikes by family: rows, high"
    for family in dict.fromkeys(each.row.family for each in others):
        rows = [each for each in others if each.row.family == family]
        yield f"  {family}: {len(rows)}, {sum(each.is_high for each in rows)}"
    yield "\nrules: texts at high risk, of these attacks (precision), attacks at any risk"
    for rule in RULES:
        yield f"  {rule.name}: {_of_rule(results, rule.name)}"
    if misses:
        yield from _misses(attacks, others)


def _shares(rows: list[Judged]) -> str:
    return f"{share(rows, 'is_found'):.3f}, {share(rows, 'is_high'):.3f}"


def _of(results: list[Judged], part: str) -> list[Judged]:
    return [each for each in results if part in (each.row.part, "all")]


def _summary(attacks: list[Judged], others: list[Judged]) -> str:
    alarms = sum(each.is_high for each in others)
    hits = sum(each.is_high for each in attacks)
    return (
        f"{len(attacks)} attacks, found {share(attacks, 'is_found'):.3f}, "
        f"high {share(attacks, 'is_high'):.3f}; {len(others)} look-alikes, "
        f"high {alarms} ({share(others, 'is_high'):.3f}), medium or high "
        f"{share(others, 'is_found'):.3f}; precision of high {hits / (hits + alarms):.3f}"
    )


def _of_rule(results: list[Judged], rule: str) -> str:
    high = [each for each in results if rule in each.verdict.rules_at("high")]
    attacks = sum(each.row.is_attack for each in high)
    fired = sum(rule in each.verdict.rules and each.row.is_attack for each in results)
    precision = f"{attacks / len(high):.3f}" if high else "-"
    return f"{len(high)}, {attacks} ({precision}), {fired}"


def _misses(attacks: list[Judged], others: list[Judged]) -> Iterator[str]:
    yield "\nattacks that are not found"
    for each in attacks:
        if not each.is_found:
            yield f"  {each.row.family}: {ascii(each.row.text)[:120]}"
    yield "\nlook-alikes at high risk"
    for each in others:
        if each.is_high:
            yield f"  {each.row.family} {each.verdict.rules}: {ascii(each.row.text)[:120]}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.safety.report", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list what went wrong")
    for line in lines(misses=parser.parse_args().misses):
        print(line)  # noqa: T201 - this is a program


if __name__ == "__main__":
    main()
