"""The vaults of the cases: situations seen in the field, each in a folder of its own."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemos_files.index.embedder import StaticEmbedder
from tests.cases.inputs import folder_of, script
from tests.wire import Wire

Build = Callable[..., Path]
Serve = Callable[..., Wire]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Makes the vault of a case: runs its `setup.sh`, or copies its `vault/`."""

    def builder(case: str, name: str = "vault", **environment: str) -> Path:
        root = tmp_path / name
        if (folder_of(case) / "setup.sh").exists():
            script(case, "setup.sh", root, **environment)
        else:
            shutil.copytree(folder_of(case) / "vault", root)
        return root

    return builder


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers past their handshake; those that still run at the end are killed."""
    wires: list[Wire] = []

    def starter(vault: Path, **environment: str) -> Wire:
        wires.append(Wire("serve", "--vault", str(vault), **environment))
        wires[-1].initialize()
        return wires[-1]

    yield starter
    for wire in wires:
        if wire.process.poll() is None:
            wire.kill()


@pytest.fixture(scope="session")
def static_embedder() -> StaticEmbedder:
    """The model of the package, loaded once."""
    return StaticEmbedder()
