"""File systems on which other machines' changes raise no event. Pure."""

import re
from pathlib import PurePosixPath

_SILENT = re.compile(
    r"nfs4?|cifs|smb3?|smbfs|9p|afs|ceph|glusterfs|lustre|vboxsf|virtiofs|vmhgfs|drvfs|fakeowner"
    r"|fuse(?:\..*)?"
)
"""Network shares, folders shared with a virtual machine or container, file systems in programs."""

_ESCAPE = re.compile(r"\\([0-7]{3})")
_FIELDS_MIN = 5


def silent_mount(folder: PurePosixPath, mountinfo: str) -> str:
    """Type of the file system at or below an absolute path that cannot be watched, else "".

    `mountinfo` is the text of `/proc/self/mountinfo` (format: proc_pid_mountinfo(5)).
    """
    best, kind, below = -1, "", ""
    for line in mountinfo.splitlines():
        before, separator, after = line.partition(" - ")
        fields = before.split(" ")
        if not separator or len(fields) < _FIELDS_MIN:
            continue
        point = PurePosixPath(_ESCAPE.sub(lambda m: chr(int(m[1], 8)), fields[4]))
        here = after.split(" ")[0]
        # Of two mounts at one place the later covers the earlier.
        if folder.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), here
        elif point.is_relative_to(folder) and _SILENT.fullmatch(here):
            below = here
    return kind if _SILENT.fullmatch(kind) else below
