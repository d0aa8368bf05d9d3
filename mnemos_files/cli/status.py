"""`mnemos-files status`: what the vault is and how it fares."""

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemos_files import __version__
from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options
from mnemos_files.cli.vault_choice import cache_folder
from mnemos_files.config import CONFIG_PATH
from mnemos_files.errors import MnemosError, UnavailableError

if TYPE_CHECKING:  # not at run time: help needs no store
    from mnemos_files.store.store import Store


@click.command()
@common_options
@click.pass_obj
def status(session: Session) -> None:
    """Show where the vault, its history and its index lie, with counts."""
    session.start_logging()
    root = session.root()
    index_folder = load("mnemos_files.store.open:index_folder")(cache_folder(os.environ), root)
    with session.store() as store:
        counts = load("mnemos_files.operations.state:stats")(store)
        history = store.history
        facts = {
            "version": __version__,
            "vault": str(store.place.vault.root),
            "initialised": (root / CONFIG_PATH).is_file(),
            "repository": None if history is None else str(history.git_dir),
            "remote": _distance(store),
            "index_folder": str(index_folder),
            "proposals": _proposals(root),
        }
    value = load("mnemos_files.operations.schema:to_json")(counts)
    session.show({**value, **facts}, "facts")


def _distance(store: "Store") -> str | None:
    """How far apart this vault and its remote were when they were last synced, or fetched."""
    if store.history is None:
        return None
    try:
        found = store.exchange.distance()
    except MnemosError:
        return None  # on no branch: the notices say so
    if found is None:
        return None
    return f"{found.upstream}: {found.ahead} ahead, {found.behind} behind"


def _proposals(root: Path) -> dict[str, int]:
    """How many proposals are open on each branch; none where there is no git history."""
    try:
        found = load("mnemos_files.store.proposals:inbox")(root)
    except UnavailableError:
        return {}
    return dict(Counter(one.branch for one in found.proposals))
