"""Where a record lives, and which names a caller or a program may have typed. Pure."""

import hashlib
import re
import unicodedata
from pathlib import PurePosixPath

from mnemos_files.errors import RefusedError
from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import is_ulid, ulid_time

SUFFIX = ".md"
GLOBAL_FOLDER = "global"
SLUG_LENGTH_MAX = 60
NAME_BYTES_MAX = 200
"""Longest file name [bytes] that we make: file systems take 255, sync programs add to names."""

_PORTS = (f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³")
_RESERVED = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", *_PORTS))
"""Device names on Windows, whatever suffix follows (Naming Files, Paths, and Namespaces)."""

_TAIL_LENGTH = 6

SKILL = "skill"
RUMINATION = "rumination"
SKILL_FILE = "SKILL.md"
SKILL_NAME_MAX = 64
"""Longest name of a skill [characters] (Agent Skills specification)."""

_MARK_LENGTH = 8
_SKILL_BYTES = 180


def path_for(record: Record) -> PurePosixPath:
    """Path of a new record: `<kind folder>/<project or global>/<date>-<slug>-<tail of id>.md`.

    That of a skill is `skills/<agent>/<name>/SKILL.md`, that of a rumination
    `ruminations/<monitor>-<its id's digits>.md`.
    """
    if record.type == SKILL:
        return skill_path(record)
    if record.type == RUMINATION:
        return _rumination_path(record)
    tail = id_tail(record.id)
    date = _date(record)
    room = NAME_BYTES_MAX - len(f"{date}--{tail}{SUFFIX}".encode())
    name = f"{date}-{_cut(slug(record.title), room)}-{tail}{SUFFIX}"
    return PurePosixPath(record.kind.folder, project_folder(record.project), name)


def _rumination_path(record: Record) -> PurePosixPath:
    """Where a rumination lies: one file for each monitor and target, whatever its title."""
    monitor = dict(record.properties).get("monitor", "")
    name = f"{slug(str(monitor))}-{record.id.rpartition('-')[2]}{SUFFIX}"
    return PurePosixPath(KINDS[RUMINATION].folder, name)


def project_folder(project: str) -> str:
    """Folder of a project; `global` for none, so a project of that name gets `global-project`."""
    if not project:
        return GLOBAL_FOLDER
    name = slug(project)
    return f"{name}-project" if name == GLOBAL_FOLDER or name in _RESERVED else name


def skill_path(record: Record, *, distinct: bool = False) -> PurePosixPath:
    """Path of a new skill; `distinct` adds a mark of its own where the plain name is taken."""
    name = skill_name(record.title)
    if distinct:
        key = f"{record.agent}\0{record.title}".encode("utf-8", "surrogatepass")
        mark = hashlib.sha256(key).hexdigest()[:_MARK_LENGTH]
        name = f"{_cut(name[: SKILL_NAME_MAX - _MARK_LENGTH - 1], _SKILL_BYTES)}-{mark}"
    return PurePosixPath(KINDS[SKILL].folder, agent_folder(record.agent), name, SKILL_FILE)


def is_skill_path(path: PurePosixPath) -> bool:
    """True for a file `SKILL.md` anywhere in a folder below `skills`."""
    parts = path.parts
    return parts[-1:] == (SKILL_FILE,) and parts[0] == KINDS[SKILL].folder and len(parts) > 2  # noqa: PLR2004 - folder and file


def agent_folder(agent: str) -> str:
    """Folder of an agent's skills; `default` for no name."""
    name = slug(agent) if agent else "default"
    return f"{name}-agent" if name in _RESERVED else name


def skill_name(title: str) -> str:
    """The name under which clients load a skill, which its folder has too; never empty.

    Lower-case letters and digits of every script, NFKC, parted by single `-`, at most 64
    characters: what the Agent Skills specification allows. Latin letters lose their accents.
    """
    lowered = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).lower())
    signs = "".join(map(_skill_sign, lowered))
    name = unicodedata.normalize("NFKC", "-".join(signs.split()))[:SKILL_NAME_MAX]
    name = _cut(name, _SKILL_BYTES) or SKILL
    return f"{name}-skill" if name in _RESERVED else name


def is_skill_name(text: str) -> bool:
    """True for a name that the Agent Skills specification allows, but for its folder."""
    name = unicodedata.normalize("NFKC", text)
    return (
        0 < len(name) <= SKILL_NAME_MAX
        and name == name.lower()
        and name.strip("-") == name
        and "--" not in name
        and all(sign.isalnum() or sign == "-" for sign in name)
    )


def _skill_sign(sign: str) -> str:
    """What a character becomes in the name of a skill; a blank parts words."""
    base = unicodedata.normalize("NFKD", sign)[0]
    if base.isascii() and base.isalnum():
        return base.lower()
    if sign.isalnum() and sign == sign.lower():
        return sign
    return "" if unicodedata.category(sign)[0] == "M" else " "


def slug(text: str) -> str:
    """Letters and digits of every script in lower case, NFC, `-` for all else; never empty.

    At most 60 characters long.
    """
    lowered = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())
    kept = "".join(sign if _is_word(sign) else " " for sign in lowered)
    return "-".join(kept.split())[:SLUG_LENGTH_MAX].strip("-") or "untitled"


def id_tail(record_id: str) -> str:
    """The last six signs of an id in lower case, as they stand at the end of a file name."""
    return slug(record_id)[-_TAIL_LENGTH:].strip("-")


