"""Something that a person should look at in a file of the vault."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault with its place, cause and remedy; `line` counts from 1, 0 = the whole file."""

    path: str
    line: int
    rule: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return (
            f"{self.path}:{self.line}: {self.message}"
            if self.line
            else f"{self.path}: {self.message}"
        )
