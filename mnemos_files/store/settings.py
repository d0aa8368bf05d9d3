"""The settings of a vault, read from its folder: light, so that a server can ask at its start."""

from pathlib import Path

from mnemos_files.config import CONFIG_PATH, Settings, parse_settings
from mnemos_files.errors import CorruptError


def read_settings(root: Path) -> Settings:
    """Settings of the vault in this folder; the defaults when it has none.

    Raises:
        CorruptError: the settings file cannot be understood.
    """
    path = root / CONFIG_PATH
    try:
        return parse_settings(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8"
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Save it as UTF-8.") from error
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Make it a readable file.") from error
