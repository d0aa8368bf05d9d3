"""`mnemos-files sync` and `merge-driver`: two machines, one vault."""

import sys
from pathlib import Path
from typing import Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.errors import MnemosError

_EX_CONFLICT = 1


@click.command()
@click.option("--remote", default="", metavar="NAME", help="With which remote; else as set up.")
@click.option("--no-push", is_flag=True, help="Only fetch and merge.")
@common_options
@click.pass_context
def sync(context: click.Context, remote: str, *, no_push: bool) -> None:
    """Fetch, merge and push, never with force; memories are merged key by key.

    Events that wait are committed first. Exit code 1 when both sides changed something in ways
    that contradict each other: both versions stand in the note then, see `resolve`.
    """
    session = context.ensure_object(Session)
    session.is_person = True
    session.start_logging()
    root = session.root()
    with session.opened(root) as store:
        set_up_driver(root)
        done = store.exchange.sync(remote, push=not no_push)
    if session.wants_json:
        click.echo(to_text(_value(done)))
    else:
        click.echo("\n".join(_lines(done)))
    context.exit(_EX_CONFLICT if done.conflicts else 0)


def set_up_driver(root: Path) -> bool:
    """Let git merge the vault's notes with this very program; true when that is new.

    A repository that cannot be used has no merges either.
    """
    program = [sys.executable, "-P", "-m", "mnemos_files.sync.driver"]
    line = load("mnemos_files.sync.driver:command")(program)
    try:
        is_new: bool = load("mnemos_files.store.exchange:set_up_driver")(root, line)
    except MnemosError:
        return False
    return is_new


def _value(done: Any) -> dict[str, object]:  # noqa: ANN401 - of the store, which loads late
    return {
        "upstream": done.upstream,
        "received": done.received,
        "sent": done.sent,
        "files": done.files,
        "merged": done.is_merged,
        "conflicts": [{"path": path, "what": [*names]} for path, names in done.conflicts],
        "notices": list(done.notices),
    }


def _lines(done: Any) -> list[str]:  # noqa: ANN401 - of the store, which loads late
    how = ", merged" if done.is_merged else ""
    received = f"received {_count(done.received, 'commit')} ({_count(done.files, 'file')}{how})"
    parts = [received] if done.received else []
    parts += [f"sent {_count(done.sent, 'commit')}"] if done.sent else []
    lines = [f"{done.upstream}: {', '.join(parts) or 'nothing new on either side'}"]
    for path, names in done.conflicts:
        what = ", ".join(dict.fromkeys(names))
        lines.append(f"{path}: two versions of {what}; choose with: mnemos-files resolve {path}")
    return [*lines, *(f"note: {notice}" for notice in done.notices)]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@click.command("merge-driver", context_settings={"ignore_unknown_options": True})
@click.argument("files", nargs=-1, metavar="%O %A %B %P")
@click.pass_context
def merge_driver(context: click.Context, files: tuple[str, ...]) -> None:
    """Merge one note for git: the base, ours (which gets the result), theirs, and its path.

    For `git config merge.mnemos.driver`; `init` and `sync` set up a way that starts faster.
    """
    run = load("mnemos_files.sync.driver:run")
    context.exit(run(files, Path.cwd(), sys.stderr))
