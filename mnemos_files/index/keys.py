"""Finding notes by what they are called."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from mnemos_files.format.targets import ID_TAIL, file_stem, fold
from mnemos_files.index.part import Part

Place = tuple[Part, int]
KeyOf = Callable[[Part, int], Iterable[str]]


class Keys:
    """Names -> paths: made at the first question, kept from then on. Its owner holds a lock."""

    def __init__(self, key_of: KeyOf) -> None:
        self._key_of = key_of
        self._paths: dict[str, tuple[str, ...]] | None = None

    def get(self, key: str, places: Mapping[str, Place]) -> tuple[str, ...]:
        """Paths with this key in the order of their letters."""
        if self._paths is None:
            self._paths = {}
            for path, place in places.items():
                self.add(path, place)
        return tuple(sorted(self._paths.get(key, ())))

    def add(self, path: str, place: Place) -> None:
        """A note came."""
        if self._paths is not None:
            for key in self._key_of(*place):
                self._paths[key] = (*self._paths.get(key, ()), path)

    def discard(self, path: str, place: Place) -> None:
        """A note went."""
        if self._paths is not None:
            for key in self._key_of(*place):
                left = tuple(other for other in self._paths.get(key, ()) if other != path)
                if left:
                    self._paths[key] = left
                else:
                    self._paths.pop(key, None)


def _tail_of(part: Part, number: int) -> str:
    return part.ids[number][-ID_TAIL:].lower()


def digest_of(part: Part, number: int) -> str:
    """The digest of a note's content [hex]."""
    digest: str = part.rows[number]["digest"].tobytes().hex()
    return digest


KEYS: Mapping[str, KeyOf] = MappingProxyType(
    {
        "id": lambda part, number: (part.ids[number],),
        "stem": lambda part, number: (fold(file_stem(part.paths[number])),),
        "alias": lambda part, number: part.aliases.of(number),
        "tail": lambda part, number: (_tail_of(part, number),),
        "digest": lambda part, number: (digest_of(part, number),),
    }
)
"""Every way to look a note up."""


def donors(parts: Iterable[Part]) -> dict[bytes, Place]:
    """Git's name of a file's bytes -> a place where they were analysed, alive or not."""
    found: dict[bytes, Place] = {}
    for part in parts:
        blobs = part.rows["blob"][: len(part.paths)].tobytes()
        for number in range(len(part.paths)):
            found[blobs[20 * number : 20 * number + 20]] = (part, number)
    return found
