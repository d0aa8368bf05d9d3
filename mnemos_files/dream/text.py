"""A dream as lines for people."""

from collections.abc import Iterator

from mnemos_files.dream.fading import Fading
from mnemos_files.dream.proposal import Outcome
from mnemos_files.dream.run import Report


def lines(report: Report) -> list[str]:
    """What each pass did and why not, and in a rehearsal the changes of the files."""
    found = [line for one in report.outcomes for line in _outcome(one, report)]
    found += _fading(report.fading)
    if not report.changed:
        found.append("nothing to do")
    return found


def _fading(fading: Fading) -> Iterator[str]:
    if fading.count:
        left = ", ".join(f"{count} for {each}" for each, count in sorted(fading.left.items()))
        yield f"decay: {fading.count} memories count for less than stated: {left}"
    for spent in fading.spent:
        yield f"  ? never seen, counts for nothing, could expire: {spent.title} ({spent.path})"
    if fading.more:
        yield f"  ? and {fading.more} more"


def _outcome(one: Outcome, report: Report) -> Iterator[str]:
    done = "would do" if report.rehearsed else "done"
    at = f" ({one.commit[:10]})" if one.commit and not report.rehearsed else ""
    if one.error:
        yield f"{one.step}: failed: {one.error}"
    elif one.done:
        yield f"{one.step}: {len(one.done)} {done}{at}"
    else:
        yield f"{one.step}: nothing"
    yield from (f"  + {line}" for line in one.done)
    yield from (f"  - not yet: {line}" for line in one.held)
    yield from (f"  - undone by a person, left so: {line}" for line in one.undone)
    yield from (f"  ! {line}" for line in one.faults)
    yield from (f"  note: {line}" for line in one.notices)
    if one.diff:
        yield ""
        yield one.diff
