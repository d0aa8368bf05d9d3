"""Settings of a vault: `.mnemos/config.toml`. Pure: the text comes in, the environment never."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mnemos_files.errors import CorruptError

CONFIG_PATH = ".mnemos/config.toml"
FORMAT_VERSION = 1
ADOPT_EDITS = ("on_write", "never")
JOURNAL_COMMIT = ("session", "never")
SECRETS = ("refuse", "allow")
REVIEW_MODES = ("direct", "branch")
DEFAULT_IGNORED = (".*", "node_modules", "_template", "templates", "Templates")

_SHARES = ("skill_effectiveness_floor", "stale_skill_floor")
_COUNTS = (
    "skill_min_uses",
    "stale_skill_days",
    "correction_repeat_n",
    "contradiction_threshold",
    "stale_raw_days",
)
COUNT_MAX = 100_000
"""Largest count or number of days that is taken: no time of the calendar is left."""

STEP_MAX = 9
"""Largest step of decay: from the highest importance to the lowest at once."""

_FINGERPRINT = re.compile("[0-9a-f]{12}")
_LENGTH = re.compile("[1-9][0-9]{0,3}[mhd]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a vault's owner can set.

    A pattern of `ignored` matches one path part, with `*` and `?`; one that begins with a slash
    names a single file at the top.
    """

    vault_id: str = ""
    format_version: int = FORMAT_VERSION
    adopt_edits: str = "on_write"
    journal_commit: str = "session"
    ignored: tuple[str, ...] = DEFAULT_IGNORED
    relevance_floor: float = 0.15
    decay_days: int = 30
    decay_step: int = 1
    watch: bool = True
    secrets: str = "refuse"
    allowed_secrets: tuple[str, ...] = ()
    rumination: bool = True
    skill_effectiveness_floor: float = 0.3
    skill_min_uses: int = 10
    stale_skill_days: int = 90
    stale_skill_floor: float = 0.5
    correction_repeat_n: int = 3
    contradiction_threshold: int = 1
    stale_raw_days: int = 14
    dream_auto: bool = False
    dream_interval: str = "6h"
    review_mode: str = "direct"
    review_base: str = ""
    sync_remote: str = ""
    sync_branch: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def decay(self) -> tuple[int, int]:
        """Period [days] and step of `model.decay.Decay`."""
        return self.decay_days, self.decay_step


_KEYS: dict[tuple[str, str], tuple[str, type]] = {
    ("vault", "id"): ("vault_id", str),
    ("vault", "format"): ("format_version", int),
    ("vault", "ignore"): ("ignored", list),
    ("git", "adopt_edits"): ("adopt_edits", str),
    ("journal", "commit"): ("journal_commit", str),
    ("safety", "secrets"): ("secrets", str),
    ("safety", "allow"): ("allowed_secrets", list),
    ("search", "floor"): ("relevance_floor", float),
    ("decay", "days"): ("decay_days", int),
    ("decay", "step"): ("decay_step", int),
    ("server", "watch"): ("watch", bool),
    ("rumination", "enabled"): ("rumination", bool),
    ("rumination", "skill_effectiveness_floor"): ("skill_effectiveness_floor", float),
    ("rumination", "skill_min_uses"): ("skill_min_uses", int),
    ("rumination", "stale_skill_days"): ("stale_skill_days", int),
    ("rumination", "stale_skill_floor"): ("stale_skill_floor", float),
    ("rumination", "correction_repeat_n"): ("correction_repeat_n", int),
    ("rumination", "contradiction_threshold"): ("contradiction_threshold", int),
    ("rumination", "stale_raw_days"): ("stale_raw_days", int),
    ("dream", "auto"): ("dream_auto", bool),
    ("dream", "interval"): ("dream_interval", str),
    ("review", "mode"): ("review_mode", str),
    ("review", "base"): ("review_base", str),
    ("sync", "remote"): ("sync_remote", str),
    ("sync", "branch"): ("sync_branch", str),
}


