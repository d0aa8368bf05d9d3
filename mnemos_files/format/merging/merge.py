"""The one door: any file of a vault, merged as its kind asks. Pure."""

from collections.abc import Callable
from pathlib import PurePosixPath

from mnemos_files.config import CONFIG_PATH
from mnemos_files.format.merging.lines import merge_journal, merge_lines, merge_settings
from mnemos_files.format.merging.note import keep_changed, merge_note
from mnemos_files.format.merging.values import FILE, Merged

_JOURNALS = PurePosixPath(".mnemos/journal")


def merge(
    base: bytes | None, ours: bytes | None, theirs: bytes | None, path: PurePosixPath
) -> Merged:
    """One file of two that came from `base`; None = no such file. `path` is that in the vault.

    What only one side changed counts. What both changed is merged by the rule of its key or, in
    texts, by blocks and lines. Whichever side is called ours, the result is the same, but for
    the markers in a person's own files.
    """
    if theirs in (ours, base):
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    if ours is None or theirs is None:
        left = theirs if ours is None else ours
        return _left_over(path, left or b"")
    return _of(path)(base, ours, theirs)


def _of(path: PurePosixPath) -> Callable[[bytes | None, bytes, bytes], Merged]:
    if path.is_relative_to(_JOURNALS) and path.suffix == ".jsonl":
        return merge_journal
    if str(path) == CONFIG_PATH:
        return merge_settings
    if path.suffix.lower() == ".md":
        return lambda base, ours, theirs: merge_note(path, base, ours, theirs)
    return merge_lines


def _left_over(path: PurePosixPath, data: bytes) -> Merged:
    """What one side deleted and the other changed."""
    return keep_changed(path, data) if path.suffix.lower() == ".md" else Merged(data, (FILE,))
