"""What a merge of one file gives."""

from dataclasses import dataclass

TEXT = "text"
FILE = "file"
"""Names of what contradicts itself, beside keys: a place in the text, the file as a whole."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The bytes of the merged file, None = no such file.

    `conflicts` names what both sides changed in ways that contradict each other: a key, `TEXT` or
    `FILE`. Where `is_settled`, the file holds both versions in a form that every reader takes;
    else git's own way of leaving a conflict to the person is the right one.
    """

    data: bytes | None
    conflicts: tuple[str, ...] = ()
    is_settled: bool = True

    @property
    def is_clean(self) -> bool:
        """True when nothing contradicted itself."""
        return not self.conflicts
