"""The merge driver of a clone: attributes travel with the files, the driver has to be set up."""

import pygit2

from mnemos_files.errors import UnavailableError
from mnemos_files.history.layout import Layout

DRIVER = "mnemos"
"""Name of the driver in `.gitattributes`: `*.md merge=mnemos`."""

_KEY = f"merge.{DRIVER}.driver"
_NAME_KEY = f"merge.{DRIVER}.name"
_NAME = "memories merged key by key"
_SAMPLE = "observations/global/note.md"
_RULES = (
    ("**/*.md", f"merge={DRIVER}"),
    (".mnemos/config.toml", f"merge={DRIVER}"),
    (".mnemos/journal/**/*.jsonl", "merge=union"),
)


def is_set_up(repo: pygit2.Repository) -> bool:
    """True when git merges notes in this clone as we do."""
    return _KEY in repo.config


def set_up(repo: pygit2.Repository, layout: Layout, command: str) -> bool:
    """Tell git in this clone to run a command for notes; true when something changed.

    Where the files themselves do not say which notes are meant, git's own list of this clone does.

    Raises:
        UnavailableError: git's settings cannot be written.
    """
    try:
        changed = False
        for key, value in ((_NAME_KEY, _NAME), (_KEY, command)):
            if key not in repo.config or repo.config[key] != value:
                repo.config[key] = value
                changed = True
        return _add_rules(repo, layout) or changed
    except (pygit2.GitError, OSError) as error:
        message = f"git's settings of this clone cannot be written: {error}"
        raise UnavailableError(message, remedy="Check owner and mode of .git/config.") from error


def _add_rules(repo: pygit2.Repository, layout: Layout) -> bool:
    prefix = f"{layout.prefix}/" if layout.prefix else ""
    if repo.get_attr(f"{prefix}{_SAMPLE}", "merge") is not None:
        return False  # as the files say, ours or not
    file = layout.common_dir / "info/attributes"
    known = file.read_text("utf-8", "replace") if file.exists() else ""
    rows = [f"{_pattern(f'/{prefix}{pattern}')} {rule}\n" for pattern, rule in _RULES]
    missing = [row for row in rows if row not in known]
    if missing:
        file.parent.mkdir(exist_ok=True)
        gap = "\n" if known and not known.endswith("\n") else ""
        file.write_text(known + gap + "".join(missing), "utf-8")
    return bool(missing)


def _pattern(text: str) -> str:
    """A pattern with blanks stands in quotes, as in C."""
    if text.isascii() and text.isprintable() and not set(text) & {" ", '"', "\\"}:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
