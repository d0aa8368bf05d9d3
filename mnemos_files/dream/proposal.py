"""What a pass would like to do, and what became of it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from mnemos_files.store.edits import Edit
from mnemos_files.store.store import Store


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing to do. `key` names it and what it is done for; `line` says it for a person.

    `edits` come all or none of them.
    """

    key: str
    line: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a pass would do now.

    `subject` is that of the commit. `held` says what it does not do yet and why, `undone` what it
    does not do again since a person has undone it. `faults` say what could not be looked at.
    """

    subject: str = ""
    deeds: tuple[Deed, ...] = ()
    held: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pass: what it did, and in which commit ("" = none).

    `error` says why it could do nothing; `diff` is its commit as git shows it, where asked for.
    """

    step: str
    done: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    commit: str = ""
    error: str = ""
    diff: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What a pass works with: the vault, the time, and the passes of this dream before it.

    `deeds` are those of all dreams so far, by key with their last time.
    """

    store: Store
    now: datetime
    deeds: Mapping[str, datetime] = field(default_factory=dict)
    before: tuple[Outcome, ...] = ()

    def new(self, deeds: Iterable[Deed]) -> tuple[tuple[Deed, ...], tuple[str, ...]]:
        """The deeds that were not done before, and a line for each that a person has undone.

        A deed is proposed only while the files do not show it; one that was done and is proposed
        again was therefore undone.
        """
        given = tuple(deeds)
        fresh = tuple(deed for deed in given if deed.key not in self.deeds)
        return fresh, tuple(deed.line for deed in given if deed.key in self.deeds)


@dataclass(frozen=True, slots=True)
class Pass:
    """A row of the table of passes; `op` names it in the trailers of its commit."""

    step: str
    op: str
    propose: Callable[[Scene], Proposal]
