"""A name for this machine, so that no two write the same journal."""

import os
import re
import secrets
import string
from contextlib import suppress
from pathlib import Path

FILE_NAME = "machine"
LENGTH = 8
_LETTERS = string.ascii_lowercase + string.digits
_NAME = re.compile(r"[a-z0-9]{8}")


def new_machine_name() -> str:
    """Eight random lower-case letters and digits; says nothing about machine or user."""
    return "".join(secrets.choice(_LETTERS) for _ in range(LENGTH))


def machine_name(cache_folder: Path, fresh: str) -> str:
    """The name that is kept in the cache folder; `fresh` is kept there when it has none.

    Two processes that start together get the same one. Where nothing can be kept it is `fresh`.
    """
    file = cache_folder / FILE_NAME
    known = _read(file)
    if known:
        return known
    draft = cache_folder / f"{FILE_NAME}-{os.getpid()}-{fresh}.tmp"
    try:
        cache_folder.mkdir(parents=True, exist_ok=True)
        draft.write_text(f"{fresh}\n", encoding="ascii")
        _keep(draft, file)
    except OSError:
        return fresh
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return _read(file) or fresh


def _keep(draft: Path, file: Path) -> None:
    """Put the draft in place, unless another process was quicker; a damaged file goes."""
    try:
        os.link(draft, file)
    except FileExistsError:
        if not _read(file):
            draft.replace(file)
    except OSError:  # a file system without hard links
        draft.replace(file)


def _read(file: Path) -> str:
    try:
        text = file.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return text if _NAME.fullmatch(text) else ""
