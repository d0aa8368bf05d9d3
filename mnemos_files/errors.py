"""What can go wrong, as one tree.

::

    MnemosError
      InvalidRecordError    the caller sent a record that cannot be
      InvalidQueryError     the caller sent a question that cannot be
      NotFoundError         nothing has this id or path
        AmbiguousNameError  several notes have this name
      ConflictError         the world moved; read again
        ChangedOnDiskError  a file is not what the caller saw
      RefusedError          a rule said no
      CorruptError          a file cannot be read as a record
      UnavailableError      busy or missing; a later try may work

The message says what happened, `remedy` what to do next. Callers switch on the class or `code`,
never on the text. Paths in messages are relative to the vault.
"""

from collections.abc import Sequence


class MnemosError(Exception):
    """Base of every error that a caller is meant to see."""

    code = "error"

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class InvalidRecordError(MnemosError):
    """A field of a record has an impossible value."""

    code = "invalid_record"

    def __init__(self, field: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{field}: {problem}", remedy=remedy)
        self.field = field
        self.problem = problem


class InvalidQueryError(MnemosError):
    """An argument of a question has an impossible value."""

    code = "invalid_query"

    def __init__(self, part: str, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{part}: {problem}", remedy=remedy)
        self.part = part
        self.problem = problem


class NotFoundError(MnemosError):
    """No note has this id, path or name."""

    code = "not_found"

    def __init__(self, name: str, *, remedy: str = "", candidates: Sequence[str] = ()) -> None:
        super().__init__(f"no note is called {name!r}", remedy=remedy)
        self.name = name
        self.candidates = tuple(candidates)


class AmbiguousNameError(NotFoundError):
    """Several notes have this name; `candidates` holds their paths."""

    code = "ambiguous_name"

    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        super().__init__(name, remedy="Use one of these paths, or the id.", candidates=candidates)
        self.message = f"{name!r} fits several notes: {', '.join(candidates)}"
        self.args = (self.message,)


class ConflictError(MnemosError):
    """The world moved between reading and writing."""

    code = "conflict"


class ChangedOnDiskError(ConflictError):
    """A file holds something else than the caller saw; nothing was written."""

    code = "changed_on_disk"

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} was changed since it was read",
            remedy="Read it again and repeat the change on the text that is there now.",
        )
        self.path = path


class RefusedError(MnemosError):
    """A rule of the vault forbids this."""

    code = "refused"

    def __init__(self, rule: str, message: str, *, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.rule = rule


class CorruptError(MnemosError):
    """A file cannot be read as what it should be."""

    code = "corrupt"

    def __init__(self, path: str, line: int, problem: str, *, remedy: str = "") -> None:
        super().__init__(f"{path}:{line}: {problem}", remedy=remedy)
        self.path = path
        self.line = line
        self.problem = problem


class UnavailableError(MnemosError):
    """Something needed is busy or missing; a later try may work."""

    code = "unavailable"
