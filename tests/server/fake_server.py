"""A server over a small table of operations, to be run as a process of its own.

Arguments: names of things that shall go wrong (see `main`).
"""

import logging
import sys
import threading
import warnings
from dataclasses import dataclass
from typing import Annotated

from mnemos_files.server.descriptors import claim

WIRE = claim()  # before the SDK is imported, as `mnemos-files serve` does

from mnemos_files.errors import NotFoundError, UnavailableError  # noqa: E402 - see above
from mnemos_files.operations.operation import Operation  # noqa: E402 - see above
from mnemos_files.operations.values import Param  # noqa: E402 - see above
from mnemos_files.server.mcp import serve  # noqa: E402 - see above


class FakeStore:
    """Remembers texts; `close` says so on standard error."""

    def acting_for(self, agent: str) -> "FakeStore":
        """The same: nothing here names an agent."""
        return self

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.lock = threading.Lock()
        self.met = threading.Barrier(2)

    def close(self) -> None:
        sys.stderr.write("store closed\n")


@dataclass(frozen=True)
class Saved:
    """A text is kept."""

    id: str


@dataclass(frozen=True)
class Text:
    """A kept text."""

    text: str


def save(
    store: FakeStore,
    *,
    text: Annotated[str, Param("what to keep")],
    tags: Annotated[tuple[str, ...], Param("labels")] = (),
    importance: Annotated[int, Param("how much it matters", low=1, high=10)] = 5,
) -> Saved:
    with store.lock:
        identity = f"note-{len(store.texts)}"
        store.texts[identity] = text
    return Saved(identity)


def get(store: FakeStore, *, id: Annotated[str, Param("id of a text")]) -> Text:  # noqa: A002 - a tool's name
    print("a library prints:", "noise")  # noqa: T201 - must not reach the wire
    warnings.warn("a library warns", UserWarning, stacklevel=1)
    if id not in store.texts:
        raise NotFoundError(id, remedy="Search for it")
    return Text(store.texts[id])


def meet(store: FakeStore) -> Text:
    """Two calls at the same time, or neither ever ends."""
    store.met.wait(20)
    return Text("met")


def huge(store: FakeStore, *, size: Annotated[int, Param("characters")]) -> Text:
    return Text("x" * size)


def fail(store: FakeStore) -> Text:
    raise RuntimeError("/home/someone/secret.md is broken")


def slow(store: FakeStore, *, seconds: Annotated[float, Param("how long")]) -> Text:
    threading.Event().wait(seconds)  # plays a call that takes long
    return Text("awake")


def _row(name: str, run: object, read_only: bool) -> Operation:  # noqa: FBT001 - a table's cell
    return Operation(
        name=name,
        run=run,
        title=name.title(),
        description=f"Does {name}.",
        read_only=read_only,
        destructive=False,
        idempotent=read_only,
    )


TABLE = (
    _row("save", save, False),  # noqa: FBT003 - a table's cell
    _row("get", get, True),  # noqa: FBT003 - a table's cell
    _row("meet", meet, True),  # noqa: FBT003 - a table's cell
    _row("huge", huge, True),  # noqa: FBT003 - a table's cell
    _row("fail", fail, True),  # noqa: FBT003 - a table's cell
    _row("slow", slow, True),  # noqa: FBT003 - a table's cell
)


def main(faults: list[str]) -> None:
    def open_store() -> FakeStore:
        if "never-opens" in faults:
            threading.Event().wait(600)  # plays a vault on a disk that hangs
        if "no-vault" in faults:
            raise UnavailableError("the vault is gone", remedy="Put it back")
        return FakeStore()

    level = logging.DEBUG if "debug" in faults else logging.WARNING
    logging.basicConfig(stream=sys.stderr, level=level)
    serve(open_store, TABLE, WIRE)


if __name__ == "__main__":
    main(sys.argv[1:])