def parse_settings(text: str) -> Settings:
    """Settings from TOML; absent keys have their default, `unknown` names the others.

    Raises:
        CorruptError: the text is no TOML, a value has the wrong type, or the format is newer.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CorruptError(
            CONFIG_PATH, 1, f"not valid TOML ({error})", remedy="Mend the file."
        ) from error
    values: dict[str, object] = {}
    unknown = []
    for table, keys in tables.items():
        for key, value in keys.items() if isinstance(keys, dict) else [("", keys)]:
            name = f"[{table}] {key}" if key else table
            row = _KEYS.get((table, key))
            if row is None:
                unknown.append(name)
            else:
                values[row[0]] = _typed(name, value, row[1])
    settings = Settings(**values, unknown=tuple(unknown))  # type: ignore[arg-type]  # _typed
    _check(settings)
    if "ignored" in values:
        settings = replace(settings, ignored=DEFAULT_IGNORED + settings.ignored)
    return settings


def _typed(name: str, value: object, wanted: type) -> object:
    if wanted is float and isinstance(value, int):
        value = float(value)
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        problem = f"{name} must be of type {wanted.__name__}"
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Mend the value.")
    if not isinstance(value, list):
        return value
    if not all(isinstance(item, str) for item in value):
        raise CorruptError(CONFIG_PATH, 1, f"{name} must be texts", remedy="Mend the value.")
    return tuple(value)


def _check(settings: Settings) -> None:
    _check_choice("[git] adopt_edits", settings.adopt_edits, ADOPT_EDITS)
    _check_choice("[journal] commit", settings.journal_commit, JOURNAL_COMMIT)
    _check_choice("[safety] secrets", settings.secrets, SECRETS)
    _check_choice("[review] mode", settings.review_mode, REVIEW_MODES)
    if not all(map(_FINGERPRINT.fullmatch, settings.allowed_secrets)):
        # The entry is not repeated: it may be the secret itself.
        problem = "[safety] allow takes fingerprints of 12 hex digits, as the refusal gives them"
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Mend the value.")
    if not 0 <= settings.relevance_floor < 1:
        raise CorruptError(
            CONFIG_PATH, 1, "[search] floor must be in [0, 1)", remedy="Mend the value."
        )
    _check_decay(settings)
    _check_rumination(settings)
    if not _LENGTH.fullmatch(settings.dream_interval):
        problem = "[dream] interval must be a length of time such as 6h, 90m or 1d"
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Mend the value.")
    if settings.format_version > FORMAT_VERSION:
        found = settings.format_version
        problem = f"the vault has format {found}, this version reads up to {FORMAT_VERSION}"
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Upgrade mnemos-files.")


def _check_decay(settings: Settings) -> None:
    for name, value, low, high in (
        ("days", settings.decay_days, 1, COUNT_MAX),
        ("step", settings.decay_step, 0, STEP_MAX),
    ):
        if not low <= value <= high:
            problem = f"[decay] {name} must be in {low}..{high}"
            raise CorruptError(CONFIG_PATH, 1, problem, remedy="Mend the value.")


def _check_rumination(settings: Settings) -> None:
    """Thresholds of the monitors: shares are in [0, 1], counts and days are at least 1."""
    problem = ""
    for name in _SHARES:
        if not 0 <= getattr(settings, name) <= 1:
            problem = f"[rumination] {name} must be in [0, 1]"
    for name in _COUNTS:
        if not 1 <= getattr(settings, name) <= COUNT_MAX:
            problem = f"[rumination] {name} must be in 1..{COUNT_MAX}"
    if problem:
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Mend the value.")


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        problem = f"{name} must be one of {', '.join(choices)}"
        raise CorruptError(CONFIG_PATH, 1, problem, remedy="Mend the value.")


def render_settings(vault_id: str, ignored: Sequence[str] = ()) -> str:
    """Text of the settings file of a new vault."""
    lines = ["[vault]", f'id = "{vault_id}"', f"format = {FORMAT_VERSION}"]
    if ignored:
        quoted = ", ".join(f'"{each}"' for each in ignored)
        lines.append(f"ignore = [{quoted}]")
    return "\n".join(lines) + "\n"
