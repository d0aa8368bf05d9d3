"""`mnemos-files serve`: the MCP server on standard input and output."""

import os
import signal
import sys
from pathlib import Path

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options
from mnemos_files.cli.vault_choice import AGENT_VARIABLE, cache_folder
from mnemos_files.config import Settings
from mnemos_files.errors import MnemosError
from mnemos_files.operations.table import OPERATIONS, offered
from mnemos_files.server.descriptors import claim

UNNAMED = "default"
"""Agent whose client told no name."""


@click.command()
@click.option(
    "--agent",
    metavar="NAME",
    default=lambda: os.environ.get(AGENT_VARIABLE, ""),
    help="Whose proposals these are, where the vault wants them reviewed; by default the client's.",
)
@common_options
@click.pass_obj
def serve(session: Session, agent: str) -> None:
    """Serve the vault to an MCP client over standard input and output.

    A folder that was never initialised will do: what it lacks is made at the first write.
    """
    session.start_logging()
    root = session.root()
    settings = _settings(root)
    wire = claim()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))

    caller = load("mnemos_files.server.caller:Caller")()

    def open_vault() -> object:
        open_store = load("mnemos_files.store.open:open_store")
        who = agent.strip() or caller.name or UNNAMED
        store = open_store(root, cache_folder=cache_folder(os.environ), background=True, agent=who)
        if store.settings.dream_auto:
            load("mnemos_files.dream.auto:attach")(store)
        return store

    is_named_later = settings is not None and settings.review_mode == "branch" and not agent.strip()
    tools = OPERATIONS if settings is None else offered(settings)
    wait_for = caller if is_named_later else None
    load("mnemos_files.server.mcp:serve")(open_vault, tools, wire, wait_for)


def _settings(root: Path) -> Settings | None:
    """The vault's settings; None when they cannot be read, which each call will then say."""
    try:
        settings: Settings = load("mnemos_files.store.settings:read_settings")(root)
    except MnemosError:
        return None
    return settings
