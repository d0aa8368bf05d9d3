"""`mnemos-files verify`: is memory found, is it acted on, is it saved?"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.schema import to_json

DISABLED_VARIABLE = "MNEMOS_DISABLED"
"""Set to 1 for the runs without memory."""

VAULT_VARIABLE = "MNEMOS_VAULT"
DEFAULT = Path(".mnemos/verify/retrieval.yaml")
FIXTURE_BYTES_MAX = 1_000_000
TIMEOUT_SECONDS = 180.0

_timeout = click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=3_600),
    default=TIMEOUT_SECONDS,
    show_default=True,
    help="Seconds after which a run is stopped.",
)


@click.group()
@common_options
def verify() -> None:
    """Measure memory by fixtures: found in a search, acted on by an agent, saved by an agent."""


@verify.command()
@click.argument("fixture", required=False)
@common_options
@click.pass_context
def retrieval(context: click.Context, fixture: str | None) -> None:
    """Ask the vault's search for memories; exit code 1 when one is not found where it must be.

    FIXTURE: a YAML file with probes, by default .mnemos/verify/retrieval.yaml of the vault.
    """
    session = _session(context)
    path = session.root() / DEFAULT if fixture is None else Path(fixture)
    _finish(context, {"retrieval": _retrieval(session, path)})


@verify.command()
@click.argument("fixture")
@_timeout
@common_options
@click.pass_context
def behavior(context: click.Context, fixture: str, timeout: float) -> None:
    """Run the fixture's commands with memory and without, and compare how often answers pass.

    FIXTURE: a YAML file. Its commands are run as you: look at it before.
    """
    session = _session(context)
    _finish(context, {"behavior": _behavior(session, Path(fixture), timeout)})


@verify.command()
@click.argument("fixture")
@_timeout
@common_options
@click.pass_context
def capture(context: click.Context, fixture: str, timeout: float) -> None:
    """Run the fixture's command and count how often an expected tool was called.

    FIXTURE: a YAML file. Its command is run as you: look at it before.
    """
    session = _session(context)
    _finish(context, {"capture": _capture(session, Path(fixture), timeout)})


@verify.command("all")
@click.argument("folder")
@_timeout
@common_options
@click.pass_context
def all_(context: click.Context, folder: str, timeout: float) -> None:
    """Run retrieval.yaml, behavior.yaml and capture.yaml of a folder, those that are there."""
    session, place = _session(context), Path(folder)
    made: dict[str, Callable[[Path], Any]] = {
        "retrieval": lambda path: _retrieval(session, path),
        "behavior": lambda path: _behavior(session, path, timeout),
        "capture": lambda path: _capture(session, path, timeout),
    }
    found = {name: place / f"{name}.yaml" for name in made if (place / f"{name}.yaml").is_file()}
    if not found:
        problem = f"{folder} has none of {', '.join(f'{name}.yaml' for name in made)}"
        raise InvalidQueryError("folder", problem, remedy="Give a folder with fixtures.")
    _finish(context, {name: made[name](path) for name, path in found.items()})


def _session(context: click.Context) -> Session:
    session = context.ensure_object(Session)
    session.start_logging()
    return session


def _retrieval(session: Session, path: Path) -> Any:  # noqa: ANN401 - of the report, which loads late
    probes = load("mnemos_files.report.fixture:read_retrieval")(_text(path), path.name)
    with session.store() as store:
        return load("mnemos_files.report.retrieval:probed")(store, probes)


def _behavior(session: Session, path: Path, timeout: float) -> Any:  # noqa: ANN401 - as above
    fixture = load("mnemos_files.report.fixture:read_behavior")(_text(path), path.name)
    return load("mnemos_files.report.trials:behavior")(fixture, _runner(session, timeout))


def _capture(session: Session, path: Path, timeout: float) -> Any:  # noqa: ANN401 - as above
    fixture = load("mnemos_files.report.fixture:read_capture")(_text(path), path.name)
    return load("mnemos_files.report.trials:capture")(fixture, _runner(session, timeout))


def _runner(session: Session, timeout: float) -> Callable[[list[str], bool], Any]:
    """Runs commands in this environment, which names the vault, with memory or without."""
    run = load("mnemos_files.cli.verify_run:run_command")
    base = {key: value for key, value in os.environ.items() if key != DISABLED_VARIABLE}
    if session.vault is not None:
        base[VAULT_VARIABLE] = str(session.root())

    def runner(argv: list[str], has_memory: bool) -> Any:  # noqa: ANN401, FBT001 - as `trials.Run`
        return run(argv, base if has_memory else base | {DISABLED_VARIABLE: "1"}, timeout)

    return runner


def _finish(context: click.Context, results: dict[str, Any]) -> None:
    """Print the results and end with the exit code; text also in a pipe."""
    session = context.ensure_object(Session)
    if session.as_json:
        value = next(iter(results.values())) if context.info_name != "all" else results
        click.echo(to_text(to_json(value)))
    else:
        click.echo("\n".join(line for name, one in results.items() for line in _lines(name, one)))
    failed = getattr(results.get("retrieval"), "failed", 0)
    context.exit(1 if failed else 0)


def _lines(name: str, result: Any) -> Iterable[str]:  # noqa: ANN401 - of the report
    places = {
        "retrieval": "mnemos_files.report.retrieval:lines",
        "behavior": "mnemos_files.report.trials:behavior_lines",
        "capture": "mnemos_files.report.trials:capture_lines",
    }
    lines: Iterable[str] = load(places[name])(result)
    return lines


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            octets = file.read(FIXTURE_BYTES_MAX + 1)
        if len(octets) > FIXTURE_BYTES_MAX:
            raise InvalidQueryError("fixture", f"{path} is longer than {FIXTURE_BYTES_MAX} bytes")
        return octets.decode("utf-8-sig")
    except OSError as error:
        problem = f"{path}: {error.strerror or 'cannot be read'}"
    except UnicodeDecodeError as error:
        problem = f"{path}: not UTF-8 at byte {error.start}"
    raise InvalidQueryError("fixture", problem, remedy="Give the path of a YAML file.")
