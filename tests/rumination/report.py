"""Precision and recall of `other-value` and of the links of near pairs on the labelled pairs.

python -m tests.rumination.report [--misses]
"""

import argparse
from collections.abc import Iterator

from tests.rumination.labelled import PARTS, Judged, judged, links, precision, recall


def lines(*, misses: bool) -> Iterator[str]:
    """The report, a line at a time."""
    results = judged()
    for part in (*PARTS, "all"):
        some = [each for each in results if part in (each.row.part, "all")]
        yield f"{part}: {_summary(some)}"
    yield "\ncontradicting pairs by family: pairs, shown"
    yield from _families(results, is_contradicting=True)
    yield "\nother pairs by family: pairs, shown"
    yield from _families(results, is_contradicting=False)
    refined = [each for each in results if each.row.link == "refines"]
    made = [each for each in results if each.link == "refines"]
    both = sum(each.link == "refines" for each in refined)
    yield f"\nrefines: {len(refined)} pairs, {both} found, {len(made)} made"
    if misses:
        for each in results:
            row, near = each.row, "" if each.is_near else ", not near"
            if each.is_found != row.is_contradicting or bool(each.link) != bool(row.link):
                yield f"  {row.family}{near}: {row.older.content} / {row.newer.content}"


def _summary(some: list[Judged]) -> str:
    wanted = sum(each.row.is_contradicting for each in some)
    right, found = links(some)
    return (
        f"{wanted} contradicting and {len(some) - wanted} other pairs; shown with precision "
        f"{precision(some):.3f}, recall {recall(some):.3f}; linked with precision {right:.3f}, "
        f"recall {found:.3f}"
    )


def _families(results: list[Judged], *, is_contradicting: bool) -> Iterator[str]:
    chosen = [each for each in results if each.row.is_contradicting == is_contradicting]
    for family in dict.fromkeys(each.row.family for each in chosen):
        some = [each for each in chosen if each.row.family == family]
        yield f"  {family}: {len(some)}, {sum(each.is_found for each in some)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.rumination.report", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list what went wrong")
    for line in lines(misses=parser.parse_args().misses):
        print(line)  # noqa: T201 - this is a program


if __name__ == "__main__":
    main()
