"""What a purge that was cut short still owes: a file in our folder in the git folder.

It is there from before the first branch moves until the last object is gone. Meanwhile nobody may
commit: files of the work tree may still hold the text, and a commit of them would bring it back.
"""

import os
from pathlib import Path

from mnemos_files.history.layout import OWN_FOLDER
from mnemos_files.history.refs import sync_folder

NOTICE = "a purge was cut short: run `mnemos-files purge --finish`"


def place(git_dir: Path) -> Path:
    """Where the debt of a repository lies, if it has one."""
    return git_dir / OWN_FOLDER / "purge.json"


def write(path: Path, text: str) -> None:
    """Write the debt down, on the disk for sure and readable for its owner alone."""
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    sync_folder(path.parent)


def forget(path: Path) -> None:
    """Nothing is owed any more."""
    path.unlink(missing_ok=True)
    sync_folder(path.parent)
