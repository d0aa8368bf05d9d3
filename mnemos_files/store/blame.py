"""Who wrote which line of a note, traced through its own versions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mnemos_files.history.past import Past
from mnemos_files.history.texts import count_lines, sources
from mnemos_files.store.lineage import Version

Lines = list[Version | None]
"""For each line the version that brought it, None where none is known."""


@dataclass(frozen=True, slots=True)
class Blame:
    """Traces lines; `read` gives the bytes of a blob."""

    past: Past
    read: Callable[[str], bytes]
    _texts: dict[str, bytes] = field(default_factory=dict)

    def of(self, versions: Sequence[Version], last: bytes) -> Lines:
        """The version that brought each line of `last`, the newest text of the note.

        `versions` come the newest first. A line counts as the same while git would say so; other
        line ends make no new lines. None is a line that no commit has.
        """
        known: list[tuple[Version, Lines]] = []
        for version in reversed(versions):
            known.append((version, self._lines(version, known) if version.id else []))
        if not known:
            return [None] * count_lines(last)
        version, lines = known[-1]
        return _inherited(self._text(version.id), lines, last) if version.id else _new(last)

    def _text(self, blob: str) -> bytes:
        if blob not in self._texts:
            self._texts[blob] = self.read(blob)
        return self._texts[blob]

    def _lines(self, version: Version, known: list[tuple[Version, Lines]]) -> Lines:
        data = self._text(version.id)
        lines: Lines = _new(data)
        for blob in self._before(version):
            old = self._known(blob, version, known)
            if old is not None:
                found = _inherited(self._text(blob), old, data)
                lines = [one or other for one, other in zip(lines, found, strict=True)]
        return [line or version for line in lines]

    def _before(self, version: Version) -> list[str]:
        """The texts from which a version was made: several for a merge."""
        others: list[str] = []
        if version.before and self.past.origin(version.commit).is_merge:
            others = self.past.sides(version.commit, str(version.path))
        return list(dict.fromkeys(blob for blob in (version.before, *others) if blob))

    def _known(
        self, blob: str, version: Version, known: list[tuple[Version, Lines]]
    ) -> Lines | None:
        """The lines of an earlier version with this text, from which the version comes."""
        earlier = [one for one in reversed(known) if one[0].id == blob]
        for one, lines in earlier:
            if len(earlier) == 1 or self.past.comes_from(version.commit, one.commit):
                return lines
        return None


def _inherited(old: bytes, lines: Lines, new: bytes) -> Lines:
    return [None if place is None else lines[place] for place in sources(old, new)]


def _new(data: bytes) -> Lines:
    return [None] * count_lines(data)
