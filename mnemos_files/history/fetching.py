"""Keeping out of the way of a `git pull`.

`git merge` (2.39) that finds the index locked at its start gives up, yet leaves MERGE_HEAD behind
as if there were conflicts to solve; the commit that a person or a plugin then makes ends the merge
without the other side's changes. A pull fetches first, so a fetch that brought something new is
the sign that such a merge may be about to start.
"""

import re
import time
from pathlib import Path

import pygit2

from mnemos_files.history.layout import Layout
from mnemos_files.history.refs import head_commit

MERGE_SECONDS = 1.0
"""How long [s] after a fetch a merge may begin; git starts it within hundredths."""

_PAUSE_SECONDS = 0.01
_FOR_MERGE = re.compile(r"^([0-9a-f]{40,64})\t\t", re.MULTILINE)


def let_pull_pass(repo: pygit2.Repository, layout: Layout) -> None:
    """Wait, at most `MERGE_SECONDS`, while what was just fetched may be about to be merged."""
    told = layout.git_dir / "FETCH_HEAD"
    end = time.monotonic() + MERGE_SECONDS
    while _is_fresh(told) and time.monotonic() < end and _has_news(repo, told):
        time.sleep(_PAUSE_SECONDS)


def _is_fresh(told: Path) -> bool:
    try:
        return 0 <= time.time() - told.stat().st_mtime < MERGE_SECONDS
    except OSError:
        return False


def _has_news(repo: pygit2.Repository, told: Path) -> bool:
    """True while something fetched for a merge is not in the branch."""
    try:
        text = told.read_text("utf-8", "replace")
    except OSError:
        return False
    if not text:
        return True  # being written right now
    head = head_commit(repo)
    try:
        fetched = _FOR_MERGE.findall(text)
        return not all(one == head or repo.descendant_of(head, one) for one in fetched)
    except (pygit2.GitError, KeyError, ValueError):
        return True  # its objects are still on the way
