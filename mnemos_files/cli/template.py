"""The files that a new vault starts with."""

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from mnemos_files.errors import UnavailableError


def template() -> Traversable:
    """Folder of the template: in the installed package, else beside it in a checkout.

    Raises:
        UnavailableError: the installation lacks it.
    """
    packaged = resources.files("mnemos_files") / "_template"
    beside = Path(__file__).parents[2] / "vault-template"
    for folder in (packaged, beside):
        if folder.is_dir():
            return folder
    raise UnavailableError(
        "the template of a vault is missing", remedy="Install mnemos-files anew."
    )
