"""What one run of a command was told, and its way to vault, output and progress."""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.progress import Progress
from mnemos_files.cli.vault_choice import AGENT_VARIABLE, cache_folder, find_vault

if TYPE_CHECKING:  # not at run time: help and errors need no store
    from mnemos_files.store.store import Store

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)
_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass
class Session:
    """The common options of a run.

    `as_json` is None when it was left to the terminal. `allow_secret`: the person has said that
    what looks like a secret is none. `is_person`: whatever the environment says, a person runs it.
    """

    vault: str | None = None
    as_json: bool | None = None
    verbosity: int = 0
    allow_secret: bool = False
    is_person: bool = False

    @property
    def wants_json(self) -> bool:
        """True when asked for, or when nobody looks: standard output is no terminal."""
        return not sys.stdout.isatty() if self.as_json is None else self.as_json

    def root(self) -> Path:
        """Folder of the vault; see `find_vault`."""
        return find_vault(self.vault, os.environ, Path.cwd())

    @contextmanager
    def store(self) -> Iterator["Store"]:
        """The vault's store with everything on disk in its index; closed at the end."""
        root = self.root()
        with self.opened(root) as store, Progress("reading notes") as progress:
            store.finish(progress)
            progress.stop()
            yield store

    @contextmanager
    def opened(self, root: Path) -> Iterator["Store"]:
        """The store of a folder as it is, without catching up."""
        open_store = load("mnemos_files.store.open:open_store")
        agent = "" if self.is_person else os.environ.get(AGENT_VARIABLE, "").strip()
        store: Store = open_store(root, cache_folder=cache_folder(os.environ), agent=agent)
        store.place.allow_secrets = self.allow_secret
        try:
            yield store.acting_for(agent) if agent else store
        finally:
            store.close()

    def show(self, value: object, human: str) -> None:
        """Print a JSON value, or for a person as `cli.display` shows what is called so."""
        if self.wants_json:
            click.echo(to_text(value))
        else:
            load("mnemos_files.cli.display:show")(human, value)

    def start_logging(self) -> None:
        """Log to standard error, warnings and worse unless more is asked for."""
        level = _LEVELS[min(self.verbosity, len(_LEVELS) - 1)]
        logging.basicConfig(
            stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s"
        )


def to_text(value: object) -> str:
    """JSON over several lines, in letters that standard output can hold."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return json.dumps(value, ensure_ascii=not encoding.startswith("utf"), indent=2)


def common_options(command: _F) -> _F:
    """Add the options that every command takes; they are kept in the `Session`."""
    for option in (
        click.option(
            "--vault",
            metavar="DIR",
            help="Folder of the vault.",
            callback=_keep,
            expose_value=False,
        ),
        click.option(
            "--json/--no-json",
            "as_json",
            default=None,
            help="JSON, or text for people; by default text on a terminal.",
            callback=_keep,
            expose_value=False,
        ),
        click.option(
            "-v",
            "--verbose",
            "verbosity",
            count=True,
            help="Log more to standard error; twice for everything.",
            callback=_keep,
            expose_value=False,
        ),
    ):
        command = option(command)
    return command


def secret_option(command: click.Command) -> click.Command:
    """Add the option of the commands that write; no tool has it, it is for people."""
    option = click.Option(
        ["--allow-secret"],
        is_flag=True,
        default=None,
        help="Write although the text seems to hold a secret; the history keeps it for good.",
        callback=_keep,
        expose_value=False,
    )
    command.params.append(option)
    return command


def _keep(context: click.Context, option: click.Parameter, value: object) -> None:
    session = context.ensure_object(Session)
    if value is not None and value != 0 and option.name:
        setattr(session, option.name, value)
    elif value is False:
        session.as_json = False
