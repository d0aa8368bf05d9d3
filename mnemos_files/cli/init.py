"""`mnemos-files init`: a vault out of a new or an existing folder."""

import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options
from mnemos_files.cli.template import template
from mnemos_files.cli.vault_choice import named_folder


@click.command()
@click.argument("folder", metavar="DIR")
@common_options
@click.pass_obj
def init(session: Session, folder: str) -> None:
    """Make a vault of DIR: add what it lacks, in one commit; nothing that is there changes.

    DIR may be new, an Obsidian vault, or a folder in a repository.
    """
    session.start_logging()
    root = named_folder(folder, "DIR", Path.cwd())
    created = load("mnemos_files.store.create:create_vault")(root, template(), datetime.now(UTC))
    has_driver = load("mnemos_files.cli.sync:set_up_driver")(root)
    session.show(
        {
            "vault": str(root),
            "added": list(created.added),
            "made_repository": created.made_repository,
            "merge_driver": "set up" if has_driver else "as it was",
            "server": [_program(), "serve", "--vault", str(root)],
            "notices": list(created.notices),
        },
        "init",
    )


def _program() -> str:
    """Absolute path of this program: clients start it from elsewhere and with another PATH."""
    return shutil.which(sys.argv[0]) or shutil.which("mnemos-files") or "mnemos-files"
