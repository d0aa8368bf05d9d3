"""Names that sync programs give to files. Pure."""

import re

_CONFLICTS = (
    # Syncthing: name.sync-conflict-<date>-<time>-<device>.md
    re.compile(r"(?P<stem>.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?(?P<ext>\.[^.]+)"),
    # Dropbox and Nextcloud: name (Somebody's conflicted copy 2026-05-03 181502).md
    re.compile(
        r"(?P<stem>.+) \((?:[^()]+ )?conflicted copy \d{4}-\d{2}-\d{2}(?: \d{4,6})?(?: \d+)?\)"
        r"(?P<ext>\.[^.]+)"
    ),
    # ownCloud: name_conflict-<date>-<time>.md
    re.compile(r"(?P<stem>.+)_conflict-\d{8}-\d{6}(?P<ext>\.[^.]+)"),
)


def conflict_copy_of(name: str) -> str | None:
    """File name of the original when this is a copy that a sync program set aside, else None.

    Names of Syncthing, Dropbox, Nextcloud and ownCloud, as their documentation gives them.
    """
    if "conflict" not in name:
        return None
    for pattern in _CONFLICTS:
        match = pattern.fullmatch(name)
        if match is not None:
            return match["stem"] + match["ext"]
    return None


def placeholder_of(name: str) -> str | None:
    """File name that an iCloud placeholder `.name.icloud` stands for, else None."""
    is_one = name.startswith(".") and name.endswith(".icloud") and len(name) > len("..icloud")
    return name[1 : -len(".icloud")] if is_one else None
