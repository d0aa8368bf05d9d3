"""Names of the files that a write makes on its way. Pure.

Hidden and ending in `.tmp`, so that no scan and no git sees them. The name tells a later sweep what
the file can hold, whatever moment a crash came at:

- `.<name>.mnemos-<random>.tmp`: new text, perhaps not whole. Nothing else, ever.
- `.<name>.mnemos-<random>-<new>-<old>.tmp`: whole new text before the swap with `<name>`, the old
  text after it. `<new>` and `<old>` begin the blob ids of both; a deletion has zeros for `<new>`.
"""

import re
from dataclasses import dataclass

_ID_LETTERS = 12
_NAME_BYTES_MAX = 200
"""With the 47 letters around it the name stays below 255 bytes, the limit of file systems."""

_PATTERN = re.compile(
    r"\.(?P<name>.+)\.mnemos-[0-9a-f]{8}(?:-(?P<new>[0-9a-f]{12})-(?P<old>[0-9a-f]{12}))?\.tmp",
    re.DOTALL,
)
_NOTHING = "0" * _ID_LETTERS


@dataclass(frozen=True, slots=True)
class Temporary:
    """What the name of a temporary file says; `new` and `old` are "" while it is being written."""

    name: str
    new: str
    old: str

    @property
    def is_deletion(self) -> bool:
        """True for a file that was moved away to be deleted."""
        return self.new == _NOTHING

    def is_new(self, blob: str) -> bool:
        """True when these bytes, by blob id, are the new text."""
        return blob.startswith(self.new)

    def is_old(self, blob: str) -> bool:
        """True when these bytes, by blob id, are the text that was to be replaced."""
        return blob.startswith(self.old)


def part_name(name: str, random: str) -> str:
    """Name for new text that is being written; `random` has 8 hexadecimal digits."""
    return f".{_short(name)}.mnemos-{random}.tmp"


def ready_name(name: str, random: str, new: str, old: str) -> str:
    """Name for a file that swaps places with `name`; ids are blob ids, `new` "" for a deletion."""
    ids = f"{new[:_ID_LETTERS] or _NOTHING}-{old[:_ID_LETTERS]}"
    return f".{_short(name)}.mnemos-{random}-{ids}.tmp"


def read_name(name: str) -> Temporary | None:
    """What a file name says when it is exactly one of ours, else None."""
    match = _PATTERN.fullmatch(name)
    return Temporary(match["name"], match["new"] or "", match["old"] or "") if match else None


def _short(name: str) -> str:
    data = name.encode("utf-8", "surrogateescape")
    if len(data) <= _NAME_BYTES_MAX:
        return name
    suffix = name[-3:]
    return data[: _NAME_BYTES_MAX - 3].decode("utf-8", "ignore") + suffix
