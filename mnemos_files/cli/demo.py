"""`mnemos-files demo`: the main job on a made-up project, in a few seconds."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options
from mnemos_files.cli.vault_choice import named_folder
from mnemos_files.errors import RefusedError


@click.command()
@click.option("--keep", metavar="DIR", help="Make the vault in this new folder and keep it.")
@common_options
@click.pass_obj
def demo(session: Session, keep: str | None) -> None:
    """Fill a vault and work with it through a real MCP client and server.

    Every line comes from a call: it saves, searches, supersedes, asks what was true before, edits
    a file as an editor would, and shows the git log.
    """
    session.start_logging()
    with ExitStack() as stack:
        if keep is None:
            temporary = tempfile.TemporaryDirectory(
                prefix="mnemos-demo-", ignore_cleanup_errors=True
            )
            root = Path(stack.enter_context(temporary)) / "vault"
        else:
            root = _new_folder(keep)
        load("mnemos_files.cli.demo_run:run")(root, is_kept=keep is not None)


def _new_folder(text: str) -> Path:
    root = named_folder(text, "--keep", Path.cwd())
    if root.exists() and any(root.iterdir()):
        raise RefusedError("demo-folder", f"{root} is not empty", remedy="Name a new folder.")
    return root
