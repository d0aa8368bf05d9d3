from pathlib import PurePosixPath

import pytest

from mnemos_files.vault.mounts import silent_mount

MOUNTS = r"""
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /mnt/share rw,relatime shared:9 - nfs4 server:/export rw
31 30 8:1 / /mnt/share/disk rw - ext4 /dev/sda1 rw
32 22 0:41 / /mnt/with\040space rw - cifs //server/share rw
33 22 0:42 / /mnt/c rw - 9p drvfs rw
34 22 0:43 / /home/ines/remote rw - fuse.sshfs ines@host: rw
35 22 8:2 / /media/stick rw - fuseblk /dev/sdb1 rw
36 22 0:44 / /covered rw - nfs server:/a rw
37 36 8:3 / /covered rw - ext4 /dev/sdc1 rw
broken line
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/ines/notes", ""),
        ("/mnt/share", "nfs4"),
        ("/mnt/share/notes", "nfs4"),
        ("/mnt/shared", ""),
        ("/home/ines", "fuse.sshfs"),
        ("/mnt/share/disk/notes", ""),
        ("/mnt/with space/notes", "cifs"),
        ("/mnt/c/Users/ines", "9p"),
        ("/home/ines/remote/x", "fuse.sshfs"),
        ("/media/stick/notes", ""),
        ("/covered/notes", ""),
    ],
)
def test_only_a_folder_that_others_change_unseen_cannot_be_watched(folder: str, kind: str) -> None:
    assert silent_mount(PurePosixPath(folder), MOUNTS) == kind


def test_without_a_table_of_mounts_every_folder_may_be_watched() -> None:
    assert silent_mount(PurePosixPath("/a"), "") == ""
