"""What a person has rejected, and why: so that it is not proposed again."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.format.record import parse
from mnemos_files.model.digest import content_digest
from mnemos_files.model.record import Record
from mnemos_files.vault.files import Vault

FOLDER = PurePosixPath(".mnemos/rejected")
_NAME_LENGTH = 16
_BYTES_MAX = 65_536


@dataclass(frozen=True, slots=True)
class Rejection:
    """A change that a person does not want: its fingerprint, and who says so and why.

    One file each, named by the fingerprint, so that two machines never write different ones.
    """

    digest: str
    reason: str
    by: str
    at: datetime
    id: str = ""
    title: str = ""
    agent: str = ""

    @property
    def path(self) -> PurePosixPath:
        """Its file in the vault."""
        return _path(self.digest)

    def rendered(self) -> bytes:
        """The bytes of its file."""
        value = asdict(self) | {"at": f"{self.at:%Y-%m-%dT%H:%M:%SZ}"}
        return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


@dataclass(frozen=True, slots=True)
class Rejections:
    """Looks for what was rejected, in the first of these folders that knows."""

    vaults: Sequence[Vault]

    def reason(self, path: PurePosixPath, data: bytes | None, old: bytes | None) -> str:
        """Why this change of a note must not be made, "" when nobody has said so."""
        digest = fingerprint(path, data, old)
        return next(filter(None, (_reason(vault, digest) for vault in self.vaults)), "")


def fingerprint(path: PurePosixPath, data: bytes | None, old: bytes | None) -> str:
    """What a change says, so that the same one is known again; None = no such file.

    New words are known by their digest (`model.digest`), whatever their tags or their author; a
    deletion or an end by the record; any other change by its bytes. The end of what something new
    replaces has none (""): that is known by the new words.
    """
    was = None if old is None else parse(path, old).record
    if data is None:
        return "" if was is None else _digest("deleted", _name(was, path))
    now = parse(path, data).record
    words = content_digest(now)
    if was is None or words != content_digest(was):
        return words
    if now.invalidated is not None and was.invalidated is None:
        return "" if now.invalidated_by else _digest("ended", _name(now, path))
    return _digest("changed", _name(now, path), data.decode("utf-8", "replace"))


def _name(record: Record, path: PurePosixPath) -> str:
    return record.id or str(path)


def _digest(*texts: str) -> str:
    joined = "".join(f"{text}\0" for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "surrogateescape")).hexdigest()


def _reason(vault: Vault, digest: str) -> str:
    if not digest:
        return ""
    try:
        with vault.own.reading(_path(digest)) as descriptor:
            value = json.loads(os.read(descriptor, _BYTES_MAX))
    except (MnemosError, OSError, ValueError):
        return ""
    if not isinstance(value, dict) or value.get("digest") != digest:
        return ""
    return str(value.get("reason") or "no reason was given")


def _path(digest: str) -> PurePosixPath:
    return FOLDER / f"{digest[:_NAME_LENGTH]}.json"
