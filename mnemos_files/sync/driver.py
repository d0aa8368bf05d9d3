"""The merge driver: what git runs for each note that both sides of a merge changed.

git gives three files, `%O %A %B`, and the path `%P`; the result goes into the second one. A process
starts for every file, so nothing is imported here that a merge does not need.
"""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TextIO

from mnemos_files.config import CONFIG_PATH
from mnemos_files.format.merging import Merged, merge
from mnemos_files.format.merging.values import FILE, TEXT

LEFT_TO_THE_PERSON = 70
"""Exit code of a conflict that stands between git's markers in the file."""

_COUNT = 4


def command(program: Sequence[str]) -> str:
    """The line for git's settings: this driver, or git's own merge where it cannot be started.

    A program that is gone must not make git take our side for the merged one.
    """
    driver = shlex.join(program).replace("%", "%%")
    fallback = "git merge-file -L ours -L base -L theirs %A %O %B"
    return (
        f"{driver} %O %A %B %P; s=$?;"
        f" if [ $s -ne 0 ] && [ $s -ne {LEFT_TO_THE_PERSON} ]; then {fallback}; s=$?; fi; exit $s"
    )


def run(arguments: Sequence[str], folder: Path, errors: TextIO) -> int:
    """Merge the three files into the second; the exit code for git.

    `folder` is the top of the work tree. 0: merged; both versions may stand in a note then, and
    `errors` is told so.
    """
    if len(arguments) != _COUNT:
        errors.write("mnemos-files merge-driver takes %O %A %B %P\n")
        return 2
    base, ours, theirs = (Path(name).read_bytes() for name in arguments[:3])
    path = _in_vault(PurePosixPath(arguments[3]), folder)
    # git gives an empty file where the two have no common one.
    merged = merge(base or None, ours, theirs, path)
    Path(arguments[1]).write_bytes(merged.data or b"")
    if merged.conflicts:
        errors.write(_told(arguments[3], merged))
    return 0 if merged.is_settled else LEFT_TO_THE_PERSON


def _told(path: str, merged: Merged) -> str:
    names = ", ".join(dict.fromkeys(merged.conflicts))
    if merged.is_settled:
        return f"{path}: both versions kept of {names}; choose with `mnemos-files resolve`\n"
    if FILE in merged.conflicts:
        return f"{path}: cannot be merged; yours stays until you choose\n"
    told = ["both texts stand between markers"] if TEXT in merged.conflicts else []
    keys = ", ".join(key for key in dict.fromkeys(merged.conflicts) if key != TEXT)
    told += [f"the other value stands in an x_conflict_ key: {keys}"] if keys else []
    return f"{path}: {'; '.join(told)}\n"


def _in_vault(path: PurePosixPath, folder: Path) -> PurePosixPath:
    """The path as seen from the vault that the file lies in."""
    for parent in path.parents:
        if (folder / parent / CONFIG_PATH).is_file():
            return path.relative_to(parent)
    return path


def main() -> None:
    """Run the driver as a program of its own."""
    sys.exit(run(sys.argv[1:], Path.cwd(), sys.stderr))


if __name__ == "__main__":
    main()
