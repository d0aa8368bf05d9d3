"""The demo's vault, filled as if its agents had worked for eight weeks."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mnemos_files.cli.sample import SampleStep
from mnemos_files.cli.sample_work import Deed, SessionDone, SkillSaved
from mnemos_files.cli.template import template
from mnemos_files.store.create import create_vault
from mnemos_files.store.open import open_store

if TYPE_CHECKING:
    from mnemos_files.store.store import Store


def fill(root: Path, cache: Path, steps: Sequence[SampleStep | Deed]) -> None:
    """Make the vault and do each step at its time."""
    ordered = sorted(steps, key=lambda step: step.at)
    moments = [ordered[0].at - timedelta(days=1)]
    create_vault(root, template(), moments[0])
    store = open_store(root, cache_folder=cache, clock=lambda: moments[-1])
    try:
        for step in ordered:
            moments.append(step.at)
            _do(store, step)
    finally:
        store.close()


def _do(store: "Store", step: SampleStep | Deed) -> None:
    if isinstance(step, SampleStep):
        old = [closed.id for closed in step.changed]
        for record in step.created:
            store.put(replace(record, supersedes=()), supersedes=old)
    elif isinstance(step, SkillSaved):
        store.skills.save(step.record)
    elif isinstance(step, SessionDone):
        store.sessions.end(step.session, step.ending)
    else:
        store.journal.append([step])
