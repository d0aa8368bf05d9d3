"""What an edit of one note changes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEdit:
    """Empty fields change nothing.

    With a `section`, `content` and `append` are about what stands below that heading; `create` adds
    it when it is missing. `assign` are front matter keys with their values, `unset` keys to take
    out.
    """

    title: str = ""
    content: str = ""
    append: str = ""
    section: str = ""
    create: bool = False
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    assign: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    unset: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """What it is about, in words for a message."""
        text = (("content", self.content), ("append", self.append))
        where = f" of {self.section}" if self.section else ""
        found = [f"{name}{where}" for name, value in text if value]
        found += ["title"] if self.title else []
        found += ["tags"] if self.add_tags or self.remove_tags else []
        return (*found, *(name for name, _ in self.assign), *self.unset)
