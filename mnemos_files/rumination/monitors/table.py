"""Every monitor by name: a new one is a file beside this and a row here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mnemos_files.rumination.facts import Facts, Finding
from mnemos_files.rumination.monitors.contradiction import contradicted
from mnemos_files.rumination.monitors.effectiveness import failing_skills
from mnemos_files.rumination.monitors.repeated_correction import repeated_corrections
from mnemos_files.rumination.monitors.stale_raw import stale_raw
from mnemos_files.rumination.monitors.stale_skill import stale_skills
from mnemos_files.rumination.monitors.values import PENDING_MAX as VALUES_PENDING_MAX
from mnemos_files.rumination.monitors.values import other_values

PENDING_MAX = 50
"""Most candidates of one monitor that wait at a time, so that an import floods no queue."""


@dataclass(frozen=True, slots=True)
class Monitor:
    """Finds targets to doubt, the ones to judge first at the front.

    `find` reads nothing but the facts. At most `pending_max` candidates of it wait at a time.
    `finds_all` is true when a target that it does not give any more needs no judgement; false
    for one that gives only some at each call.
    """

    name: str
    find: Callable[[Facts], Iterable[Finding]]
    pending_max: int = PENDING_MAX
    finds_all: bool = True


MONITORS = (
    Monitor("skill-effectiveness-floor", failing_skills),
    Monitor("skill-stale", stale_skills),
    Monitor("correction-repeat-under-skill", repeated_corrections),
    Monitor("contradiction-detected", contradicted),
    Monitor("stale-raw", stale_raw),
    Monitor("other-value", other_values, VALUES_PENDING_MAX),
)
