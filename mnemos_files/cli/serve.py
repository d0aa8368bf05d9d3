"""`mnemos-files serve`: the MCP server on standard input and output."""

import os
import signal
import sys
from pathlib import Path

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options
from mnemos_files.cli.vault_choice import cache_folder
from mnemos_files.errors import MnemosError
from mnemos_files.operations.operation import Operation
from mnemos_files.operations.table import OPERATIONS, offered
from mnemos_files.server.descriptors import claim


@click.command()
@common_options
@click.pass_obj
def serve(session: Session) -> None:
    """Serve the vault to an MCP client over standard input and output.

    A folder that was never initialised will do: what it lacks is made at the first write.
    """
    session.start_logging()
    root = session.root()
    wire = claim()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))

    def open_vault() -> object:
        open_store = load("mnemos_files.store.open:open_store")
        store = open_store(root, cache_folder=cache_folder(os.environ), background=True)
        if store.settings.dream_auto:
            load("mnemos_files.dream.auto:attach")(store)
        return store

    load("mnemos_files.server.mcp:serve")(open_vault, _offered(root), wire)


def _offered(root: Path) -> tuple[Operation, ...]:
    """The tools to list: all when the settings cannot be read, which each call will then say."""
    try:
        return offered(load("mnemos_files.store.settings:read_settings")(root))
    except MnemosError:
        return OPERATIONS
