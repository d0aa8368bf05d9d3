"""`mnemos-files reindex`: the derived data, made anew."""

import click

from mnemos_files.cli.progress import Progress
from mnemos_files.cli.session import Session, common_options
from mnemos_files.errors import RefusedError


@click.command()
@click.option(
    "--accept-missing",
    is_flag=True,
    help="Notes that vanished from the folder are meant to be gone.",
)
@common_options
@click.pass_obj
def reindex(session: Session, *, accept_missing: bool) -> None:
    """Drop the search index and read every file anew; the files stay as they are."""
    session.start_logging()
    root = session.root()
    with session.opened(root) as store, Progress("reading notes") as progress:
        store.refresh()
        if store.missing and not accept_missing:
            raise RefusedError(
                "missing-notes",
                f"{store.missing} notes are missing from the vault's folder",
                remedy="Bring them back, or add --accept-missing.",
            )
        store.accept_missing()
        store.rebuild(progress)
        notes = len(store.index.entries)
    session.show({"vault": str(root), "notes": notes}, "facts")
