"""What a walk can find that a person should look at, in words."""

import os
from pathlib import Path

from mnemos_files.model.problem import Problem


def conflict_copy(path: str, original: str) -> Problem:
    """A copy that a sync program set aside; it is no note."""
    return _problem(
        path,
        "conflict-copy",
        f"is a copy of {original} that a sync program set aside; it is not searched",
        f"Take over into {original} what it lacks, then delete the copy.",
    )


def not_downloaded(path: str, name: str) -> Problem:
    """A placeholder of iCloud for a note that is not on this machine."""
    return _problem(
        path,
        "not-downloaded",
        f"stands for {name}, which is not on this machine",
        "Download it: in Finder, choose 'Keep Downloaded' for the vault's folder.",
    )


def name_twin(path: str, other: str) -> Problem:
    """Two names that some system takes for one."""
    return _problem(
        path,
        "name-twin",
        f"and {other!r} beside it are one name on some systems; one would hide the other there",
        "Rename one of them.",
    )


def unusable_name(path: str) -> Problem:
    """A name that cannot be passed on as text."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return _problem(
        shown,
        "unusable-name",
        "has a control character, a backslash or bytes that are not UTF-8 in its name",
        "Rename it.",
    )


def not_a_file(path: str) -> Problem:
    """A pipe, socket or device named like a note."""
    return _problem(path, "not-a-file", "is named like a note but is no regular file", "Remove it.")


def unreadable_folder(path: str, error: OSError) -> Problem:
    """A folder whose content cannot be listed."""
    return _problem(
        path,
        "unreadable-folder",
        f"cannot be listed ({error.strerror}); notes in it are not found",
        "Give yourself access to it, or ignore it in the settings.",
    )


def too_deep(path: str) -> Problem:
    """Folders nested beyond reason."""
    return _problem(path, "too-deep", "lies too deep; notes in it are not found", "Move it up.")


def too_many(limit: int) -> Problem:
    """More notes than any vault has."""
    return _problem(
        "",
        "too-many-notes",
        f"more than {limit:,} notes; the rest are not looked at",
        "Is this the right folder? Else ignore folders in .mnemos/config.toml.",
    )


def leftover(path: str, name: str) -> Problem:
    """A text that an interrupted write moved aside and nothing else holds."""
    return _problem(
        path,
        "leftover",
        f"holds a text of {name} that an interrupted write moved aside",
        f"Compare it with {name}, take over what is missing, then delete it.",
    )


def bad_link(root: Path, path: str) -> Problem | None:
    """A link that leads nowhere or out of the vault; None for one that stays inside."""
    target = os.path.realpath(root / path)
    if not os.path.exists(target):  # noqa: PTH110 - realpath gave a str, a loop must not raise
        return _problem(path, "dangling-link", "is a link that leads nowhere", "Remove it.")
    if Path(target).is_relative_to(root):
        return None
    return _problem(
        path,
        "link-outside",
        "is a link that leads out of the vault; it is not followed",
        "Move the files into the vault, or open their folder as a vault of its own.",
    )


def _problem(path: str, rule: str, message: str, remedy: str) -> Problem:
    return Problem(path, 0, rule, message, remedy)