def stem(path: PurePosixPath) -> str:
    """Name of a note as links write it: the file name without `.md`."""
    return path.name[: -len(SUFFIX)] if path.name.lower().endswith(SUFFIX) else path.name


def _date(record: Record) -> str:
    """Day [UTC] of the record, from `created` or else from its id."""
    if record.created is not None:
        return record.created.date().isoformat()
    return ulid_time(record.id).date().isoformat() if is_ulid(record.id) else "undated"


def _is_word(sign: str) -> bool:
    """True for letters, digits and the marks that letters of many scripts need."""
    return unicodedata.category(sign)[0] in "LNM"


def _cut(text: str, bytes_max: int) -> str:
    """The longest beginning of the text that fits [bytes], whole characters only."""
    return text.encode("utf-8")[:bytes_max].decode("utf-8", "ignore").strip("-")


_ENCODED = re.compile(r"%(?:2e|2f|5c|00)", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:(?! )")
_SHORT_GIT = re.compile(r"git~\d", re.IGNORECASE)
_DOTS_IN_A_WORD = re.compile(r"\.\.[^.]")
_PART_BYTES_MAX = 255
_REMEDY = "Give a path inside the vault, such as observations/api/note.md."


def check_relative(text: str) -> PurePosixPath:
    """The path that a caller typed as the name of a note, when it leads into the vault.

    Raises:
        RefusedError: rule `path`; it is empty or absolute, has parts such as `..`, hidden or
            reserved names, encoded or foreign separators, or control characters.
    """
    if not text.strip():
        problem = "an empty name names no note"
        raise RefusedError("path", problem, remedy="Give the id or the path that search gives.")
    if not _is_clean(text):
        raise _refused(f"{text!r} has a character that paths in a vault do not have")
    if _ENCODED.search(text) or _DRIVE.match(text):
        raise _refused(f"{text!r} is not written as a path inside the vault")
    for part in text.split("/"):
        fault = _part_fault(part)
        if fault:
            raise _refused(f"{text!r} {fault}")
    return PurePosixPath(text)


def _refused(message: str) -> RefusedError:
    return RefusedError("path", message, remedy=_REMEDY)


def _is_clean(text: str) -> bool:
    """False for a backslash, control and separator characters, and half surrogate pairs."""
    signs = "\\\u2028\u2029"
    return not any(sign in signs or unicodedata.category(sign) in ("Cc", "Cs") for sign in text)


def _part_fault(part: str) -> str:
    """What is wrong with one part of a path, or "".

    A name such as `..dots` is an ordinary one; a leading `-` is taken only from a full file name,
    so that no option of a program passes as a name.
    """
    is_dash = part[:1] == "-" and not part.lower().endswith(SUFFIX)
    if part in ("", ".", ".."):
        return "has an empty, . or .. part, or begins or ends with /"
    if part[0] == "." and not _DOTS_IN_A_WORD.match(part):
        return "leads to a hidden file or folder"
    if part[0] == "~" or is_dash or _SHORT_GIT.match(part) or part[-1] in ". ":
        return f"has the part {part!r}, which programs read as something else"
    if part.partition(".")[0].rstrip().lower() in _RESERVED:
        return f"has the part {part!r}, a name that Windows keeps for devices"
    return "has a part that is too long" if len(part.encode("utf-8")) > _PART_BYTES_MAX else ""


_DATE = r"\d{4}-?\d{2}-?\d{2}[^()]*"
_COPIES = (
    # Syncthing: note.sync-conflict-<date>-<time>-<device>.md
    re.compile(r"(.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?(\.[^.]+)?"),
    # Dropbox, Nextcloud, Obsidian Sync: note (Ines's conflicted copy 2026-05-03).md
    re.compile(rf"(.+?) \((?:[^()]+ )?[Cc]onflicted copy (?:[^()]+ )?{_DATE}\)(\.[^.]+)?"),
    # Dropbox on file systems that ignore case, and its copies in other forms
    re.compile(r"(.+?) \([^()]*(?:Case|Unicode Encoding) Conflict[^()]*\)(\.[^.]+)?"),
    # ownCloud: note_conflict-<date>-<time>.md
    re.compile(r"(.+)_conflict-\d{8}-\d{6}(\.[^.]+)?"),
    # Seafile: note (SFConflict ines@example.org 2026-05-03-18-15-02).md
    re.compile(rf"(.+?) \(SFConflict [^()]*{_DATE}\)(\.[^.]+)?"),
)
"""Names that sync programs give to the loser of a conflict, as their manuals have them."""

_TEMPORARY = re.compile(
    r".*~|\.#.*|#.*#|~\$.*|.*\.(?:tmp|temp|swp|swo|swx|swpx|part|crdownload)|4913"
    r"|\.goutputstream-.*|.*___jb_(?:tmp|old)___",
    re.IGNORECASE,
)


def conflict_copy_of(name: str) -> str | None:
    """File name of the original when this is a copy that a sync program set aside, else None.

    Only names that nobody gives by hand: `House 2.md` and `House-LAPTOP7.md` are ordinary ones.
    """
    if "onflict" not in name:
        return None
    for pattern in _COPIES:
        match = pattern.fullmatch(name)
        if match is not None:
            return match[1] + (match[2] or "")
    return None


def is_temporary(name: str) -> bool:
    """True for file names that editors and downloads use while they write."""
    return _TEMPORARY.fullmatch(name) is not None
