"""One verb that clients can call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Operation:
    """A row of `OPERATIONS`: a function and what every door says about it.

    `save` is the tool `mnemos_save` and the command `mnemos-files save`. `description` is written
    for agents. `idempotent`: a second call with the same arguments changes nothing more. Tools of a
    `toolset` can be switched off together.
    """

    name: str
    run: Callable[..., Any]
    title: str
    description: str
    read_only: bool
    destructive: bool
    idempotent: bool
    toolset: str = "core"
